/** Collects rows of consecutive statements that have the same table and columns. */
import { StudioError } from '../../../model/errors.ts';
import { rejectedText } from '../../../model/values/rejected-value.ts';
import { createRowCollector } from '../../row-collector.ts';
import { reportFurtherErrors } from '../../report-further-errors.ts';
import type { RowChunk, RowError } from '../../../model/load.ts';
import type { Column } from '../../../model/schema.ts';
import type { Value } from '../../../model/values.ts';
import type { RowCollector } from '../../row-collector.ts';
import type { ImportContext, ColumnMapping, PartitionReference } from '../../row-import.ts';

/** The table and columns of a statement's rows. */
export interface StatementHead {
  /** The parts of the table's qualified name. */
  readonly parts: readonly string[];
  /** Search path for a name without a schema; undefined: that of the database. */
  readonly path?: readonly string[];
  readonly partition?: PartitionReference;
  /** Undefined: all columns of the table. */
  readonly columns: readonly string[] | undefined;
}

/** Converts the fields of a statement to values. */
export interface FieldReader<Field> {
  /** Whether the field stands for the default of its column. */
  isDefault(field: Field, column: Column | undefined, firstNumber: bigint | undefined): boolean;
  /** With the first number of a numbered column, if the reader numbers the rows. */
  readerOf(column: Column, firstNumber: bigint | undefined): (field: Field) => Value;
  /** Stands for the next number of a numbered column; undefined if the database numbers the rows. */
  readonly nextNumber?: Field | undefined;
  /** A statement without a column list has no value for the numbered column. */
  readonly omitsNumberedColumn?: boolean | undefined;
  /** A statement without a column list may have fewer values than columns. The others get their defaults. */
  readonly allowsFewerValues?: boolean | undefined;
  /** The field of a column that is not in the column list; undefined if the default of the column applies. */
  readonly implicitField?: (column: Column) => Field | undefined;
  /** What an error shows of a field; undefined for expressions. */
  shownText(field: Field): string | null | undefined;
}

export interface FieldsOfRow<Field> {
  readonly fields: readonly Field[];
  readonly line: number;
  /** Approximate size in the file, in bytes. */
  readonly size: number;
}

export interface RowGroup<Field> {
  readonly key: string;
  readonly target: ColumnMapping;
  add(row: FieldsOfRow<Field>): void;
  /** A batch if enough rows are collected; with `flush`, whatever rows there are. */
  take(flush?: boolean): RowChunk | undefined;
}

export function keyOf({ parts, columns }: StatementHead): string {
  return JSON.stringify([parts, columns]);
}

interface Group<Field> {
  readonly context: ImportContext;
  readonly target: ColumnMapping;
  readonly numbers: Map<string, number>;
  readonly readers: readonly (((field: Field) => Value) | undefined)[];
  readonly isDefault: (field: Field, column: Column | undefined) => boolean;
  readonly shownText: FieldReader<Field>['shownText'];
  /** The fields of the last columns, which the statement leaves out. */
  readonly addedFields: readonly Field[];
  /** The statement has no column list. */
  readonly isPositional: boolean;
  readonly allowsFewerValues: boolean;
}

/** `numbers` counts the rows of each table in the whole script. */
export function openGroup<Field>(
  head: StatementHead,
  { context, numbers }: { readonly context: ImportContext; readonly numbers: Map<string, number> },
  fields: FieldReader<Field>,
): RowGroup<Field> {
  const { parts, path, partition, columns } = head;
  const table = { parts, ...(path && { path }), ...(partition && { partition }) };
  const { nextNumber, omitsNumberedColumn = false } = fields;
  const all = context.mapColumns({ table, columns });
  const mapped = omitsNumberedColumn && columns === undefined ? withoutNumberedColumn(all) : all;
  const firstNumber = nextNumber === undefined ? undefined : mapped.firstNumber;
  const numbered = firstNumber === undefined ? mapped : withNumberedColumn(mapped);
  const implicit = columns === undefined ? [] : implicitColumns(numbered, fields);
  const added = implicit.map(({ column }) => column);
  const target = { ...numbered, columns: [...numbered.columns, ...added] };
  const readers = target.columns.map((column) => column && fields.readerOf(column, firstNumber));
  const group: Group<Field> = {
    context,
    target,
    numbers,
    readers,
    isDefault: (field, column) => fields.isDefault(field, column, firstNumber),
    shownText: fields.shownText,
    addedFields: [
      ...(numbered === mapped || nextNumber === undefined ? [] : [nextNumber]),
      ...implicit.map(({ field }) => field),
    ],
    isPositional: head.columns === undefined,
    allowsFewerValues: fields.allowsFewerValues === true,
  };
  const batches = createBatchCollector(group);
  return {
    key: keyOf(head),
    target,
    add: (row) => addRow(group, batches, row),
    take: batches.take,
  };
}

function withoutNumberedColumn(mapping: ColumnMapping): ColumnMapping {
  const columns = mapping.columns.filter((column) => column?.autoIncrement !== true);
  return { ...mapping, columns };
}

/** Adds the numbered column to those of a statement that leaves it out. */
function withNumberedColumn(mapping: ColumnMapping): ColumnMapping {
  const column = mapping.table.columns.find(({ autoIncrement }) => autoIncrement === true);
  if (column === undefined || mapping.columns.includes(column)) return mapping;
  return { ...mapping, columns: [...mapping.columns, column] };
}

/** The columns that the statement leaves out, although they have neither a default nor NULL. */
function implicitColumns<Field>(
  { table, columns }: ColumnMapping,
  { implicitField }: FieldReader<Field>,
): readonly { readonly column: Column; readonly field: Field }[] {
  return table.columns
    .filter((column) => !columns.includes(column))
    .flatMap((column) => {
      const field = implicitField?.(column);
      return field === undefined ? [] : [{ column, field }];
    });
}

interface BatchCollector<Field> {
  /** The collector for rows with DEFAULT in the same columns. */
  collectorFor(fields: readonly (Field | undefined)[]): RowCollector;
  take(this: void, flush?: boolean): RowChunk | undefined;
}

function createBatchCollector<Field>({ target, isDefault }: Group<Field>): BatchCollector<Field> {
  let pattern: string | undefined;
  let collector: RowCollector | undefined;
  let finished: RowChunk | undefined;
  return {
    collectorFor: (fields) => {
      const defaultPattern = fields
        .map((field, i) => (field === undefined || isDefault(field, target.columns[i]) ? 'd' : '-'))
        .join('');
      if (collector === undefined || defaultPattern !== pattern) {
        finished = collector?.take(true);
        pattern = defaultPattern;
        const columns = target.columns.filter((_, i) => defaultPattern[i] === '-');
        collector = createRowCollector(
          target.table,
          columns.filter((column) => column !== undefined),
        );
      }
      return collector;
    },
    take: (flush) => {
      const batch = finished ?? collector?.take(flush);
      finished = undefined;
      return batch;
    },
  };
}

function addRow<Field>(
  group: Group<Field>,
  batches: BatchCollector<Field>,
  { fields: rowFields, line, size }: FieldsOfRow<Field>,
): void {
  const { context, target, numbers } = group;
  const fields = alignWithColumns(group, rowFields);
  const table = target.table.name;
  const number = (numbers.get(table) ?? 0) + 1;
  numbers.set(table, number);
  const position = { table, row: number, line };
  context.beginRow?.({ line });
  for (const columnError of target.errors) context.report({ ...columnError, ...position });
  if (fields.length !== target.columns.length) {
    const message = `The row has ${fields.length} values for ${target.columns.length} columns.`;
    context.report({ code: 'parse_failed', message, ...position });
    return;
  }
  const values = target.errors.length === 0 ? readFields(group, fields, position) : undefined;
  if (values !== undefined) batches.collectorFor(fields).add({ row: values, number, line, size });
}

/** Without a column list, values of generated columns may be missing, and those of the last columns in PostgreSQL. */
function alignWithColumns<Field>(
  { target: { columns }, isPositional, addedFields, allowsFewerValues }: Group<Field>,
  fields: readonly Field[],
): readonly (Field | undefined)[] {
  if (addedFields.length > 0 && fields.length === columns.length - addedFields.length)
    return [...fields, ...addedFields];
  if (!isPositional || fields.length === columns.length) return fields;
  const insertedColumns = columns.filter((column) => column !== undefined);
  const isFewer = allowsFewerValues && fields.length < insertedColumns.length;
  if (isFewer) return columns.map((_, i) => fields[i]);
  const hasAll = fields.length === insertedColumns.length;
  const isGiven = (column: Column | undefined): boolean =>
    column !== undefined && (hasAll || column.generatedInFile !== true);
  if (fields.length !== columns.filter(isGiven).length) return fields;
  let next = 0;
  return columns.map((column) => (isGiven(column) ? fields[next++] : undefined));
}

function readFields<Field>(
  { readers, target, context, isDefault, shownText }: Group<Field>,
  fields: readonly (Field | undefined)[],
  position: { readonly table: string; readonly row: number; readonly line: number },
): Value[] | undefined {
  const values: Value[] = [];
  let invalid: Set<number> | undefined;
  for (const [i, field] of fields.entries()) {
    const read = readers[i];
    if (read === undefined || field === undefined || isDefault(field, target.columns[i])) continue;
    try {
      values.push(read(field));
    } catch (error) {
      if (!(error instanceof StudioError)) throw error;
      invalid = (invalid ?? new Set()).add(values.push(null) - 1);
      const { code, message } = error;
      const column = target.columns[i]?.name ?? '';
      context.report({ code, message, ...position, column, ...valueMember(shownText, field) });
    }
  }
  if (invalid === undefined) return values;
  const columns = target.columns.filter((column, i) => {
    const field = fields[i];
    return readers[i] !== undefined && field !== undefined && !isDefault(field, column);
  });
  const { table } = target;
  reportFurtherErrors(context, { table, columns }, { row: values, invalid, position });
  return undefined;
}

function valueMember<Field>(
  shownText: FieldReader<Field>['shownText'],
  field: Field,
): Pick<RowError, 'value'> {
  const text = shownTextOf(shownText, field);
  if (text === undefined) return {};
  return { value: text === null ? null : rejectedText(text) };
}

/** The error may be that the text cannot be decoded. */
function shownTextOf<Field>(
  shownText: FieldReader<Field>['shownText'],
  field: Field,
): string | null | undefined {
  try {
    return shownText(field);
  } catch (error) {
    if (error instanceof StudioError) return undefined;
    throw error;
  }
}
