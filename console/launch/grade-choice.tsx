import type { Grade } from '../../protocol/grade.ts';
import type { EngineReadiness, MachineFacts } from '../../protocol/machine.ts';
import { Choice, ChoiceGroup } from '../ui/field.tsx';
import { foretell, listGrades } from './grades.ts';
import { wordsOfGrade } from './words.ts';

type GradeChoiceProps = {
  machine: MachineFacts | undefined;
  engine: EngineReadiness | undefined;
  checkout: 'own' | 'inPlace';
  value: Grade | null;
  problem: string | undefined;
  onChange: (grade: Grade | null) => void;
};

/** How much power it holds. What this machine cannot do is shown with what would change that. */
export function GradeChoice({
  machine,
  engine,
  checkout,
  value,
  problem,
  onChange,
}: GradeChoiceProps) {
  const usual = foretell({ grade: null, checkout }, machine, engine);
  return (
    <>
      <ChoiceGroup label="How much power it holds">
        <Choice
          name="grade"
          checked={value === null}
          onChoose={() => onChange(null)}
          label="As the machine decides"
          detail={usual ?? 'No grade that its own limits allow works like this.'}
        />
        {listGrades(machine, checkout).map(({ grade, obstacle }) => (
          <Choice
            key={grade}
            name="grade"
            checked={value === grade}
            disabled={obstacle !== null}
            onChoose={() => onChange(grade)}
            label={wordsOfGrade(grade).label}
            detail={obstacle ?? wordsOfGrade(grade).meaning}
          />
        ))}
      </ChoiceGroup>
      {problem !== undefined && <p className="mb-3 text-sm text-red">{problem}</p>}
    </>
  );
}
