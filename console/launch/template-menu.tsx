import { ListPlus } from 'lucide-react';
import { useState } from 'react';
import { offerUndo } from '../lib/undo.ts';
import { Button } from '../ui/button.tsx';
import { Menu, MenuItem, MenuLabel, MenuLine } from '../ui/menu.tsx';
import {
  COMMON_TEMPLATES,
  forgetTemplate,
  keepTemplate,
  nameOfTemplate,
  readTemplates,
} from './templates.ts';

type TemplateMenuProps = { objective: string; choose: (text: string) => void };

/** Objectives to begin from: some that are common, and those that the person kept. */
export function TemplateMenu({ objective, choose }: TemplateMenuProps) {
  const [own, setOwn] = useState(readTemplates);
  const isOwn = own.includes(objective.trim());
  const change = (store: (text: string) => void) => {
    store(objective);
    setOwn(readTemplates());
  };
  const forget = () => {
    change(forgetTemplate);
    offerUndo({
      said: 'The template is forgotten.',
      undo: async () => change(keepTemplate),
    });
  };
  const list = (texts: readonly string[]) =>
    texts.map((text) => (
      <MenuItem key={text} onSelect={() => choose(text)}>
        <span title={text}>{nameOfTemplate(text)}</span>
      </MenuItem>
    ));
  return (
    <Menu
      trigger={
        <Button kind="quiet">
          <ListPlus /> Templates
        </Button>
      }
    >
      <MenuLabel>Begin from</MenuLabel>
      {list(COMMON_TEMPLATES)}
      {own.length > 0 && <MenuLabel>Yours, in this browser</MenuLabel>}
      {list(own)}
      <MenuLine />
      {isOwn ? (
        <MenuItem onSelect={forget}>Forget this one</MenuItem>
      ) : objective.trim() === '' ? (
        <MenuLabel>What you write can be kept here.</MenuLabel>
      ) : (
        <MenuItem onSelect={() => change(keepTemplate)}>Keep what I wrote</MenuItem>
      )}
    </Menu>
  );
}
