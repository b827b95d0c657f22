import type { JSX } from 'react';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowDownUp from 'lucide-react/icons/arrow-down-up';
import ArrowRight from 'lucide-react/icons/arrow-right';
import ArrowUp from 'lucide-react/icons/arrow-up';
import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import Braces from 'lucide-react/icons/braces';
import Calendar from 'lucide-react/icons/calendar';
import Check from 'lucide-react/icons/check';
import ChevronDown from 'lucide-react/icons/chevron-down';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import Clock from 'lucide-react/icons/clock';
import Columns3 from 'lucide-react/icons/columns-3';
import Copy from 'lucide-react/icons/copy';
import Database from 'lucide-react/icons/database';
import Download from 'lucide-react/icons/download';
import Eye from 'lucide-react/icons/eye';
import File from 'lucide-react/icons/file';
import Focus from 'lucide-react/icons/focus';
import Hash from 'lucide-react/icons/hash';
import Image from 'lucide-react/icons/image';
import KeyRound from 'lucide-react/icons/key-round';
import Link from 'lucide-react/icons/link';
import List from 'lucide-react/icons/list';
import ListFilter from 'lucide-react/icons/list-filter';
import ListTree from 'lucide-react/icons/list-tree';
import Lock from 'lucide-react/icons/lock';
import Maximize2 from 'lucide-react/icons/maximize-2';
import Menu from 'lucide-react/icons/menu';
import Minus from 'lucide-react/icons/minus';
import PanelRight from 'lucide-react/icons/panel-right';
import Pin from 'lucide-react/icons/pin';
import Play from 'lucide-react/icons/play';
import Plus from 'lucide-react/icons/plus';
import Redo2 from 'lucide-react/icons/redo-2';
import RotateCw from 'lucide-react/icons/rotate-cw';
import Search from 'lucide-react/icons/search';
import Shuffle from 'lucide-react/icons/shuffle';
import CircleStop from 'lucide-react/icons/circle-stop';
import Star from 'lucide-react/icons/star';
import LogOut from 'lucide-react/icons/log-out';
import Sun from 'lucide-react/icons/sun';
import Table2 from 'lucide-react/icons/table-2';
import Terminal from 'lucide-react/icons/terminal';
import ToggleRight from 'lucide-react/icons/toggle-right';
import Trash2 from 'lucide-react/icons/trash-2';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import Type from 'lucide-react/icons/type';
import MapIcon from 'lucide-react/icons/map';
import Undo2 from 'lucide-react/icons/undo-2';
import Upload from 'lucide-react/icons/upload';
import Workflow from 'lucide-react/icons/workflow';
import X from 'lucide-react/icons/x';

/** An icon in the color of the text. */
const icons = {
  table: Table2,
  database: Database,
  key: KeyRound,
  link: Link,
  search: Search,
  filter: ListFilter,
  sort: ArrowDownUp,
  columns: Columns3,
  pin: Pin,
  eye: Eye,
  plus: Plus,
  minus: Minus,
  close: X,
  check: Check,
  up: ArrowUp,
  down: ArrowDown,
  left: ChevronLeft,
  right: ChevronRight,
  'chevron-down': ChevronDown,
  open: ArrowUpRight,
  'arrow-right': ArrowRight,
  download: Download,
  upload: Upload,
  refresh: RotateCw,
  map: MapIcon,
  undo: Undo2,
  redo: Redo2,
  copy: Copy,
  trash: Trash2,
  lock: Lock,
  sql: Terminal,
  diagram: Workflow,
  tree: ListTree,
  play: Play,
  stop: CircleStop,
  clock: Clock,
  star: Star,
  file: File,
  expand: Maximize2,
  focus: Focus,
  shuffle: Shuffle,
  panel: PanelRight,
  menu: Menu,
  logout: LogOut,
  sun: Sun,
  hash: Hash,
  text: Type,
  bool: ToggleRight,
  calendar: Calendar,
  json: Braces,
  image: Image,
  list: List,
  warning: TriangleAlert,
  error: CircleAlert,
  done: CircleCheck,
  view: View,
  go: Go,
} as const;

export type IconName = keyof typeof icons;

interface IconProps {
  readonly name: IconName;
  /** `s` is 14 pixels and `xs` is 12 pixels, instead of 16. */
  readonly size?: 's' | 'xs';
  readonly className?: string;
}

/** Hidden from screen readers: adjacent text or the label of the button has the same meaning. */
export function Icon({ name, size, className = '' }: IconProps): JSX.Element {
  const Shape = icons[name];
  return <Shape className={`i ${size ?? ''} ${className}`} />;
}

interface ShapeProps {
  readonly className: string;
}

/** The icon of a table, with a dashed frame. */
function View({ className }: ShapeProps): JSX.Element {
  return (
    <svg className={className} viewBox="0 0 24 24" aria-hidden="true">
      <path d="M3 9h18M9 3v18" />
      <rect x="3" y="3" width="18" height="18" rx="2" strokeDasharray="3.6 2.6" />
    </svg>
  );
}

/** Lucide has no brand icons. */
function Go({ className }: ShapeProps): JSX.Element {
  return (
    <svg className={className} viewBox="0 0 24 24" aria-hidden="true">
      <path d="M3 9.75h4.5M2.25 14.25H6" />
      <circle cx="12" cy="12" r="3.75" />
      <circle cx="18.75" cy="12" r="2.7" />
    </svg>
  );
}

export function Logo(): JSX.Element {
  return (
    <svg className="mark" viewBox="0 0 22 22" aria-hidden="true">
      <rect x="1" y="1" width="20" height="20" rx="5" fill="var(--text)" />
      <path
        d="M5 7.5h12M5 11h5.5M5 14.5h12"
        stroke="var(--bg-app)"
        strokeWidth="1.7"
        strokeLinecap="round"
      />
      <rect x="12" y="9.3" width="5.6" height="3.4" rx="1" fill="var(--ink-5)" />
    </svg>
  );
}
