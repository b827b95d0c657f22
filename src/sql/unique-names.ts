import type { Index, Table } from '../model/schema.ts';

interface NamePool {
  /** Names in lower case. In some databases tables, indexes and constraints share one namespace. */
  readonly usedNames: Set<string>;
  readonly warnings: string[];
}

/** Renames indexes and constraints so that all names are unique: databases differ in which of them may share a name. */
export function withUniqueNames(tables: readonly Table[]): {
  readonly tables: readonly Table[];
  readonly warnings: readonly string[];
} {
  const pool: NamePool = {
    usedNames: new Set(tables.map(({ localName }) => localName.toLowerCase())),
    warnings: [],
  };
  return { tables: tables.map((table) => renameParts(table, pool)), warnings: pool.warnings };
}

function renameParts(table: Table, pool: NamePool): Table {
  const { primaryKey } = table;
  return {
    ...table,
    ...(primaryKey === undefined ? {} : { primaryKey: renameIfTaken(primaryKey, table, pool) }),
    indexes: table.indexes.map((index) => renameIfTaken(index, table, pool)),
    foreignKeys: table.foreignKeys.map((key) => renameIfTaken(key, table, pool)),
    checks: table.checks.map((check) => renameIfTaken(check, table, pool)),
  };
}

function renameIfTaken<T extends { readonly name?: string } | Index>(
  part: T,
  { localName }: Table,
  { usedNames, warnings }: NamePool,
): T {
  if (part.name === undefined || part.name === '') return part;
  const name = freeName(localName, part.name, usedNames);
  if (name === undefined) return part;
  usedNames.add(name.toLowerCase());
  if (name === part.name) return part;
  warnings.push(`${localName}: ${part.name} is renamed to ${name}, because the name is taken.`);
  return { ...part, name };
}

const maxCandidates = 1000;

function freeName(table: string, name: string, usedNames: ReadonlySet<string>): string | undefined {
  for (const candidate of candidates(table, name)) {
    if (!usedNames.has(candidate.toLowerCase())) return candidate;
  }
  return undefined;
}

/** A generator, because the first candidate is nearly always free. */
function* candidates(table: string, name: string): Generator<string, void, undefined> {
  yield name;
  yield `${table}_${name}`;
  for (let i = 2; i < maxCandidates; i++) yield `${table}_${name}_${i}`;
}
