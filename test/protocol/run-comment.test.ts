import { describe, expect, it } from 'vitest';
import { writeComment } from '../../protocol/run-markdown.ts';
import { approvalRequested, checkoutPrepared, turnEnded, working } from '../support/feed-events.ts';
import { TURN } from '../support/protocol-builders.ts';
import { reportOf, said, wholeRun } from '../support/run-builders.ts';

describe('what becomes of a run, for readers of a forge', () => {
  it('has the claim, the acts, the files and the cost', () => {
    const comment = writeComment(reportOf(wholeRun()));
    expect(comment).toMatch(/^\*\*Done\.\*\* The last turn ended well\./);
    expect(comment).toContain('The agent says (a claim):');
    expect(comment).toContain('| push | `origin fix` | done | a person | stream and gate |');
    expect(comment).toContain('- `src/tide.ts` edited, +6 −2');
    expect(comment).toContain('On `pilothouse/fix`, 2 new commits.');
    expect(comment).toContain('2 turns, 15 s at work, < $0.01 reported.');
  });

  it('tells nothing of the machine, its directories, its people or its policy', () => {
    const comment = writeComment(reportOf(wholeRun(), { directory: '/home/dev/site' }));
    for (const secret of ['desk', '/home/dev', 'usr_local', 'May not', 'ses_test1'])
      expect(comment).not.toContain(secret);
  });

  it('calls nobody by name and closes no issue with the agent’s words', () => {
    const comment = writeComment(
      reportOf([...working(), said('@octo/team closes #1'), turnEnded()]),
    );
    expect(comment).toContain('```text\n@octo/team closes #1\n```');
    expect(comment.replaceAll(/```text[\s\S]*?```/g, '')).not.toMatch(/@\w|#\d/);
  });

  it('says where somebody can answer what it waits for', () => {
    const comment = writeComment(reportOf([...working(), approvalRequested()]));
    expect(comment).toMatch(/^\*\*Waits for a person\.\*\* It asks: npm test/);
    expect(comment).toContain('can answer it where they run it');
  });

  it('names what is not known, and leaves out what there is none of', () => {
    const events = [...working(), checkoutPrepared(), turnEnded(TURN, { acts: 'unsettled' })];
    const comment = writeComment(reportOf(events));
    expect(comment).toContain('Not known:\n\n- What 1 turn did is not known');
    expect(comment).not.toContain('The agent says');
    expect(comment).toContain('None seen.');
  });
});
