import {
  Anchor,
  Bot,
  CircleDollarSign,
  House,
  type LucideIcon,
  Scale,
  Server,
  Settings,
  SquareTerminal,
} from 'lucide-react';
import { paths } from '../paths.ts';

/** A page as the rail, the palette and the keyboard lead to it. */
export type PageLink = { label: string; to: string; icon: LucideIcon; key: string };

/** The pages that exist, in the order of the rail. `key` follows `g` as a shortcut. */
export const PAGES: readonly PageLink[] = [
  { label: 'Home', to: paths.home(), icon: House, key: 'h' },
  { label: 'Sessions', to: paths.sessions(), icon: SquareTerminal, key: 's' },
  { label: 'Spend', to: paths.spend(), icon: CircleDollarSign, key: 'd' },
  { label: 'Acts', to: paths.acts(), icon: Anchor, key: 'a' },
  { label: 'Operators', to: paths.operators(), icon: Bot, key: 'o' },
  { label: 'Machines', to: paths.machines(), icon: Server, key: 'm' },
  { label: 'Decisions', to: paths.decisions(), icon: Scale, key: 'e' },
  { label: 'Settings', to: paths.settings(), icon: Settings, key: 'x' },
];
