/**
 * Keys of any type with random values: the id of each listed row reads, updates and deletes exactly
 * that row, as seen by the database's own client.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { StudioError } from '../../../src/model/errors.ts';
import { rowId } from '../../../ui/src/api/row-key.ts';
import { allCells } from '../cells/all-cells.ts';
import { failureOf, describeOnEachDatabase, readBody } from './harness.ts';
import type { Row, Table } from '../../../ui/src/api/responses.ts';
import type { CellType } from '../cells/native-cells.ts';
import type { Harness } from './harness.ts';

interface KeyedTable {
  /** The SQL name of the key's type. */
  readonly type: string;
  /** Literals of the key. */
  readonly values: readonly string[];
}

function keyedTables(types: readonly CellType[]): fc.Arbitrary<KeyedTable> {
  return fc.constantFrom(...types).chain(({ type, values }) =>
    fc.record({
      type: fc.constant(type),
      values: fc.array(values, { minLength: 1, maxLength: 4 }),
    }),
  );
}

/** Creates table `keyed…`. Returns undefined if the database does not accept the type as a key. */
async function createKeyedTable(
  { database }: Harness,
  { type, values }: KeyedTable,
  index: number,
): Promise<Keyed | undefined> {
  const name = `keyed${index}`;
  try {
    await database.run(
      `CREATE TABLE ${name} (k ${type.replace('?', 'k')} NOT NULL, mark int, seen int, PRIMARY KEY (k))`,
    );
  } catch {
    return undefined;
  }
  for (const [mark, value] of values.entries()) {
    // A duplicate, or a literal that the type rejects.
    await database
      .run(`INSERT INTO ${name} (k, mark, seen) VALUES (${value}, ${mark}, 0)`)
      .catch(() => undefined);
  }
  return { name, type };
}

interface Keyed {
  readonly name: string;
  readonly type: string;
}

async function markersOf(
  { database }: Harness,
  name: string,
  where: string,
): Promise<readonly number[]> {
  const rows = await database.query(`SELECT mark FROM ${name} WHERE ${where} ORDER BY mark`);
  return rows.map(([mark]) => Number(mark));
}

async function checkRows(harness: Harness, { name, type }: Keyed, table: Table): Promise<void> {
  const { data } = await harness.list(name);
  expect(data.map(({ mark }) => mark).toSorted()).toEqual(
    await markersOf(harness, name, 'mark >= 0'),
  );
  const idOfRow = (row: (typeof data)[number]): string => rowId(table, row as unknown as Row) ?? '';
  const ids = data.map(idOfRow);
  for (const row of data) {
    const id = idOfRow(row);
    if (ids.indexOf(id) !== ids.lastIndexOf(id)) {
      // SQLite stores an empty text and an empty BLOB in one column: their ids are the same.
      expect(harness.underTest.name, `${type}: two rows have the id ${id}`).toBe('sqlite');
      await expectAmbiguous(harness, name, id);
      continue;
    }
    const about = `${type}: ${JSON.stringify(row)} by ${id}`;
    try {
      expect(readBody(await harness.get(name, id)), about).toEqual(row);
      await harness.update(name, id, { body: { seen: 1 } });
      expect(await markersOf(harness, name, 'seen = 1'), about).toEqual([row['mark']]);
      await harness.remove(name, id);
      const unseenMarkers = await markersOf(harness, name, 'seen = 0');
      expect(await markersOf(harness, name, 'mark >= 0'), about).toEqual(unseenMarkers);
    } catch (error) {
      if (!(error instanceof StudioError)) throw error;
      expect.fail(`${about}: ${error.message}`);
    }
  }
}

/** Two rows share the id, so no request may read or write either. */
async function expectAmbiguous(harness: Harness, name: string, id: string): Promise<void> {
  const before = await markersOf(harness, name, 'seen = 0');
  const noIdentity = { code: 'no_row_identity' };
  expect(await failureOf(harness.get(name, id))).toMatchObject(noIdentity);
  expect(await failureOf(harness.update(name, id, { body: { seen: 1 } }))).toMatchObject(
    noIdentity,
  );
  expect(await failureOf(harness.remove(name, id))).toMatchObject(noIdentity);
  expect(await markersOf(harness, name, 'seen = 0')).toEqual(before);
}

async function checkTables(harness: Harness, tables: readonly KeyedTable[]): Promise<void> {
  const keyedTables: Keyed[] = [];
  for (const [i, table] of tables.entries()) {
    const keyed = await createKeyedTable(harness, table, i);
    if (keyed !== undefined) keyedTables.push(keyed);
  }
  try {
    await harness.refresh();
    const schema = readBody(await harness.perform('get-schema', {})) as {
      tables: readonly Table[];
    };
    for (const keyed of keyedTables)
      await checkRows(
        harness,
        keyed,
        schema.tables.find(({ name }) => name === keyed.name)!,
      );
  } finally {
    for (const { name } of keyedTables) await harness.database.run(`DROP TABLE ${name}`);
  }
}

interface AddressableRowsOptions {
  /** The number of generated tables. */
  readonly tables: number;
  /** Tables to check in addition, by the name of the database. */
  readonly always?: Readonly<Record<string, readonly KeyedTable[]>>;
}

export function testAddressableRows({ tables, always = {} }: AddressableRowsOptions): void {
  describeOnEachDatabase('addressable rows', (harness) => {
    const message = 'every listed row is read, updated and deleted by its id, and no other row';
    test(message, { timeout: 900_000 }, async () => {
      const { setUp, types } = allCells[harness.underTest.name]!;
      await harness.database.run(setUp);
      // The harness parses numbers in JSON as doubles. The keys of SQLite that are JSON are row numbers.
      const keys = types.filter(
        ({ type }) => harness.underTest.name === 'sqlite' || !/json|document/.test(type),
      );
      const batch = fc.array(keyedTables(keys), { minLength: 10, maxLength: 10 });
      await fc.assert(
        fc.asyncProperty(batch, (keyed) => checkTables(harness, keyed)),
        {
          numRuns: Math.ceil(tables / 10),
          examples:
            always[harness.underTest.name] === undefined
              ? []
              : [[[...always[harness.underTest.name]!]]],
        },
      );
    });
  });
}
