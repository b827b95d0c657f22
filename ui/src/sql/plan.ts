import type { Cell } from '../../../src/contract/client/client.ts';
import { cellText } from '../cells/value-kind.ts';
import { sqlTexts as texts } from '../texts/sql.ts';

/** A step of a query plan, and its depth in the tree. */
export interface PlanStep {
  readonly depth: number;
  readonly title: string;
  /** Conditions and other details of the step. */
  readonly details: readonly string[];
  /** The planner's estimate of the cost of the step and the steps below it, in units of the database. */
  readonly cost?: number;
  /** The planner's estimate of the rows that the step returns. */
  readonly rows?: number;
  /** Reads a table from its first row to its last. */
  readonly isFullScan: boolean;
}

export interface Plan {
  readonly steps: readonly PlanStep[];
  /** The plan as the database writes it. */
  readonly text: string;
}

type Rows = readonly Readonly<Record<string, Cell>>[];

/** The plan in the result of EXPLAIN. Undefined for a result in another format. */
export function readPlan(columns: readonly string[], rows: Rows): Plan | undefined {
  const [only] = columns;
  const has = (...names: readonly string[]): boolean =>
    names.every((name) => columns.includes(name));
  if (columns.length === 1 && only !== undefined)
    return textPlan(rows.map((row) => row[only] ?? null));
  if (has('id', 'parent', 'detail')) return nestedPlan(rows);
  if (has('select_type', 'table', 'type', 'key', 'rows')) return tablePlan(columns, rows);
  return undefined;
}

/** PostgreSQL's and MySQL's indented text: steps begin with an arrow, other lines are details. */
function textPlan(values: readonly Cell[]): Plan {
  const lines = values
    .flatMap((value) => cellText(value).split('\n'))
    .filter((line) => line.trim());
  const steps: { depth: number; indent: number; line: string; details: string[] }[] = [];
  for (const line of lines) {
    const [, indentation = '', arrow = '', rest = ''] = /^( *)(-> *)?(.*)$/.exec(line) ?? [];
    const indent = indentation.length;
    if (steps.length > 0 && arrow === '') {
      steps.at(-1)?.details.push(rest);
      continue;
    }
    const parent = steps.findLast((step) => step.indent < indent);
    steps.push({
      depth: parent === undefined ? 0 : parent.depth + 1,
      indent,
      line: rest,
      details: [],
    });
  }
  return {
    steps: steps.map(({ depth, line, details }) => ({ ...stepOf(line), depth, details })),
    text: lines.join('\n'),
  };
}

function stepOf(line: string): Omit<PlanStep, 'depth' | 'details'> {
  const title = line.replace(/ *\((?:cost|actual)[^)]*\)/g, '');
  const cost = /\(cost=(?:[\d.]+\.\.)?([\d.e+]+)/i.exec(line)?.[1];
  const rows = /\(cost=[^)]*rows=([\d.e+]+)/i.exec(line)?.[1];
  return {
    title,
    isFullScan: /^(?:Parallel )?Seq Scan|^Table scan/.test(title),
    ...(cost !== undefined && { cost: Number(cost) }),
    ...(rows !== undefined && { rows: Number(rows) }),
  };
}

/** SQLite's EXPLAIN QUERY PLAN. It has no costs. */
function nestedPlan(rows: Rows): Plan {
  const depths = new Map<string, number>();
  const steps = rows.map((row): PlanStep => {
    const depth = (depths.get(textIn(row, 'parent')) ?? -1) + 1;
    depths.set(textIn(row, 'id'), depth);
    const title = textIn(row, 'detail');
    return { depth, title, details: [], isFullScan: /^SCAN (?!.*USING)/.test(title) };
  });
  const text = steps.map(({ depth, title }) => `${'  '.repeat(depth)}${title}`).join('\n');
  return { steps, text };
}

/** The table of MySQL and MariaDB. It has no tree: the tables are read in the order of the rows. */
function tablePlan(columns: readonly string[], rows: Rows): Plan {
  const steps = rows.map((row): PlanStep => {
    const [kind = '', table, type, key = '', extra = '', count = ''] = shownColumns.map((name) =>
      textIn(row, name),
    );
    const access = [table, type, key === '' ? '' : texts.byKey({ key })].filter(Boolean).join(' ');
    return {
      depth: 0,
      title: access === '' ? kind : texts.stepOf({ kind, access }),
      details: extra === '' ? [] : [extra],
      isFullScan: type === 'ALL',
      ...(count !== '' && { rows: Number(count) }),
    };
  });
  const lines = rows.map((row) => columns.map((name) => textIn(row, name)).join(' | '));
  return { steps, text: [columns.join(' | '), ...lines].join('\n') };
}

const shownColumns = ['select_type', 'table', 'type', 'key', 'Extra', 'rows'];

function textIn(row: Rows[number], name: string): string {
  const value = row[name] ?? null;
  return value === null ? '' : cellText(value);
}
