import type { Theme } from '../../diagram/palette.ts';
import type { ShownColumns } from '../../diagram/table-box.ts';

/** `layout` is JSON that says where everything of the picture is. */
export type DiagramFormat = 'svg' | 'png' | 'pdf' | 'layout';

export interface DiagramInput {
  readonly format: DiagramFormat;
  /** Only these tables and views; all when absent or empty. */
  readonly tables?: readonly string[] | undefined;
  readonly columns?: ShownColumns | undefined;
  readonly theme?: Theme | undefined;
  /** `2026-11-21`, as the diagram says it; today when absent. */
  readonly date?: string | undefined;
}
