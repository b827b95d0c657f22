/** Finds the tables and columns that a file names. Part of the third stage of a data import, `map-rows.ts`. */
import { StudioError } from '../../model/errors.ts';
import { didYouMean } from '../../model/nearest.ts';
import { mustBeComplete } from '../core/complete-structure.ts';
import { findTable } from '../core/find-table.ts';
import { maxRowErrors } from '../../model/row-errors.ts';
import { isScriptRowNumber } from './script-row-numbers.ts';
import { missingKeyColumns } from './missing-key-columns.ts';
import { createCutReferences } from './cut-references.ts';
import { distinctNames, unnamedAdvice } from '../../portable/files/distinct-names.ts';
import { isReasonColumn } from '../../portable/files/reason-column.ts';
import { createImportCounters } from './import-counters.ts';
import { isEqualIgnoringCase, qualifiedTable } from './qualified-table.ts';
import { missingTableError } from './import-options.ts';
import { mustBeWritable } from '../core/must-be-writable.ts';
import type { LoadCounter } from '../../model/counters.ts';
import type { Dialect } from '../../model/database.ts';
import type { Column, Schema, Table } from '../../model/schema.ts';
import type {
  ImportContext,
  TableReference,
  ColumnMapping,
  RowsHeader,
  Warning,
} from '../../formats/row-import.ts';
import type { CutReferences } from './cut-references.ts';
import type { ImportOptions } from './import-options.ts';
import type { FindPartition } from './database-partitions.ts';
import type { FileProblems } from './file-problems.ts';

export interface MappingTarget {
  readonly schema: Schema;
  readonly dialect: Dialect<'load'>;
  readonly findPartition: FindPartition;
}

/** Fails if the table that the request names cannot be written, or lacks a column of the mapping. */
export function createColumnMapper(
  target: MappingTarget,
  options: ImportOptions,
  problems: FileProblems,
): ColumnMapper {
  const { schema, dialect } = target;
  const counters = createImportCounters(schema, dialect, problems.warnOnce);
  const cutReferences = createCutReferences(dialect.ddl?.nameLimit, problems);
  const foundTables = new Set<Table>();
  const partitionWarning = createPartitionWarnings();
  const namespaces = new Map<Table, string>();
  const requested = options.table === undefined ? undefined : writableTable(schema, options.table);
  if (requested !== undefined) mappingMustMatch(requested, options);
  return {
    mapColumns: (heading) => {
      const {
        table,
        parts,
        isParent = false,
        columns,
      } = cutReferences.find(heading, (reference) => findTarget(target, reference, requested));
      foundTables.add(table);
      mustBeOneTable(table, parts, namespaces);
      if (isParent) problems.warn(partitionWarning(table, heading.table));
      const isScript = typeof heading.table === 'object';
      const isByPosition = heading.isNumbered === true && options.mapping.size === 0;
      const mapped = isByPosition
        ? columnsInOrder(table, columns?.length ?? 0)
        : columnsOf(table, columns, { options, problems, cutReferences, isScript });
      const missing = missingKeyColumns(table, mapped.columns, { options, problems });
      const errors = [...mapped.errors, ...missing];
      const isNew = options.ddl === 'applied';
      return {
        table,
        ...mapped,
        errors,
        storesBlankRows:
          !table.primaryKey && mapped.columns.every((each) => each?.nullable !== false),
        takesUnnamed: (number) => options.mapping.has(`column ${number}`),
        ...(isNew && { firstNumber: counters.nextOf(table) ?? 1n }),
      };
    },
    hasColumn: (name) =>
      requested !== undefined &&
      [name, cutReferences.columnName(name) ?? name].some(
        (each) => columnNamed(requested, each, options) !== undefined,
      ),
    setCounter: counters.set,
    counters: counters.all,
    report: problems.report,
    beginRow: problems.beginRow,
    warn: problems.warn,
    tables: foundTables,
  };
}

export interface ColumnMapper extends ImportContext {
  /** The tables that the file has named so far, with or without rows. */
  readonly tables: ReadonlySet<Table>;
  readonly counters: () => readonly LoadCounter[];
}

export function writableTable(schema: Schema, name: string): Table {
  const table = findTable(schema, name);
  mustBeImportable(table);
  return table;
}

/** Fails if the mapping names a missing column: that is an error of the request, not of the file. */
function mappingMustMatch(table: Table, { mapping }: ImportOptions): void {
  for (const name of mapping.values()) {
    if (name === undefined || exactColumn(table, name) !== undefined) continue;
    throw new StudioError(
      'unknown_column',
      `The mapping names a column that does not exist: ${unknownColumn(table, name)}`,
      {
        column: name,
      },
    );
  }
}

interface FileTarget {
  readonly table: Table;
  /** The name in the file, if it has several parts. */
  readonly parts?: readonly string[];
  /** The rows are those of a partition that the database does not have. */
  readonly isParent?: true;
  readonly columns: readonly string[] | undefined;
}

function findTarget(
  { schema, findPartition }: MappingTarget,
  { table: reference, columns }: RowsHeader,
  requested: Table | undefined,
): FileTarget {
  if (reference === undefined) {
    if (requested === undefined) throw missingTableError();
    return { table: requested, columns };
  }
  const target =
    typeof reference === 'string'
      ? { table: findTable(schema, reference), columns }
      : findQualified({ schema, findPartition }, reference, columns);
  const { table } = target;
  if (requested !== undefined && requested !== table) {
    throw new StudioError(
      'invalid_parameter',
      `The request says table "${requested.name}", the file holds rows of "${table.name}".`,
      { parameter: 'table' },
    );
  }
  mustBeImportable(table);
  return target;
}

function findQualified(
  { schema, findPartition }: Pick<MappingTarget, 'schema' | 'findPartition'>,
  reference: Exclude<TableReference, string>,
  columns: readonly string[] | undefined,
): FileTarget {
  const { parts, path, partition } = reference;
  const namedTable = qualifiedTable(schema, reference);
  if (namedTable !== undefined) return { table: namedTable, parts, columns };
  const partitionOfFile = findPartition(reference);
  if (partitionOfFile !== undefined)
    return { table: partitionOfFile.table, columns: columns ?? partitionOfFile.columns };
  for (const parent of partition?.parents ?? []) {
    const table = qualifiedTable(schema, {
      parts: parent,
      ...(parent.length === 1 && path && { path }),
    });
    if (table === undefined) continue;
    if (columns === undefined && partition?.columns === undefined) break;
    return { table, parts: parent, isParent: true, columns: columns ?? partition?.columns };
  }
  return { table: findTableOfRows(schema, parts.join('.')), parts, columns };
}

/** Like `findTable`, with a hint that the rows may be those of a partition which the database does not have. */
function findTableOfRows(schema: Schema, name: string): Table {
  try {
    return findTable(schema, name);
  } catch (error) {
    const isPartitioned = schema.tables.some(({ options }) => options?.['partition_by']);
    if (!(error instanceof StudioError) || !isPartitioned) throw error;
    throw new StudioError(
      error.code,
      `${error.message} If it is a partition, the file does not say of which table: dump the rows with --load-via-partition-root, or the structure too.`,
      error.details,
    );
  }
}

const maxPartitionNames = 3;

/** One warning for each partitioned table that receives the rows of partitions. */
function createPartitionWarnings(): (table: Table, reference: RowsHeader['table']) => Warning {
  const received = new Map<Table, { readonly names: Set<string>; readonly warning: Warning }>();
  return (table, reference) => {
    const names = received.get(table)?.names ?? new Set();
    names.add(typeof reference === 'object' ? reference.parts.join('.') : `${reference}`);
    const warning = received.get(table)?.warning ?? (() => partitionsText(table, names));
    received.set(table, { names, warning });
    return warning;
  };
}

function partitionsText({ name }: Table, names: ReadonlySet<string>): string {
  const first = [...names].slice(0, maxPartitionNames).join(', ');
  const others =
    names.size > maxPartitionNames ? ` and ${names.size - maxPartitionNames} more` : '';
  return `The rows of ${first}${others} were imported into "${name}": the file says that they are its partitions, and the database has no such tables.`;
}

/** An import needs the complete definition of a table, for example its sequences. */
function mustBeImportable(table: Table): void {
  mustBeWritable(table);
  mustBeComplete(table);
}

/** Rejects two tables of the file that differ only in namespaces which the database does not have. */
function mustBeOneTable(
  table: Table,
  parts: readonly string[] | undefined,
  namespaces: Map<Table, string>,
): void {
  const namespace = parts?.at(-2);
  if (namespace === undefined) return;
  const firstNamespace = namespaces.get(table) ?? namespace;
  namespaces.set(table, firstNamespace);
  if (isEqualIgnoringCase(firstNamespace, namespace)) return;
  const { localName, name } = table;
  throw new StudioError(
    'table_not_found',
    `There is no table "${namespace}.${localName}": "${name}" takes the rows of the file's "${firstNamespace}.${localName}".`,
  );
}

/** The columns of a file without names are those of the table in its order. */
function columnsInOrder(table: Table, count: number): Omit<ColumnMapping, 'table'> {
  const ownColumns = table.columns.filter(
    ({ isRowNumber, generated }) => isRowNumber !== true && generated === undefined,
  );
  if (ownColumns.length === count) return { columns: ownColumns, errors: [] };
  const message = `The file has ${count} columns without names, and the table ${ownColumns.length}. Set the parameter "mapping", for example to {"column 1":"${ownColumns[0]?.name ?? ''}"}.`;
  return { columns: ownColumns.slice(0, count), errors: [{ code: 'unknown_column', message }] };
}

interface ColumnsContext {
  readonly options: ImportOptions;
  readonly problems: FileProblems;
  readonly cutReferences: CutReferences;
  readonly isScript: boolean;
}

function columnsOf(
  table: Table,
  names: readonly string[] | undefined,
  context: ColumnsContext,
): Omit<ColumnMapping, 'table'> {
  const errors: ColumnMapping['errors'][number][] = [];
  const columns =
    names === undefined
      ? table.columns.filter((column) => column.isRowNumber !== true)
      : distinctNames(names).map((key, i) =>
          namedColumn(table, { name: names[i] ?? '', key, i }, { ...context, errors }),
        );
  errors.push(...repeatedColumns(columns, names ?? []));
  return {
    columns: columns.map((column) => withoutGenerated(table, column, context)),
    errors,
  };
}

interface ColumnContext extends ColumnsContext {
  readonly errors: ColumnMapping['errors'][number][];
}

interface FileColumn {
  readonly name: string;
  /** The name, made different from those of the columns before (`distinctNames`). */
  readonly key: string;
  readonly i: number;
}

function namedColumn(
  table: Table,
  { name, key, i }: FileColumn,
  context: ColumnContext,
): Column | undefined {
  const { options, errors } = context;
  const { mapping } = options;
  if (mapping.has(key) && mapping.get(key) === undefined) return undefined;
  const mappedName = mapping.has(key) ? key : name;
  // The mapping of a name that occurs twice is that of its first column.
  const ownMapping =
    mappedName === key ? options : { ...options, mapping: new Map<string, undefined>() };
  const column =
    columnNamed(table, mappedName, ownMapping) ?? cutColumn(table, mappedName, context);
  if (column !== undefined) return column;
  if (isReasonColumn(name) || isScriptRowNumber(table, name, context)) return undefined;
  const hasHints = errors.length < maxRowErrors;
  const message =
    name === ''
      ? `Column ${i + 1} of the file has no name. ${unnamedAdvice(i + 1)}`
      : unknownColumn(table, name, hasHints);
  errors.push({ code: 'unknown_column', message, column: name });
  return undefined;
}

/** Finds the column of a name that is too long for the database. */
function cutColumn(
  table: Table,
  name: string,
  { options, problems, cutReferences }: ColumnContext,
): Column | undefined {
  const short = options.mapping.has(name) ? undefined : cutReferences.columnName(name);
  const column = short === undefined ? undefined : columnNamed(table, short, options);
  if (column !== undefined)
    problems.warnOnce(
      `The values of ${name} were imported into column "${column.name}" of table "${table.name}", which is its name in the database.`,
    );
  return column;
}

/** Finding a suggestion compares the name with every column, so errors that are not shown have none. */
function unknownColumn(table: Table, name: string, hasHints = true): string {
  const names = hasHints ? table.columns.map((column) => column.name) : [];
  return `Table "${table.name}" has no column "${name}".${didYouMean(name, names)}`;
}

/** Finds a column by the mapping, or else by its name, which may begin with the apostrophe that protects against formulas. */
function columnNamed(
  table: Table,
  name: string,
  { mapping, formulas }: ImportOptions,
): Column | undefined {
  const mapped = mapping.get(name) ?? name;
  const column = exactColumn(table, mapped) ?? similarColumn(table, mapped);
  if (column !== undefined || formulas === 'raw' || !mapped.startsWith("'")) return column;
  return exactColumn(table, mapped.slice(1));
}

function exactColumn(table: Table, name: string): Column | undefined {
  return columnNames(table).exact.get(name);
}

function similarColumn(table: Table, name: string): Column | undefined {
  return columnNames(table).ignoringCase.get(name.trim().toLowerCase());
}

interface ColumnNames {
  readonly exact: ReadonlyMap<string, Column>;
  /** By lower-case name; undefined where several columns differ only in case. */
  readonly ignoringCase: ReadonlyMap<string, Column | undefined>;
}

/** A file may name a million columns, so finding one must not cost a pass over the table's. */
const namesOfTables = new WeakMap<Table, ColumnNames>();

function columnNames(table: Table): ColumnNames {
  const cached = namesOfTables.get(table);
  if (cached !== undefined) return cached;
  const ignoringCase = new Map<string, Column | undefined>();
  for (const column of table.columns) {
    const name = column.name.toLowerCase();
    ignoringCase.set(name, ignoringCase.has(name) ? undefined : column);
  }
  const exact = new Map(table.columns.map((column) => [column.name, column]));
  const names = { exact, ignoringCase };
  namesOfTables.set(table, names);
  return names;
}

function repeatedColumns(
  columns: readonly (Column | undefined)[],
  names: readonly string[],
): ColumnMapping['errors'] {
  const seenColumns = new Set<Column>();
  const keys = distinctNames(names);
  return columns.flatMap((column, i) => {
    if (column === undefined || !seenColumns.has(column)) {
      if (column !== undefined) seenColumns.add(column);
      return [];
    }
    const message = `Column "${column.name}" occurs twice. Map column ${i + 1} of the file, ${JSON.stringify(keys[i])}, to another column of the table, or to null to skip it.`;
    return [{ code: 'unknown_column', message, column: column.name }];
  });
}

/** Skips generated columns: the database computes their values from the row. */
function withoutGenerated(
  table: Table,
  column: Column | undefined,
  { problems }: ColumnsContext,
): Column | undefined {
  if (column?.generated === undefined) return column;
  problems.warnOnce(
    `Column "${column.name}" of table "${table.name}" is generated by the database; the file's values are left out.`,
  );
  return undefined;
}
