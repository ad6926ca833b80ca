import { aFinding, aRecord, aReport, aRule, aViolatedRule } from './adr-reports.ts';

const waiver = { owner: 'Anna', reason: 'moves with the new checkout', expires: '2026-12-31' };

export const cleanReport = aReport({
  mode: 'change',
  base: 'origin/main',
  records: [
    aRecord({
      id: '0001',
      title: 'Record decisions',
      path: 'docs/adr/0001-record-decisions.md',
      rules: [],
    }),
    aRecord({
      id: '0002',
      path: 'docs/adr/0002-one-pool-of-connections.md',
      rules: [
        aRule(),
        aRule({
          id: 'licence-file',
          kind: 'require',
          state: 'skipped',
          examined: { count: 0, unit: 'files' },
          note: 'nothing that it looks at has changed',
        }),
      ],
    }),
  ],
});

export const violatedReport = aReport({
  records: [
    aRecord({
      rules: [
        aViolatedRule({
          findings: [
            aFinding(),
            aFinding({
              place: { path: 'src/old/import.ts', line: 40, column: null },
              excerpt: null,
              message: 'src/old/import.ts imports src/db/pool.ts.',
              waiver,
            }),
          ],
        }),
        aViolatedRule({
          id: 'no-sleep',
          kind: 'forbid',
          level: 'advisory',
          reason: 'A sleep hides a missing event.',
          findings: [
            aFinding({
              place: { path: 'src/retry.ts', line: 9, column: 5 },
              message: 'This sleeps. Wait for the event instead.',
              excerpt: 'await sleep(100);',
            }),
          ],
        }),
        aViolatedRule({
          id: 'conformance',
          kind: 'require',
          reason: 'Each engine proves that it reports its turns.',
          examined: { count: 0, unit: 'folders' },
          note: 'No folder matches test/engines/*/: a rule that looks at nothing checks nothing.',
          findings: [],
        }),
      ],
    }),
    aRecord({
      id: '0003',
      title: 'Money is whole numbers',
      path: 'docs/adr/0003-money-is-whole-numbers.md',
      rules: [],
      problems: [
        aFinding({
          place: { path: 'docs/adr/0003-money-is-whole-numbers.md', line: 12, column: null },
          message: 'The decision text changed after it was accepted. Supersede the record instead.',
          excerpt: null,
        }),
      ],
    }),
  ],
});

const PROOFS = {
  'pool-importers': { state: 'proven', fixtures: 5, caught: 5 },
  'no-sleep': { state: 'failed', fixtures: 2, caught: 1 },
  'unit-prices': { state: 'unproven', fixtures: 0, caught: 0 },
  'prices-add-up': { state: 'unproven', fixtures: 1, caught: 0 },
} as const;

/** A check with `--prove`: every way in which a rule can be shown to work, or not. */
export const provenReport = aReport({
  records: [
    aRecord({
      rules: Object.entries(PROOFS).map(([id, proof]) =>
        aRule({ id, proof, state: proof.state === 'failed' ? 'could_not_check' : 'passed' }),
      ),
    }),
  ],
});

export const uncheckedReport = aReport({
  records: [
    aRecord({
      rules: [
        aRule({
          state: 'could_not_check',
          findings: [
            aFinding({
              place: { path: 'src/broken.ts', line: 2, column: 8 },
              message: 'The file does not parse, so nobody knows what it imports. Repair it.',
              excerpt: 'import { from',
            }),
          ],
        }),
      ],
    }),
  ],
  problems: [
    aFinding({
      place: null,
      message: 'There is no commit called origin/main here. Fetch it, or name another base.',
      excerpt: null,
    }),
  ],
});

/** Every text that comes from a checked tree, as somebody would write it who means harm. */
export const HOSTILE = {
  path: 'src/a,b:c\n::error file=x::\u001b[2J]]>&"\u202e%0A.ts',
  text: ']]> <script> ::stop-commands::x\r\n##[error]x \u001b]0;title\u0007 %0A\u0000 \ud800 {0} "q" & [a](b)',
} as const;

export const hostileReport = aReport({
  base: HOSTILE.text,
  mode: 'change',
  records: [
    aRecord({
      title: HOSTILE.text,
      path: HOSTILE.path,
      rules: [
        aViolatedRule({
          reason: HOSTILE.text,
          findings: [
            aFinding({
              place: { path: HOSTILE.path, line: 3, column: 1 },
              message: HOSTILE.text,
              excerpt: HOSTILE.text,
            }),
            aFinding({
              place: { path: HOSTILE.path, line: 4, column: 1 },
              message: HOSTILE.text,
              excerpt: null,
              waiver: { owner: HOSTILE.text, reason: HOSTILE.text, expires: '2026-12-31' },
            }),
          ],
        }),
      ],
    }),
  ],
});

export const SAMPLES = {
  clean: cleanReport,
  violated: violatedReport,
  unchecked: uncheckedReport,
  proven: provenReport,
  hostile: hostileReport,
} as const;
