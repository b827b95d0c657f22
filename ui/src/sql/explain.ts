import { presentationOf } from '../../../src/databases/presentations.ts';

/** The statement that returns the plan of another one. Undefined if the database has none. */
export function explainStatement(driver: string | undefined, statement: string) {
  const prefix = presentationOf(driver)?.explainPrefix;
  return prefix === undefined ? undefined : `${prefix}${statement}`;
}

export const noPlanReason = 'This database shows plans only with a connection setting.';

/** A line of a plan, and its depth in the tree. */
export interface PlanLine {
  readonly depth: number;
  readonly text: string;
}

type Rows = readonly Readonly<Record<string, unknown>>[];

/** The lines of a plan, from a text column or from rows with parent ids. Undefined for a result in another format. */
export function planLines(columns: readonly string[], rows: Rows): readonly PlanLine[] | undefined {
  const [only] = columns;
  if (columns.length === 1 && only !== undefined) return textLines(rows.map((row) => row[only]));
  if (['id', 'parent', 'detail'].every((name) => columns.includes(name))) return treeLines(rows);
  return undefined;
}

function textLines(texts: readonly unknown[]): readonly PlanLine[] {
  return texts
    .flatMap((text) => String(text).split('\n'))
    .map((line) => ({ depth: /^ */.exec(line)?.[0].length ?? 0, text: line.trimStart() }))
    .map(({ depth, text }) => ({ depth: depth / 2, text }));
}

function treeLines(rows: Rows): readonly PlanLine[] {
  const depths = new Map<string, number>();
  return rows.map((row) => {
    const depth = (depths.get(String(row['parent'])) ?? -1) + 1;
    depths.set(String(row['id']), depth);
    return { depth, text: String(row['detail']) };
  });
}
