/**
 * A drawing as plain data, independent of output format and theme. The same drawing is rendered as
 * SVG, PNG and PDF. Coordinates are CSS pixels from the top left corner.
 */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** The accessible name of the drawing. */
  readonly title: string;
  readonly shapes: readonly Shape[];
}

export type Shape = Group | Box | Line | Label;

/** The shapes of one object: a table, a column or a relation. */
export interface Group {
  readonly kind: 'group';
  /** The tooltip. */
  readonly title?: string;
  /** The `Table.name` of the table that the group draws. */
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
  readonly fill?: ColorRole;
  readonly stroke?: ColorRole;
  readonly dashed?: boolean;
}

/** `path` is SVG path data with the absolute commands M, L, H, V, Q, C, A and Z only. */
export interface Line {
  readonly kind: 'line';
  readonly path: string;
  readonly stroke?: ColorRole;
  readonly width?: number;
  readonly fill?: ColorRole;
  readonly dashed?: boolean;
}

/** One line of text; `y` is its baseline. */
export interface Label extends TextStyle {
  readonly kind: 'label';
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly ink: ColorRole;
  /** `x` is the start of the text unless this says that it is the end. */
  readonly anchor?: 'end';
}

export interface TextStyle {
  readonly face: Face;
  /** In pixels. */
  readonly size: number;
}

export type Face = 'text' | 'bold' | 'mono';

/** Color roles. The theme maps them to colors. */
export type ColorRole =
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

/** Colors that distinguish namespaces: `tone` for lines and text, `tint` and `wash` for areas. */
export type Tone = `tone-${ToneNumber}` | `tint-${ToneNumber}` | `wash-${ToneNumber}`;
export type ToneNumber = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;

export interface Point {
  readonly x: number;
  readonly y: number;
}
