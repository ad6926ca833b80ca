import { Download } from 'lucide-react';
import { buttonClass } from './button.tsx';
import { Command } from './copy.tsx';
import { Menu, MenuLabel, MenuLine, MenuLink } from './menu.tsx';

type Query = Readonly<Record<string, string | number | undefined>>;

/** An address of the API with what is asked for; what is undefined is left out. */
export function addressOf(path: string, query: Query): string {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
  return search.size > 0 ? `${path}?${search.toString()}` : path;
}

/** What is shown, as a file: in which forms, and the command that writes the same. */
export function ExportMenu({
  path,
  query,
  command,
}: {
  path: string;
  query: Query;
  command: string;
}) {
  return (
    <Menu
      trigger={
        <button type="button" className={`${buttonClass()} print:hidden`}>
          <Download /> Export
        </button>
      }
    >
      {(['csv', 'json'] as const).map((format) => (
        <MenuLink key={format} href={addressOf(path, { ...query, format })}>
          Save as {format.toUpperCase()}
        </MenuLink>
      ))}
      <MenuLine />
      <MenuLabel>From a terminal</MenuLabel>
      <div className="px-2 pb-1">
        <Command text={command} />
      </div>
    </Menu>
  );
}
