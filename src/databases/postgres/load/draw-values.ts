/**
 * Draws the values of numbered columns before their rows are inserted, one for each row. A row that is
 * tried again keeps its value, as if each row were one INSERT, and a rollback can set the sequence back
 * because the number of values is known.
 */
import { postgresDdl } from '../dialect/ddl.ts';
import { RowsFailure } from '../../../model/load-dialect.ts';
import type { Session } from '../../../model/database.ts';
import type { InsertBatch } from '../../../model/load-dialect.ts';
import type { Column, Table } from '../../../model/schema.ts';
import type { Row, Value } from '../../../model/values.ts';

export interface DrawnValues {
  /** The batch with values in its numbered columns. */
  fill(batch: InsertBatch): Promise<InsertBatch>;
  /** Whether `fill` may return other rows: true also if it is not known yet. */
  mayFill(batch: InsertBatch): boolean;
  /** The number of values drawn from a sequence, by its oid. */
  count(this: void, sequence: string): number;
}

interface NumberedColumn {
  readonly column: Column;
  /** The oid of the sequence. */
  readonly sequence: string;
  /** An expression that draws the next value. */
  readonly next: string;
}

interface FilledColumns {
  readonly numbered: readonly NumberedColumn[];
  /** Cached, because the texts of statements are cached by the list of columns. */
  readonly columns: readonly Column[];
}

export function createDrawnValues(session: Session): DrawnValues {
  const counts = new Map<string, number>();
  const targets = new WeakMap<readonly Column[], FilledColumns>();
  const filled = new WeakMap<Row, Row>();
  const targetOf = async ({ table, columns }: InsertBatch): Promise<FilledColumns> => {
    const cached = targets.get(columns);
    if (cached !== undefined) return cached;
    const numbered = await numberedColumns(session, table, columns);
    const target = { numbered, columns: [...columns, ...numbered.map(({ column }) => column)] };
    targets.set(columns, target);
    return target;
  };
  return {
    fill: async (batch) => {
      const { numbered, columns } = await targetOf(batch);
      if (numbered.length === 0) return batch;
      const fresh = batch.rows.filter((row) => !filled.has(row));
      const values = await draw(session, numbered, fresh.length).catch((error: unknown) => {
        throw new RowsFailure(error, { first: 0, count: batch.rows.length });
      });
      for (const [i, row] of fresh.entries()) filled.set(row, [...row, ...(values[i] ?? [])]);
      for (const { sequence } of numbered)
        counts.set(sequence, (counts.get(sequence) ?? 0) + fresh.length);
      return { ...batch, columns, rows: batch.rows.map((row) => filled.get(row) ?? row) };
    },
    mayFill: ({ columns }) => targets.get(columns)?.numbered.length !== 0,
    count: (sequence) => counts.get(sequence) ?? 0,
  };
}

async function draw(
  session: Session,
  numbered: readonly NumberedColumn[],
  count: number,
): Promise<readonly (readonly Value[])[]> {
  if (count === 0) return [];
  const values = numbered.map(({ next }, i) => `${next} AS v${i}`).join(', ');
  // Not a bare SELECT: errors of a read are about its parameters, those of this statement about rows.
  const text = `WITH drawn AS MATERIALIZED (SELECT ${values} FROM generate_series(1, ${count})) SELECT * FROM drawn`;
  return (await session.run({ text, params: [] })).rows;
}

/** The numbered columns that the batch leaves out, as far as the role may draw and insert their values. */
async function numberedColumns(
  session: Session,
  table: Table,
  columns: readonly Column[],
): Promise<readonly NumberedColumn[]> {
  const found: NumberedColumn[] = [];
  for (const column of table.columns) {
    if (column.autoIncrement !== true || columns.some(({ name }) => name === column.name)) continue;
    const params = [postgresDdl.tableName(table), column.name];
    const { rows } = await session.run({ text: nextValueQuery, params });
    const [next, sequence] = rows[0] ?? [];
    if (typeof next === 'string') found.push({ column, next, sequence: String(sequence) });
  }
  return found;
}

/** A default may compute with the value of its sequence; the database then draws it. */
const nextValueQuery = `
SELECT 'pg_catalog.nextval(' || quote_literal(s.sequence::text) || '::regclass)', c.oid::text
FROM pg_catalog.pg_attribute a
LEFT JOIN pg_catalog.pg_attrdef v ON v.adrelid = a.attrelid AND v.adnum = a.attnum
JOIN pg_catalog.pg_depend d ON CASE WHEN a.attidentity = ''
  THEN d.classid = 'pg_catalog.pg_attrdef'::regclass AND d.objid = v.oid
    AND d.refclassid = 'pg_catalog.pg_class'::regclass
    AND pg_catalog.pg_get_expr(v.adbin, v.adrelid) ~ '^nextval\\(''(?:[^'']|'''')*''::regclass\\)$'
  ELSE d.refclassid = 'pg_catalog.pg_class'::regclass AND d.refobjid = a.attrelid
    AND d.refobjsubid = a.attnum AND d.deptype = 'i' END
CROSS JOIN LATERAL (
  SELECT CASE WHEN a.attidentity = '' THEN d.refobjid ELSE d.objid END::regclass AS sequence
) s
JOIN pg_catalog.pg_class c ON c.oid = s.sequence
WHERE a.attrelid = $1::regclass AND a.attname = $2
  -- CASE, because the function fails for other relations.
  AND CASE WHEN c.relkind = 'S' THEN pg_catalog.has_sequence_privilege(c.oid, 'USAGE') END
  AND pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'INSERT')`;
