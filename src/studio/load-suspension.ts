import { StudioError } from '../model/errors.ts';
import { command, keysRefusal, refusal } from './load-batch.ts';
import type { Dialect } from '../model/database.ts';
import type { Suspension } from '../model/load-dialect.ts';
import type { Schema, Table } from '../model/schema.ts';
import type { Loading } from './load-batch.ts';
import type { TableKey } from './load-groups.ts';

/** Foreign keys whose check has been put off. */
export interface Suspended {
  /** Those that still are when `lift` has done what it can. */
  readonly keys: readonly TableKey[];
  /** Has the database look at rows that come from now on, if that is all it would do. */
  lift(): Promise<void>;
  /** Looks at the rows that were written meanwhile. */
  end(): Promise<void>;
  /** After a failure: leaves nothing behind on the connection. */
  giveUp(): Promise<void>;
}

/** Puts off the checks of some keys; where that is not allowed the load cannot go on. */
export async function suspendKeys(
  loading: Loading,
  keys: readonly TableKey[],
  schema: Schema,
): Promise<Suspended> {
  const { session, dialect } = loading;
  const suspensions = keys.flatMap(
    ({ table, key }) => dialect.loading.suspension(table, key) ?? [],
  );
  if (suspensions.length < keys.length) throw cannotSuspend(keys);
  const unverified = suspensions.some(({ verifies }) => !verifies) ? affectedKeys(keys) : [];
  const before = await countOrphans(loading, unverified, schema);
  await begin(loading, keys, suspensions);
  const resume = async (): Promise<void> => {
    for (const text of texts(suspensions, 'check')) await command(session, text);
    for (const text of texts(suspensions, 'end')) await command(session, text);
  };
  return {
    keys: unverified.length > 0 ? [] : keys,
    lift: async () => (unverified.length > 0 ? resume() : undefined),
    end: async () => {
      const after = await countOrphans(loading, unverified, schema);
      const broken = unverified.find((_, i) => (after[i] ?? 0n) > (before[i] ?? 0n));
      if (broken !== undefined) throw pointsNowhere(broken);
      await resume().catch((error: unknown) => {
        throw keysRefusal(error) ?? error;
      });
    },
    giveUp: () => resume().catch(() => {}),
  };
}

async function begin(
  { session }: Loading,
  keys: readonly TableKey[],
  suspensions: readonly Suspension[],
): Promise<void> {
  try {
    for (const text of texts(suspensions, 'begin')) await command(session, text);
  } catch (error) {
    const isDenied = error instanceof StudioError && error.code === 'permission_denied';
    throw isDenied ? cannotSuspend(keys) : error;
  }
}

/** Whether the database itself looks at all rows again, of these keys and no others. */
export function areVerified({ dialect }: Loading, keys: readonly TableKey[]): boolean {
  return keys.every(({ table, key }) => dialect.loading.suspension(table, key)?.verifies === true);
}

/** Each statement once: one may do for all keys. */
function texts(
  suspensions: readonly Suspension[],
  part: 'begin' | 'check' | 'end',
): readonly string[] {
  return [...new Set(suspensions.flatMap((suspension) => suspension[part]))];
}

/** Where all checks are off at once, those of other keys of the tables are too. */
function affectedKeys(keys: readonly TableKey[]): readonly TableKey[] {
  const tables = new Set(keys.map(({ table }) => table));
  return [...tables].flatMap((table) => table.foreignKeys.map((key) => ({ table, key })));
}

function cannotSuspend(keys: readonly TableKey[]): StudioError {
  const names = keys.map(
    ({ table, key }) => `"${table.name}" (${key.columns.join(', ')}) to "${key.table}"`,
  );
  return refusal(
    keys.slice(0, 1).map(({ table }) => ({
      code: 'foreign_key_violation',
      table: table.name,
      message:
        `rows point at each other in a circle, by ${names.join(' and ')}, ` +
        'and the database does not let the studio put off the check of such keys.',
    })),
  );
}

export function pointsNowhere({ table, key }: TableKey): StudioError {
  const [column, another] = key.columns;
  const name = key.name ?? key.columns.join(', ');
  return refusal([
    {
      code: 'foreign_key_violation',
      table: table.name,
      message: `Foreign key "${name}" to table "${key.table}" would point nowhere.`,
      ...(column === undefined || another !== undefined ? {} : { column }),
    },
  ]);
}

/** How many rows point nowhere by each of the keys. */
export async function countOrphans(
  { session, dialect }: Loading,
  keys: readonly TableKey[],
  schema: Schema,
): Promise<readonly bigint[]> {
  const counts: bigint[] = [];
  for (const each of keys) {
    const parent = schema.tables.find(({ name }) => name === each.key.table);
    const query = parent && orphanQuery(dialect, each, parent);
    const { rows } =
      query === undefined ? { rows: [] } : await session.run({ text: query, params: [] });
    counts.push(BigInt(String(rows[0]?.[0] ?? 0)));
  }
  return counts;
}

function orphanQuery(dialect: Dialect, { table, key }: TableKey, parent: Table): string {
  const name = dialect.quoteName;
  const own = key.columns.map((column) => `child.${name(column)}`);
  const theirs = key.referencedColumns.map((column) => `parent.${name(column)}`);
  const known = own.map((column) => `${column} IS NOT NULL`).join(' AND ');
  const same = own.map((column, i) => `${theirs[i]} = ${column}`).join(' AND ');
  return (
    `SELECT COUNT(*) FROM ${dialect.tableName(table)} child WHERE ${known} ` +
    `AND NOT EXISTS (SELECT 1 FROM ${dialect.tableName(parent)} parent WHERE ${same})`
  );
}
