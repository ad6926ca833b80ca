import { Check, CircleAlert, Stethoscope, TriangleAlert } from 'lucide-react';
import type { DoctorFinding, Presence } from '../../protocol/machine.ts';
import { sentenceOfCode } from '../errors.ts';
import { cliTwin } from '../format/cli.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { ErrorPanel } from '../ui/states.tsx';
import { commandIn, Words } from '../ui/words.tsx';
import { useDoctor } from './use-doctor.ts';

const LOOKS: Record<
  DoctorFinding['status'],
  { icon: typeof Check; className: string; word: string }
> = {
  ok: { icon: Check, className: 'text-green', word: 'fine' },
  warning: { icon: TriangleAlert, className: 'text-amber', word: 'warning' },
  problem: { icon: CircleAlert, className: 'text-red', word: 'problem' },
};

const WEIGHT: Record<DoctorFinding['status'], number> = { problem: 0, warning: 1, ok: 2 };

/** Looks at a machine on request, and shows first what needs doing. */
export function Doctor({ runnerId, presence }: { runnerId: string; presence: Presence }) {
  const doctor = useDoctor(runnerId);
  const findings = [...(doctor.data?.findings ?? [])].sort(
    (a, b) => WEIGHT[a.status] - WEIGHT[b.status],
  );
  return (
    <div className="border-t px-4 py-3">
      <div className="flex flex-wrap items-center gap-3">
        <Button
          reason={presence === 'offline' ? sentenceOfCode('runner_offline') : null}
          busy={doctor.isPending}
          onClick={() => doctor.mutate()}
        >
          <Stethoscope /> {doctor.isPending ? 'Looking…' : 'Run doctor'}
        </Button>
        <code className="text-sm text-faint">{cliTwin.doctor()}</code>
      </div>
      {doctor.isError && (
        <div className="mt-3">
          <ErrorPanel error={doctor.error} retry={() => doctor.mutate()} />
        </div>
      )}
      {findings.length > 0 && (
        <ul aria-label="Findings" className="mt-3 space-y-1.5">
          {findings.map((finding) => {
            const { icon: Icon, className, word } = LOOKS[finding.status];
            return (
              <li
                key={finding.check}
                className="flex items-start gap-2"
                data-status={finding.status}
              >
                <Icon className={`mt-0.5 ${className}`} aria-label={word} />
                <span className="min-w-0 flex-1">
                  {finding.message}
                  {finding.remedy !== null && (
                    <span className="block text-soft">
                      <Words text={finding.remedy} />
                    </span>
                  )}
                </span>
                {finding.remedy?.includes('`') && (
                  <CopyButton text={commandIn(finding.remedy)} label="Copy what to do" />
                )}
                <span className="text-sm text-faint max-sm:hidden">{finding.check}</span>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}
