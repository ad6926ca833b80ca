import type { ParserId } from '../../protocol/parsers.ts';
import { claude } from './claude/preset.ts';
import { probeClaude } from './claude/probe.ts';
import { codexAppServer } from './codex/app-server/preset.ts';
import { codex } from './codex/preset.ts';
import { probeCodex } from './codex/probe.ts';
import type { Engine, EngineProbe } from './engine.ts';
import { geminiAcp } from './gemini/acp.ts';
import { gemini } from './gemini/preset.ts';
import { probeGemini } from './gemini/probe.ts';
import { opencode } from './opencode/preset.ts';
import { probeOpencode } from './opencode/probe.ts';
import { qwen } from './qwen/preset.ts';
import { probeQwen } from './qwen/probe.ts';

export type EngineForm = { engine: Engine; probe: EngineProbe };

/** Parsers of one form of one engine: the others read whatever program is named. */
type FormParser = Exclude<ParserId, 'acp' | 'text'>;

/**
 * Every form of every engine that asks a model, by the parser that reads it, in the order in which
 * they are offered: forms of one engine stand together, the plain one first.
 */
export const FORMS: Readonly<Record<FormParser, EngineForm>> = {
  'claude-stream-json': { engine: claude, probe: probeClaude },
  'codex-exec-json': { engine: codex, probe: probeCodex },
  'codex-app-server': { engine: codexAppServer, probe: probeCodex },
  'gemini-stream-json': { engine: gemini, probe: probeGemini },
  'gemini-acp': { engine: geminiAcp, probe: probeGemini },
  'opencode-acp': { engine: opencode, probe: probeOpencode },
  'qwen-stream-json': { engine: qwen, probe: probeQwen },
};
