/** If a referenced table cannot be read, a page of rows still has all other labels. */
import SqliteDatabase from 'better-sqlite3';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { listDefaults, describeOnEachDatabase, readBody } from './harness.ts';
import { lockTable, lockableTables } from './locked-tables.ts';
import type { Studio } from '../../../src/studio/studio.ts';
import type { Harness, JsonRow, Page } from './harness.ts';

const places = ['a', 'b', 'c'] as const;

interface LabeledPage extends Page {
  readonly label_errors?: Readonly<Record<string, string>>;
}

describeOnEachDatabase('missing labels', (harness) => {
  test('are reported with the table, and the page and all other labels are returned', async () => {
    const keyType = harness.underTest.name === 'sqlite' ? 'text COLLATE NOCASE' : 'varchar(9)';
    for (const city of places) {
      await harness.database.run(
        `CREATE TABLE place_${city} (k ${keyType} PRIMARY KEY, title varchar(20))`,
      );
      await harness.database.run(`INSERT INTO place_${city} (k, title) VALUES ('1', 'in ${city}')`);
    }
    const columns = places.map((city) => `${city} varchar(9) REFERENCES place_${city} (k)`);
    await harness.database.run(`CREATE TABLE stays (id int PRIMARY KEY, ${columns.join(', ')})`);
    await harness.database.run("INSERT INTO stays (id, a, b, c) VALUES (1, '1', '1', '1')");
    await harness.refresh();
    await fc.assert(
      fc.asyncProperty(fc.subarray([...places]), fc.boolean(), async (unreadable, isNew) => {
        const cleanUps = await Promise.all(
          unreadable.map((city) => makeUnreadable(harness, `place_${city}`)),
        );
        try {
          const studio = isNew ? await harness.openStudio() : harness.studio;
          expectPage(await labeled(studio), unreadable);
        } finally {
          for (const end of cleanUps) await end();
        }
      }),
      { numRuns: 5, examples: [[['b'], false], [['a', 'b', 'c'], true]] }, // prettier-ignore
    );
  });
});

async function labeled(studio: Studio): Promise<LabeledPage> {
  const query = { ...listDefaults, labels: true, etags: true };
  return readBody(await studio.perform('list-rows', { table: 'stays', query })) as LabeledPage;
}

function expectPage(page: LabeledPage, unreadable: readonly string[]): void {
  const { data, labels, label_errors: errors = {} } = page;
  expect(data).toEqual([{ id: 1, a: '1', b: '1', c: '1' } satisfies JsonRow]);
  const readable = places.filter((city) => !unreadable.includes(city));
  const titles = readable.map((city) => [city, { '1': `in ${city}` }] as const);
  expect(labels).toEqual(Object.fromEntries(titles));
  expect(Object.keys(errors)).toEqual(unreadable);
  for (const city of unreadable) expect(errors[city]).toContain(`"place_${city}"`);
}

/** Locks the table in another session, or on SQLite gives it an unknown collation. */
async function makeUnreadable(
  { database, underTest }: Harness,
  table: string,
): Promise<() => Promise<void>> {
  const lockable = lockableTables[underTest.name];
  if (lockable !== undefined) return lockTable(database, lockable, { table, awaited: false });
  const change = async (from: string, to: string): Promise<void> => {
    const raw = new SqliteDatabase(database.url);
    raw.unsafeMode(true);
    raw.pragma('writable_schema = ON');
    const update = 'UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE name = ?';
    raw.prepare(update).run(from, to, table);
    raw.pragma('writable_schema = RESET');
    // Connections of the studio read the structure again.
    const version = Number(raw.pragma('schema_version', { simple: true }));
    raw.pragma(`schema_version = ${version + 1}`);
    raw.close();
  };
  await change('COLLATE NOCASE', 'COLLATE NOBODYS');
  return () => change('COLLATE NOBODYS', 'COLLATE NOCASE');
}
