import type { Theme } from '../../portable/drawing/palette.ts';
import type { ShownColumns } from '../../diagram/table-box.ts';

/** `layout` is JSON with the coordinates of everything in the diagram. */
export type DiagramFormat = 'svg' | 'png' | 'pdf' | 'layout';

export interface DiagramInput {
  readonly format: DiagramFormat;
  /** Only these tables and views. All when absent or empty. */
  readonly tables?: readonly string[] | undefined;
  readonly columns?: ShownColumns | undefined;
  /** Positions of tables, as in `readPositions`; the others are laid out. */
  readonly positions?: string | undefined;
  /** Of these tables, those that are laid out but not drawn. */
  readonly hidden?: readonly string[] | undefined;
  readonly theme?: Theme | undefined;
  /** The date in the diagram's caption, such as `2026-11-21`. Today when absent. */
  readonly date?: string | undefined;
}
