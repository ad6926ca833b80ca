import type { Grade } from '../../protocol/grade.ts';
import type { MachineFacts } from '../../protocol/machine.ts';
import { Choice, ChoiceGroup } from '../ui/field.tsx';
import { listGrades } from './grades.ts';
import { wordsOfGrade } from './words.ts';

type GradeChoiceProps = {
  machine: MachineFacts | undefined;
  checkout: 'own' | 'inPlace';
  value: Grade | null;
  problem: string | undefined;
  onChange: (grade: Grade | null) => void;
};

/** How much power it holds. What this machine cannot do is shown with what would change that. */
export function GradeChoice({ machine, checkout, value, problem, onChange }: GradeChoiceProps) {
  return (
    <>
      <ChoiceGroup label="How much power it holds">
        <Choice
          name="grade"
          checked={value === null}
          onChoose={() => onChange(null)}
          label="As the machine decides"
          detail="The usual grade of that machine, and never less strict than its own limits."
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
