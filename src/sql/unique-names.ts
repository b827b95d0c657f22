import type { Index, Table } from '../model/schema.ts';

interface Naming {
  /** In small letters: tables, indexes and constraints share one pool somewhere. */
  readonly taken: Set<string>;
  readonly warnings: string[];
}

/** Databases differ in what must have a name of its own: with these, no two things have the same. */
export function withUniqueNames(tables: readonly Table[]): {
  readonly tables: readonly Table[];
  readonly warnings: readonly string[];
} {
  const naming: Naming = {
    taken: new Set(tables.map(({ localName }) => localName.toLowerCase())),
    warnings: [],
  };
  return { tables: tables.map((table) => nameParts(table, naming)), warnings: naming.warnings };
}

function nameParts(table: Table, naming: Naming): Table {
  const { primaryKey } = table;
  return {
    ...table,
    ...(primaryKey === undefined ? {} : { primaryKey: renamed(primaryKey, table, naming) }),
    indexes: table.indexes.map((index) => renamed(index, table, naming)),
    foreignKeys: table.foreignKeys.map((key) => renamed(key, table, naming)),
    checks: table.checks.map((check) => renamed(check, table, naming)),
  };
}

function renamed<T extends { readonly name?: string } | Index>(
  part: T,
  { localName }: Table,
  { taken, warnings }: Naming,
): T {
  if (part.name === undefined || part.name === '') return part;
  const name = freeName(localName, part.name, taken);
  if (name === undefined) return part;
  taken.add(name.toLowerCase());
  if (name === part.name) return part;
  warnings.push(`${localName}: ${part.name} is called ${name}, since another has that name.`);
  return { ...part, name };
}

const mostTries = 1000;

function freeName(table: string, name: string, taken: ReadonlySet<string>): string | undefined {
  for (const candidate of candidates(table, name)) {
    if (!taken.has(candidate.toLowerCase())) return candidate;
  }
  return undefined;
}

/** One after the other: hardly ever is more than the first one asked for. */
function* candidates(table: string, name: string): Generator<string, void, undefined> {
  yield name;
  yield `${table}_${name}`;
  for (let i = 2; i < mostTries; i++) yield `${table}_${name}_${i}`;
}
