/** Cuts names that are too long for a database, which would reject them or cut them in silence. */
import { StudioError } from '../../model/errors.ts';
import type { DdlDialect, NameLimit } from '../../model/ddl-dialect.ts';
import type { Column, ForeignKey, Index, Schema, Table } from '../../model/schema.ts';

interface CutSchema {
  readonly schema: Schema;
  /** One sentence for each name that was cut. */
  readonly warnings: readonly string[];
}

/** Expressions keep long names: PostgreSQL cuts those too, and other databases reject them. */
export function cutNames(schema: Schema, { nameLimit, productNames }: DdlDialect): CutSchema {
  if (nameLimit === undefined) return { schema, warnings: [] };
  const [product] = productNames;
  const cutter: Cutter = { limit: nameLimit, product, warnings: new Set(), usedNames: new Set() };
  const relations = [...schema.tables, ...schema.views];
  requireDistinct(cutter, relations.map(fullName), 'tables');
  for (const { columns, name } of relations)
    requireDistinct(cutter, columns.map((column) => column.name), `columns of ${name}`); // prettier-ignore
  for (const { localName } of relations) cutter.usedNames.add(cut(cutter, localName).toLowerCase());
  return {
    schema: {
      ...schema,
      tables: schema.tables.map((table) => cutTable(cutter, table)),
      views: schema.views.map((view) => cutTable(cutter, view)),
      enums: schema.enums.map((type) => ({ ...type, ...inNamespace(cutter, type), name: cut(cutter, type.name) })), // prettier-ignore
    },
    warnings: [...cutter.warnings],
  };
}

interface Cutter {
  readonly limit: NameLimit;
  readonly product: string;
  readonly warnings: Set<string>;
  /** Names of tables, indexes and constraints, in lower case. */
  readonly usedNames: Set<string>;
}

function fullName({ namespace = '', localName }: Table): string {
  return `${namespace}.${localName}`;
}

function requireDistinct(cutter: Cutter, names: readonly string[], objects: string): void {
  const originalNames = new Map<string, string>();
  for (const name of names) {
    const parts = name.split('.').map((part) => shortenedName(part, cutter.limit));
    const storedName = parts.join('.');
    const other = originalNames.get(storedName);
    if (other !== undefined && other !== name) throw sameNameError(cutter, [other, name], objects);
    originalNames.set(storedName, name);
  }
}

function sameNameError(
  { limit, product }: Cutter,
  [one, other]: readonly [string, string],
  objects: string,
): StudioError {
  const names = [one, other].map((name) => name.replace(/^\./, ''));
  const message = `Two ${objects} would have the same name, because ${product} has names of at most ${limit.length} ${limit.unit}: ${names.join(' and ')}.`;
  return new StudioError('import_failed', message, {
    errors: [{ code: 'import_failed', message }],
  });
}

/** The beginning of a name that is not too long. */
export function shortenedName(name: string, { length, unit }: NameLimit): string {
  if (name.length * 3 <= length) return name;
  if (unit === 'characters') return [...name].slice(0, length).join('');
  const size = (text: string): number => new TextEncoder().encode(text).length;
  if (size(name) <= length) return name;
  const characters = [...name].slice(0, length);
  while (size(characters.join('')) > length) characters.pop();
  return characters.join('');
}

function cut(cutter: Cutter, name: string): string {
  return replaceName(cutter, name, shortenedName(name, cutter.limit));
}

function replaceName({ limit, product, warnings }: Cutter, name: string, short: string): string {
  if (short !== name)
    warnings.add(
      `${name} becomes ${short}, because ${product} has names of at most ${limit.length} ${limit.unit}.`,
    );
  return short;
}

/** Cuts the name of an index or constraint to one that is free, if it is too long. */
function cutToUniqueName(cutter: Cutter, name: string): string {
  const { limit, usedNames } = cutter;
  let short = shortenedName(name, limit);
  if (short === name) return name;
  for (let i = 2; usedNames.has(short.toLowerCase()); i += 1) {
    const suffix = `_${i}`;
    short = shortenedName(name, { ...limit, length: limit.length - suffix.length }) + suffix;
  }
  usedNames.add(short.toLowerCase());
  return replaceName(cutter, name, short);
}

function inNamespace(
  cutter: Cutter,
  { namespace }: { readonly namespace?: string },
): { readonly namespace?: string } {
  return namespace === undefined ? {} : { namespace: cut(cutter, namespace) };
}

function cutTable(cutter: Cutter, table: Table): Table {
  const withCutName = <T extends { readonly name?: string }>(part: T): T =>
    part.name === undefined ? part : { ...part, name: cutToUniqueName(cutter, part.name) };
  const list = (names: readonly string[]): readonly string[] =>
    names.map((name) => cut(cutter, name));
  const { primaryKey } = table;
  return {
    ...table,
    ...inNamespace(cutter, table),
    name: cutReference(cutter, table.name),
    localName: cut(cutter, table.localName),
    columns: table.columns.map((column) => cutColumn(cutter, column)),
    ...(primaryKey && {
      primaryKey: { ...withCutName(primaryKey), columns: list(primaryKey.columns) },
    }),
    indexes: table.indexes.map((index) => cutIndex(cutter, withCutName(index))),
    foreignKeys: table.foreignKeys.map((key): ForeignKey => ({
      ...withCutName(key),
      columns: list(key.columns),
      table: cutReference(cutter, key.table),
      referencedColumns: list(key.referencedColumns),
    })),
    checks: table.checks.map(withCutName),
  };
}

/** `Table.name`: a local name, or one with its namespace. */
function cutReference(cutter: Cutter, name: string): string {
  const dot = name.indexOf('.');
  if (dot === -1) return cut(cutter, name);
  return `${cut(cutter, name.slice(0, dot))}.${cut(cutter, name.slice(dot + 1))}`;
}

function cutColumn(cutter: Cutter, column: Column): Column {
  const { type } = column;
  const isNamed = type.kind === 'enum' && type.name !== undefined;
  return {
    ...column,
    name: cut(cutter, column.name),
    type: isNamed ? { ...type, name: cutReference(cutter, type.name) } : type,
  };
}

function cutIndex(cutter: Cutter, index: Index): Index {
  return {
    ...index,
    parts: index.parts.map((part) =>
      part.column === undefined ? part : { ...part, column: cut(cutter, part.column) },
    ),
    ...(index.included && { included: index.included.map((name) => cut(cutter, name)) }),
  };
}
