/** Finds the tables and columns that a file names. */
import { StudioError } from '../../model/errors.ts';
import { didYouMean } from '../../model/nearest.ts';
import { mustBeComplete } from '../core/complete-structure.ts';
import { findTable, tablesByName } from '../core/find-table.ts';
import { maxErrors } from './import-problems.ts';
import { mustTakeWrites } from '../rows/write-row.ts';
import type { Column, Schema, Table } from '../../model/schema.ts';
import type { ImportContext, TableReference, ColumnMapping } from '../../formats/row-import.ts';
import type { ImportOptions } from './import-options.ts';
import type { ImportProblems } from './import-problems.ts';

/** What readers need to find tables and to report problems. */
export function createImportTargets(
  schema: Schema,
  options: ImportOptions,
  problems: ImportProblems,
): ImportTargets {
  const foundTables = new Set<Table>();
  const namespaces = new Map<Table, string>();
  const requested = options.table === undefined ? undefined : writableTable(schema, options.table);
  if (requested !== undefined) mappingMustMatch(requested, options);
  return {
    mapColumns: (heading) => {
      const table = tableOf(schema, heading.table, requested);
      foundTables.add(table);
      mustBeOneTable(table, heading.table, namespaces);
      return { table, ...columnsOf(table, heading.columns, { options, problems }) };
    },
    hasColumn: (name) =>
      requested !== undefined && columnNamed(requested, name, options) !== undefined,
    report: problems.report,
    warn: problems.warn,
    located: foundTables,
  };
}

export interface ImportTargets extends ImportContext {
  /** The tables that the file names, with or without rows. */
  readonly located: ReadonlySet<Table>;
}

export function writableTable(schema: Schema, name: string): Table {
  const table = findTable(schema, name);
  mustTakeRows(table);
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

function tableOf(
  schema: Schema,
  naming: TableReference | undefined,
  requested: Table | undefined,
): Table {
  if (naming === undefined) return requested ?? missingTable();
  const table =
    typeof naming === 'string'
      ? findTable(schema, naming)
      : (findByPath(schema, naming) ?? findTable(schema, naming.parts.join('.')));
  if (requested !== undefined && requested !== table) {
    throw new StudioError(
      'invalid_parameter',
      `The request says table "${requested.name}", the file holds rows of "${table.name}".`,
      { parameter: 'table' },
    );
  }
  mustTakeRows(table);
  return table;
}

/** An import needs the complete definition of a table, for example its sequences. */
function mustTakeRows(table: Table): void {
  mustTakeWrites(table);
  mustBeComplete(table);
}

export function missingTable(): never {
  throw new StudioError(
    'invalid_parameter',
    'The file does not name the table of its rows. Name it with the parameter "table".',
    { parameter: 'table' },
  );
}

type QualifiedName = Exclude<TableReference, string>;

/** Finds a table in the first namespace of the script's search path that has it. */
function findByPath(schema: Schema, { parts, path }: QualifiedName): Table | undefined {
  if (path === undefined) return findByParts(schema, parts);
  const [local = ''] = parts;
  for (const same of [isEqual, isEqualIgnoringCase]) {
    for (const namespace of path) {
      const found = tableIn(schema, { namespace, local }, same);
      if (found !== undefined) return found;
    }
  }
  const [first] = path;
  return first === undefined || hasNamespace(schema, first)
    ? undefined
    : findByParts(schema, [first, ...parts]);
}

/** Finds the only table with this name and namespace. Tables of a database without namespaces match any. */
function tableIn(
  schema: Schema,
  { namespace, local }: { readonly namespace: string; readonly local: string },
  same: (a: string, b: string) => boolean,
): Table | undefined {
  return singleMatch(
    [...tablesByName(schema).values()],
    (table) =>
      same(table.localName, local) &&
      (table.namespace === undefined || same(table.namespace, namespace)),
  );
}

function isEqual(a: string, b: string): boolean {
  return a === b;
}

function hasNamespace(schema: Schema, namespace: string): boolean {
  return schema.tables.some((table) => table.namespace === namespace);
}

/**
 * Finds a table by a name in SQL. The namespace counts only if the database has it, because scripts
 * contain the namespaces of the database that they come from. Exact names take precedence over names
 * that differ in case.
 */
function findByParts(schema: Schema, parts: readonly string[]): Table | undefined {
  const local = parts.at(-1) ?? '';
  const tables = [...tablesByName(schema).values()];
  const namespace = parts.at(-2);
  if (namespace !== undefined && hasNamespace(schema, namespace))
    return (
      tableIn(schema, { namespace, local }, isEqual) ??
      tableIn(schema, { namespace, local }, isEqualIgnoringCase)
    );
  const qualified = parts.slice(-2).join('.');
  const exact = tablesByName(schema).get(qualified) ?? tablesByName(schema).get(local);
  return (
    exact ??
    singleMatch(tables, ({ name }) => isEqualIgnoringCase(name, qualified)) ??
    singleMatch(tables, ({ name }) => isEqualIgnoringCase(name, local)) ??
    singleMatch(tables, ({ localName }) => isEqualIgnoringCase(localName, local))
  );
}

/** Rejects two tables of the file that differ only in namespaces which the database does not have. */
function mustBeOneTable(
  table: Table,
  naming: TableReference | undefined,
  namespaces: Map<Table, string>,
): void {
  if (typeof naming !== 'object') return;
  const namespace = naming.parts.at(-2);
  if (namespace === undefined) return;
  const known = namespaces.get(table) ?? namespace;
  namespaces.set(table, known);
  if (isEqualIgnoringCase(known, namespace)) return;
  const { localName, name } = table;
  throw new StudioError(
    'table_not_found',
    `There is no table "${namespace}.${localName}": "${name}" takes the rows of the file's "${known}.${localName}".`,
  );
}

interface NamingContext {
  readonly options: ImportOptions;
  readonly problems: ImportProblems;
}

function singleMatch<T>(items: readonly T[], test: (item: T) => boolean): T | undefined {
  const found = items.filter(test);
  return found.length === 1 ? found[0] : undefined;
}

function isEqualIgnoringCase(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function columnsOf(
  table: Table,
  names: readonly string[] | undefined,
  naming: NamingContext,
): Omit<ColumnMapping, 'table'> {
  const flaws: ColumnMapping['errors'][number][] = [];
  const columns =
    names === undefined
      ? table.columns.filter((column) => column.isRowNumber !== true)
      : names.map((name, i) => namedColumn(table, { name, i }, { ...naming, flaws }));
  flaws.push(...repeatedColumns(columns));
  return {
    columns: columns.map((column) => withoutGenerated(table, column, naming)),
    errors: flaws,
  };
}

interface ColumnNaming extends NamingContext {
  readonly flaws: ColumnMapping['errors'][number][];
}

function namedColumn(
  table: Table,
  { name, i }: { readonly name: string; readonly i: number },
  { options, flaws }: ColumnNaming,
): Column | undefined {
  if (options.mapping.has(name) && options.mapping.get(name) === undefined) return undefined;
  const column = columnNamed(table, name, options);
  if (column !== undefined) return column;
  const hints = flaws.length < maxErrors;
  const message =
    name === '' ? `Column ${i + 1} of the file has no name.` : unknownColumn(table, name, hints);
  flaws.push({ code: 'unknown_column', message, column: name });
  return undefined;
}

/** Finding a suggestion compares the name with every column, so errors that are not shown have none. */
function unknownColumn(table: Table, name: string, hints = true): string {
  const names = hints ? table.columns.map((column) => column.name) : [];
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

function repeatedColumns(columns: readonly (Column | undefined)[]): ColumnMapping['errors'] {
  const seen = new Set<Column>();
  return columns.flatMap((column) => {
    if (column === undefined || !seen.has(column)) {
      if (column !== undefined) seen.add(column);
      return [];
    }
    const message = `Column "${column.name}" occurs twice.`;
    return [{ code: 'unknown_column', message, column: column.name }];
  });
}

/** Skips generated columns: the database computes their values from the row. */
function withoutGenerated(
  table: Table,
  column: Column | undefined,
  { problems }: NamingContext,
): Column | undefined {
  if (column?.generated === undefined) return column;
  problems.warnOnce(
    `Column "${column.name}" of table "${table.name}" is generated by the database; the file's values are left out.`,
  );
  return undefined;
}
