import type { ImportKind } from '../rules/schema.ts';

/** A mention of a module in a file. `specifier` is null where it is computed at run time. */
export type ModuleRef = {
  kind: ImportKind;
  specifier: string | null;
  /**
   * How the specifier is meant where it is not resolved from its file alone: a path from wherever
   * the program is started, or a pattern of paths.
   */
  meaning?: 'from-process' | 'pattern';
  line: number;
  column: number;
  excerpt: string;
};

/** A part of a text, by offsets. */
export type Span = { start: number; end: number };

export type ParseFault = { line: number; message: string };

export type ParsedModule = { refs: ModuleRef[]; faults: ParseFault[] };

/** A mention with what it leads to: files of the tree, a package, or neither where it is computed. */
export type Edge = ModuleRef & {
  from: string;
  /** Files of the tree, or where they would be: a Go package and a Python name can be several. */
  targets: string[];
  packageName: string | null;
  /** False where a specifier is written down and yet nothing tells what it means. */
  known: boolean;
};

/** A file's edges, or what kept it from being read. */
export type FileEdges = { path: string; edges: Edge[]; faults: ParseFault[] };
