import { says, type Reply, type Script } from '../../support/model-api/script.ts';
import type { EngineRecord } from './record.ts';

/** Not the same words again: an engine may end a turn whose model repeats itself. */
const COUNTING = Array.from({ length: 1_200 }, (_, index) => `${index * 7_919} `).join('');
const slowly: Reply = {
  kind: 'message',
  content: [{ type: 'text', text: COUNTING }],
  pieceMs: 20,
};

/** A command line that is nobody else's. */
export const LEFT = `tail -f /dev/null --sleep-interval=7.${process.pid}`;

export const scriptOf = ({
  runs,
  refusals,
  triesAgainAfter,
  delegates,
  reports = says,
}: EngineRecord): Script => ({
  // First: some engines put an instruction that was cut off into one message with the next.
  'and now': [says('Here.')],
  'say bye': [
    runs('sed -i s/hello/bye/ a.txt && git commit -qam bye'),
    runs('git push -q origin HEAD:refs/heads/feature'),
    says('Pushed it.'),
  ],
  'what did you do': [says('I said bye.')],
  'count slowly': [slowly],
  // In a session of its own, as tools of the engines begin their commands, and with nothing to wait for.
  'leave it running': [
    runs(`setsid -f ${LEFT} < /dev/null > /dev/null 2>&1; echo left`),
    { kind: 'message', content: [{ type: 'text', text: 'Left it.' }], firstByteMs: 3_000 },
  ],
  'push it': [runs('git push -q origin HEAD:refs/heads/denied'), says('I may not.')],
  ...(triesAgainAfter && {
    'try again': [
      { kind: 'one by one' as const, replies: [...triesAgainAfter, says('Here after all.')] },
    ],
  }),
  // Before the instruction that leads to it, which holds its words.
  'subagent please push': [
    runs('git push -q origin HEAD:refs/heads/helper'),
    reports('Pushed it for you.'),
  ],
  'delegate it': [
    ...(delegates ? delegates('subagent please push') : []),
    says('The subagent did it.'),
  ],
  'be cut': [{ kind: 'message', content: [{ type: 'text', text: 'a b c d e f' }], cutAfter: 3 }],
  ...Object.fromEntries(
    refusals.map(({ status, type, message = 'scripted', headers = {} }) => [
      `be refused ${status}`,
      [{ kind: 'error', status, type, message, headers } as const],
    ]),
  ),
});
