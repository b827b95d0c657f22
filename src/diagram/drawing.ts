/**
 * A diagram as plain data: where every mark is, but not how a format spells it. The same drawing
 * becomes SVG, PNG and PDF in either theme; units are CSS pixels from the top left corner.
 */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** What it is a drawing of, for readers that do not see it. */
  readonly title: string;
  readonly shapes: readonly Shape[];
}

export type Shape = Group | Box | Line | Label;

/** Shapes that are one thing: a table, a column, a relation. */
export interface Group {
  readonly kind: 'group';
  /** Told when it is pointed at. */
  readonly title?: string;
  /** The table that it draws, by `Table.name`. */
  readonly table?: string;
  readonly shapes: readonly Shape[];
}

export interface Box {
  readonly kind: 'box';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly radius?: number;
  readonly fill?: Ink;
  readonly stroke?: Ink;
  readonly dashed?: boolean;
}

/** `path` is of the commands M, L, H, V, Q, C, A and Z, absolute. */
export interface Line {
  readonly kind: 'line';
  readonly path: string;
  readonly stroke?: Ink;
  readonly width?: number;
  readonly fill?: Ink;
  readonly dashed?: boolean;
}

/** One line of text; `y` is its baseline. */
export interface Label extends TextStyle {
  readonly kind: 'label';
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly ink: Ink;
  /** Where `x` is of the text; its start when absent. */
  readonly anchor?: 'end';
}

export interface TextStyle {
  readonly face: Face;
  /** In pixels. */
  readonly size: number;
}

export type Face = 'text' | 'bold' | 'mono';

/** Colours by what they are for; a theme says which they are. */
export type Ink =
  | 'canvas'
  | 'surface'
  | 'border'
  | 'rule'
  | 'edge'
  | 'text'
  | 'muted'
  | 'faint'
  | 'key'
  | Tone;

/** Colours that tell namespaces apart: of lines and words, and paler ones of areas. */
export type Tone = `tone-${ToneNumber}` | `tint-${ToneNumber}` | `wash-${ToneNumber}`;
export type ToneNumber = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;
