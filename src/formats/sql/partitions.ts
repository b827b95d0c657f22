/** Tracks the partitions that a script creates. Dumps of PostgreSQL write the rows of each partition under its own name. */
import { settingParts } from '../../sql/script-settings.ts';
import { tokenCursor } from '../../sql/token-cursor.ts';
import type { SettingToken } from '../../sql/script-settings.ts';
import type { PartitionReference } from '../row-import.ts';

interface CreatedTable {
  /** The table as the script names it. */
  readonly parts: readonly string[];
  /** The names of its columns, if the script lists them. */
  readonly columns?: readonly string[];
  /** The partitioned table that it is a partition of. */
  readonly parent?: readonly string[];
}

/** By the name in lower case. Undefined where names differ only in case. */
export type CreatedTables = Map<string, CreatedTable | undefined>;

/** Updates the tables for a schema statement. */
export function trackPartitions(tables: CreatedTables, tokens: readonly SettingToken[]): void {
  const cursor = tokenCursor(tokens, { foldsToLower: true });
  if (cursor.accept('CREATE', 'TABLE')) {
    cursor.accept('IF', 'NOT', 'EXISTS');
    const parts = cursor.name();
    if (parts === undefined) return;
    const parent = cursor.accept('PARTITION', 'OF') ? cursor.name() : undefined;
    note(tables, parent === undefined ? { parts, columns: columnsIn(tokens) } : { parts, parent });
  } else if (cursor.accept('ALTER', 'TABLE')) {
    cursor.accept('IF', 'EXISTS');
    cursor.accept('ONLY');
    const parent = cursor.name();
    const parts = cursor.accept('ATTACH', 'PARTITION') ? cursor.name() : undefined;
    if (parent !== undefined && parts !== undefined) note(tables, { parts, parent });
  }
}

function note(tables: CreatedTables, table: CreatedTable): void {
  const key = keyOf(table.parts);
  const knownTable = tables.get(key);
  const isOther =
    knownTable === undefined || knownTable.parts.join('\0') !== table.parts.join('\0');
  tables.set(key, tables.has(key) && isOther ? undefined : { ...knownTable, ...table });
}

function keyOf(parts: readonly string[]): string {
  return JSON.stringify(parts).toLowerCase();
}

const constraintWords: ReadonlySet<string> = new Set(
  'CONSTRAINT PRIMARY UNIQUE CHECK FOREIGN EXCLUDE LIKE'.split(' '),
);

/** The first name in each element of the list in parentheses. */
function columnsIn(tokens: readonly SettingToken[]): readonly string[] {
  const open = tokens.findIndex(({ kind, text }) => kind === 'symbol' && text === '(');
  let depth = 0;
  const close = tokens.findIndex(({ kind, text }, i) => {
    if (kind === 'symbol' && i >= open) depth += text === '(' ? 1 : text === ')' ? -1 : 0;
    return i >= open && depth === 0;
  });
  if (open === -1 || close === -1) return [];
  return settingParts(tokens.slice(open + 1, close)).flatMap((element) => {
    const [first] = element;
    if (first?.kind === 'word' && constraintWords.has(first.text)) return [];
    return tokenCursor(element, { foldsToLower: true }).name() ?? [];
  });
}

/** Where the rows of a partition belong if the database has no table of its name; undefined for other tables. */
export function partitionOf(
  tables: CreatedTables,
  parts: readonly string[],
): PartitionReference | undefined {
  const createdTable = tables.get(keyOf(parts));
  const parents: (readonly string[])[] = [];
  const seenTables = new Set<CreatedTable>();
  for (let table = createdTable; table?.parent !== undefined && !seenTables.has(table);) {
    seenTables.add(table);
    parents.push(table.parent);
    table = tables.get(keyOf(table.parent));
  }
  if (parents.length === 0) return undefined;
  return { parents, columns: columnsOf(tables, createdTable) };
}

/** A partition that the script creates without columns has those of its parent. */
function columnsOf(
  tables: CreatedTables,
  createdTable: CreatedTable | undefined,
): readonly string[] | undefined {
  const seenTables = new Set<CreatedTable>();
  for (let table = createdTable; table !== undefined && !seenTables.has(table);) {
    if (table.columns !== undefined && table.columns.length > 0) return table.columns;
    seenTables.add(table);
    table = table.parent && tables.get(keyOf(table.parent));
  }
  return undefined;
}
