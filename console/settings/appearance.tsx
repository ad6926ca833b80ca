import { setTheme, THEMES, useTheme } from '../lib/theme.ts';
import { Section } from '../ui/page.tsx';
import { Segmented } from '../ui/segmented.tsx';

const LABELS = { system: 'As the system', light: 'Light', dark: 'Dark' } as const;
const OPTIONS = THEMES.map((value) => ({ value, label: LABELS[value] }));

/** How the console looks in this browser. */
export function Appearance() {
  return (
    <Section title="Appearance">
      <p className="mb-3 text-soft">Of this browser alone; the others keep their own.</p>
      <Segmented label="Theme" value={useTheme()} options={OPTIONS} onChoose={setTheme} />
    </Section>
  );
}
