/** Rows of a script, gathered by table and columns over as many statements as follow one another. */
import { StudioError } from '../../model/errors.ts';
import { createRowCollector } from '../row-collector.ts';
import type { RowChunk } from '../../model/load.ts';
import type { Column } from '../../model/schema.ts';
import type { Value } from '../../model/values.ts';
import type { RowCollector } from '../row-collector.ts';
import type { ImportContext, ColumnMapping } from '../row-import.ts';

/** Where a statement's rows go. */
export interface StatementHead {
  readonly parts: readonly string[];
  /** Schemas that a name without one is looked up in; undefined: those of the database. */
  readonly path?: readonly string[];
  /** Undefined: all columns of the table. */
  readonly columns: readonly string[] | undefined;
}

/** A field as the statement has it, and what makes a value of it. */
export interface FieldReader<Field> {
  /** Whether the column is to get its default. */
  isDefault(field: Field): boolean;
  readerOf(column: Column): (field: Field) => Value;
}

interface FieldsOfRow<Field> {
  readonly fields: readonly Field[];
  readonly line: number;
  readonly size: number;
}

export interface RowGroup<Field> {
  readonly key: string;
  readonly target: ColumnMapping;
  add(row: FieldsOfRow<Field>): void;
  take(all?: boolean): RowChunk | undefined;
}

export function keyOf({ parts, columns }: StatementHead): string {
  return JSON.stringify([parts, columns]);
}

interface Group<Field> {
  readonly reading: ImportContext;
  readonly target: ColumnMapping;
  readonly numbers: Map<string, number>;
  readonly readers: readonly (((field: Field) => Value) | undefined)[];
  readonly isDefault: (field: Field) => boolean;
  /** The statement names no columns. */
  readonly isPositional: boolean;
}

/** `numbers` counts the rows of each table over the whole script. */
export function openGroup<Field>(
  head: StatementHead,
  { reading, numbers }: { readonly reading: ImportContext; readonly numbers: Map<string, number> },
  fields: FieldReader<Field>,
): RowGroup<Field> {
  const { parts, path, columns } = head;
  const table = path === undefined ? { parts } : { parts, path };
  const target = reading.mapColumns({ table, columns });
  const readers = target.columns.map((column) => column && fields.readerOf(column));
  const group: Group<Field> = {
    reading,
    target,
    numbers,
    readers,
    isDefault: fields.isDefault,
    isPositional: head.columns === undefined,
  };
  const batches = collectByDefaults(group);
  return {
    key: keyOf(head),
    target,
    add: (row) => addRow(group, batches, row),
    take: batches.take,
  };
}

interface Batches<Field> {
  /** The collector for rows that leave the same columns to their defaults. */
  of(fields: readonly (Field | undefined)[]): RowCollector;
  take(this: void, all?: boolean): RowChunk | undefined;
}

function collectByDefaults<Field>({ target, isDefault }: Group<Field>): Batches<Field> {
  let pattern: string | undefined;
  let collector: RowCollector | undefined;
  let done: RowChunk | undefined;
  return {
    of: (fields) => {
      const wanted = fields
        .map((field) => (field === undefined || isDefault(field) ? 'd' : '-'))
        .join('');
      if (collector === undefined || wanted !== pattern) {
        done = collector?.take(true);
        pattern = wanted;
        const columns = target.columns.filter((_, i) => wanted[i] === '-');
        collector = createRowCollector(
          target.table,
          columns.filter((column) => column !== undefined),
        );
      }
      return collector;
    },
    take: (all) => {
      const chunk = done ?? collector?.take(all);
      done = undefined;
      return chunk;
    },
  };
}

function addRow<Field>(
  group: Group<Field>,
  batches: Batches<Field>,
  { fields: told, line, size }: FieldsOfRow<Field>,
): void {
  const { reading, target, numbers } = group;
  const fields = atTheirColumns(group, told);
  const table = target.table.name;
  const number = (numbers.get(table) ?? 0) + 1;
  numbers.set(table, number);
  const place = { table, row: number, line };
  for (const flaw of target.errors) reading.report({ ...flaw, ...place });
  if (fields.length !== target.columns.length) {
    const message = `The row has ${fields.length} values for ${target.columns.length} columns.`;
    reading.report({ code: 'parse_failed', message, ...place });
    return;
  }
  const values = target.errors.length === 0 ? readFields(group, fields, place) : undefined;
  if (values !== undefined) batches.of(fields).add({ row: values, number, line, size });
}

/** Where columns are not named, those that the database generates may be left out. */
function atTheirColumns<Field>(
  { target: { columns }, isPositional }: Group<Field>,
  fields: readonly Field[],
): readonly (Field | undefined)[] {
  if (!isPositional || fields.length === columns.length) return fields;
  const taken = columns.filter((column) => column !== undefined);
  if (fields.length !== taken.length) return fields;
  let next = 0;
  return columns.map((column) => (column === undefined ? undefined : fields[next++]));
}

function readFields<Field>(
  { readers, target, reading, isDefault }: Group<Field>,
  fields: readonly (Field | undefined)[],
  place: { readonly table: string; readonly row: number; readonly line: number },
): Value[] | undefined {
  const values: Value[] = [];
  let isWhole = true;
  for (const [i, field] of fields.entries()) {
    const read = readers[i];
    if (read === undefined || field === undefined || isDefault(field)) continue;
    try {
      values.push(read(field));
    } catch (error) {
      if (!(error instanceof StudioError)) throw error;
      isWhole = false;
      const { code, message } = error;
      reading.report({ code, message, ...place, column: target.columns[i]?.name ?? '' });
    }
  }
  return isWhole ? values : undefined;
}
