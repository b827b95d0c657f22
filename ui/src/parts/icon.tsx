import type { JSX } from 'react';

/** Sixteen by sixteen, drawn in the colour of the text. */
const shapes = {
  table: (
    <>
      <rect x="2" y="3" width="12" height="10" rx="1.5" />
      <path d="M2 6.5h12M6 6.5V13" />
    </>
  ),
  view: (
    <>
      <rect x="2" y="3" width="12" height="10" rx="1.5" strokeDasharray="2.2 1.8" />
      <path d="M2 6.5h12M6 6.5V13" />
    </>
  ),
  database: (
    <>
      <ellipse cx="8" cy="4" rx="5" ry="1.8" />
      <path d="M3 4v8c0 1 2.2 1.8 5 1.8s5-.8 5-1.8V4M3 8c0 1 2.2 1.8 5 1.8S13 9 13 8" />
    </>
  ),
  key: (
    <>
      <circle cx="5" cy="11" r="2.6" />
      <path d="m7 9 6-6M10.5 5.5l2 2" />
    </>
  ),
  link: (
    <>
      <path d="M6.8 9.2a2.6 2.6 0 0 0 3.7 0l2-2a2.6 2.6 0 0 0-3.7-3.7l-.7.7M9.2 6.8a2.6 2.6 0 0 0-3.7 0l-2 2a2.6 2.6 0 0 0 3.7 3.7l.7-.7" />
    </>
  ),
  search: (
    <>
      <circle cx="7" cy="7" r="4.2" />
      <path d="m10.2 10.2 3.3 3.3" />
    </>
  ),
  filter: (
    <>
      <path d="M2.5 4.5h11M4.5 8h7M6.5 11.5h3" />
    </>
  ),
  sort: (
    <>
      <path d="M5 3v10M2.5 10.5 5 13l2.5-2.5M11 13V3M8.5 5.5 11 3l2.5 2.5" />
    </>
  ),
  columns: (
    <>
      <rect x="2" y="3" width="12" height="10" rx="1.5" />
      <path d="M6 3v10M10 3v10" />
    </>
  ),
  pin: (
    <>
      <path d="M6 2.5h4l-.5 4 2 2.5h-7l2-2.5zM8 9v4.5" />
    </>
  ),
  eye: (
    <>
      <path d="M1.8 8S4 3.8 8 3.8 14.2 8 14.2 8 12 12.2 8 12.2 1.8 8 1.8 8Z" />
      <circle cx="8" cy="8" r="1.9" />
    </>
  ),
  plus: (
    <>
      <path d="M8 3v10M3 8h10" />
    </>
  ),
  minus: (
    <>
      <path d="M3 8h10" />
    </>
  ),
  close: (
    <>
      <path d="m4 4 8 8M12 4l-8 8" />
    </>
  ),
  check: (
    <>
      <path d="m3 8.5 3.2 3.2L13 4.8" />
    </>
  ),
  up: (
    <>
      <path d="M8 13V3M4 7l4-4 4 4" />
    </>
  ),
  down: (
    <>
      <path d="M8 3v10M4 9l4 4 4-4" />
    </>
  ),
  left: (
    <>
      <path d="m10 4-4 4 4 4" />
    </>
  ),
  right: (
    <>
      <path d="m6 4 4 4-4 4" />
    </>
  ),
  'chevron-down': (
    <>
      <path d="m4 6 4 4 4-4" />
    </>
  ),
  open: (
    <>
      <path d="M5 11 11 5M6 5h5v5" />
    </>
  ),
  'arrow-right': (
    <>
      <path d="M3 8h10M9 4l4 4-4 4" />
    </>
  ),
  download: (
    <>
      <path d="M8 2.5v7.5M4.8 7 8 10.2 11.2 7M3 13h10" />
    </>
  ),
  upload: (
    <>
      <path d="M8 10.5V3M4.8 6 8 2.8 11.2 6M3 13h10" />
    </>
  ),
  refresh: (
    <>
      <path d="M13 8a5 5 0 1 1-1.5-3.6M13 2.5v2.6h-2.6" />
    </>
  ),
  undo: (
    <>
      <path d="M3 6.5h6.5a3.5 3.5 0 0 1 0 7H6M5.5 4 3 6.5 5.5 9" />
    </>
  ),
  redo: (
    <>
      <path d="M13 6.5H6.5a3.5 3.5 0 0 0 0 7H10M10.5 4 13 6.5 10.5 9" />
    </>
  ),
  copy: (
    <>
      <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
      <path d="M10.5 5.5V4A1.5 1.5 0 0 0 9 2.5H4A1.5 1.5 0 0 0 2.5 4v5A1.5 1.5 0 0 0 4 10.5h1.5" />
    </>
  ),
  trash: (
    <>
      <path d="M3 4.5h10M6.5 4.5V3h3v1.5M4.3 4.5l.6 8.5h6.2l.6-8.5M6.8 7v3.5M9.2 7v3.5" />
    </>
  ),
  lock: (
    <>
      <rect x="3.5" y="7" width="9" height="6.5" rx="1.3" />
      <path d="M5.5 7V5a2.5 2.5 0 0 1 5 0v2" />
    </>
  ),
  sql: (
    <>
      <path d="m3 4.5 3.5 3.5L3 11.5M8 12h5" />
    </>
  ),
  diagram: (
    <>
      <rect x="1.8" y="2.5" width="5" height="4.2" rx="1" />
      <rect x="9.2" y="9.3" width="5" height="4.2" rx="1" />
      <path d="M4.3 6.7v3.2c0 .8.6 1.4 1.4 1.4h3.5" />
    </>
  ),
  tree: (
    <>
      <rect x="2" y="2.5" width="5" height="3.5" rx="1" />
      <rect x="9" y="6.3" width="5" height="3.4" rx="1" />
      <rect x="9" y="11" width="5" height="3" rx="1" />
      <path d="M4.5 6v5.3a1 1 0 0 0 1 1H9M4.5 8H9" />
    </>
  ),
  play: (
    <>
      <path d="M5 3.2v9.6l7.5-4.8z" />
    </>
  ),
  stop: (
    <>
      <rect x="4" y="4" width="8" height="8" rx="1" />
    </>
  ),
  clock: (
    <>
      <circle cx="8" cy="8" r="5.5" />
      <path d="M8 5v3.2l2 1.3" />
    </>
  ),
  star: (
    <>
      <path d="m8 2.5 1.7 3.5 3.8.5-2.8 2.6.7 3.8L8 11.1l-3.4 1.8.7-3.8L2.5 6.5l3.8-.5z" />
    </>
  ),
  user: (
    <>
      <circle cx="8" cy="5.5" r="2.7" />
      <path d="M2.8 13.5c.6-2.6 2.7-3.9 5.2-3.9s4.6 1.3 5.2 3.9" />
    </>
  ),
  file: (
    <>
      <path d="M4 2.5h5l3.5 3.5v7a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1v-9.5a1 1 0 0 1 1-1zM9 2.5V6h3.5" />
    </>
  ),
  expand: (
    <>
      <path d="M9.5 2.5h4v4M6.5 13.5h-4v-4M13.5 2.5 9 7M2.5 13.5 7 9" />
    </>
  ),
  focus: (
    <>
      <circle cx="8" cy="8" r="2.2" />
      <path d="M2.5 5.5v-2a1 1 0 0 1 1-1h2M10.5 2.5h2a1 1 0 0 1 1 1v2M13.5 10.5v2a1 1 0 0 1-1 1h-2M5.5 13.5h-2a1 1 0 0 1-1-1v-2" />
    </>
  ),
  shuffle: (
    <>
      <path d="M2.5 4.5h2.5l6 7h2.5M2.5 11.5H5l1.5-1.8M9.2 6.5 11 4.5h2.5M12 3l1.5 1.5L12 6M12 10l1.5 1.5L12 13" />
    </>
  ),
  panel: (
    <>
      <rect x="2" y="3" width="12" height="10" rx="1.5" />
      <path d="M9.5 3v10" />
    </>
  ),
  menu: (
    <>
      <path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11" />
    </>
  ),
  more: (
    <>
      <path d="M3.5 8h.01M8 8h.01M12.5 8h.01" strokeWidth="2" />
    </>
  ),
  keyboard: (
    <>
      <rect x="1.5" y="4" width="13" height="8.5" rx="1.5" />
      <path d="M4 7h.01M6.7 7h.01M9.3 7h.01M12 7h.01M5 10h6" />
    </>
  ),
  gear: (
    <>
      <circle cx="8" cy="8" r="2" />
      <path d="M8 2v1.7M8 12.3V14M2 8h1.7M12.3 8H14M3.8 3.8 5 5M11 11l1.2 1.2M12.2 3.8 11 5M5 11l-1.2 1.2" />
    </>
  ),
  sun: (
    <>
      <circle cx="8" cy="8" r="2.6" />
      <path d="M8 1.8v1.4M8 12.8v1.4M1.8 8h1.4M12.8 8h1.4M3.6 3.6l1 1M11.4 11.4l1 1M12.4 3.6l-1 1M4.6 11.4l-1 1" />
    </>
  ),
  hash: (
    <>
      <path d="M6.3 3 5 13M11 3 9.7 13M3 6.2h10.5M2.5 9.8H13" />
    </>
  ),
  text: (
    <>
      <path d="M3.5 4.5v-1h9v1M8 3.5v9M6.5 12.5h3" />
    </>
  ),
  bool: (
    <>
      <rect x="2" y="5" width="12" height="6" rx="3" />
      <circle cx="11" cy="8" r="1.3" />
    </>
  ),
  calendar: (
    <>
      <rect x="2.5" y="3.5" width="11" height="10" rx="1.5" />
      <path d="M2.5 6.8h11M5.5 2v2.5M10.5 2v2.5" />
    </>
  ),
  json: (
    <>
      <path d="M6 3c-1.5 0-2 .6-2 1.8v1.5C4 7.3 3.3 8 2.5 8c.8 0 1.5.7 1.5 1.7v1.5C4 12.4 4.5 13 6 13M10 3c1.5 0 2 .6 2 1.8v1.5c0 1 .7 1.7 1.5 1.7-.8 0-1.5.7-1.5 1.7v1.5c0 1.2-.5 1.8-2 1.8" />
    </>
  ),
  image: (
    <>
      <rect x="2.5" y="3" width="11" height="10" rx="1.5" />
      <circle cx="6" cy="6.5" r="1" />
      <path d="m3 11.5 3.2-2.7 2.3 1.9 2-1.6 3 2.4" />
    </>
  ),
  list: (
    <>
      <path d="M6 4.5h7.5M6 8h7.5M6 11.5h7.5M3 4.5h.01M3 8h.01M3 11.5h.01" />
    </>
  ),
  go: (
    <>
      <path d="M2 6.5h3M1.5 9.5H4" />
      <circle cx="8" cy="8" r="2.5" />
      <circle cx="12.5" cy="8" r="1.8" />
    </>
  ),
  info: (
    <>
      <circle cx="8" cy="8" r="5.7" />
      <path d="M8 7.3v3.4M8 5.2h.01" />
    </>
  ),
  warning: (
    <>
      <path d="M8 2.8 14 13H2zM8 6.8v2.7M8 11.3h.01" />
    </>
  ),
  error: (
    <>
      <circle cx="8" cy="8" r="5.7" />
      <path d="M8 5v3.5M8 10.7h.01" />
    </>
  ),
  done: (
    <>
      <circle cx="8" cy="8" r="5.7" />
      <path d="m5.5 8.2 1.8 1.8 3.3-3.7" />
    </>
  ),
} as const satisfies Record<string, JSX.Element>;

export type IconName = keyof typeof shapes;

interface IconProps {
  readonly name: IconName;
  /** 14 and 12 pixels instead of 16. */
  readonly size?: 's' | 'xs';
  readonly className?: string;
}

/** Decoration: what it means is said in words beside it, or by the label of its button. */
export function Icon({ name, size, className = '' }: IconProps): JSX.Element {
  return (
    <svg className={`i ${size ?? ''} ${className}`} viewBox="0 0 16 16" aria-hidden="true">
      {shapes[name]}
    </svg>
  );
}

export function Mark(): JSX.Element {
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
