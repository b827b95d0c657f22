/**
 * Tables with unique indexes of many kinds: the id that the page builds for a row changes that row
 * only.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { rowId } from '../../../ui/src/api/row-key.ts';
import { failureOf, describeOnEachDatabase } from './harness.ts';
import type { Row, Table } from '../../../ui/src/api/responses.ts';
import type { Harness } from './harness.ts';

const names = ['a', 'b', 'c'] as const;

/**
 * Creates index `{i}` on the columns `{c}` of table `{t}`. `{n}` is used instead if there can be
 * only one column.
 */
type IndexKind = readonly string[];

const unique: IndexKind = ['CREATE UNIQUE INDEX {i} ON {t} ({c})'];
const plain: IndexKind = ['CREATE INDEX {i} ON {t} ({c})'];

/** By the name of the database. */
const kinds: Readonly<Record<string, readonly IndexKind[]>> = {
  sqlite: [
    unique,
    plain,
    ['CREATE UNIQUE INDEX {i} ON {t} ({c}) WHERE mark < 0'],
    ['CREATE UNIQUE INDEX {i} ON {t} ({n} % 2, mark)'],
    ['CREATE UNIQUE INDEX {i} ON {t} ({n} DESC)'],
  ],
  postgres: [
    unique,
    plain,
    ['CREATE UNIQUE INDEX {i} ON {t} ({c}) WHERE mark < 0'],
    ['CREATE UNIQUE INDEX {i} ON {t} (({n} % 2), mark)'],
    ['CREATE UNIQUE INDEX {i} ON {t} ({c}) INCLUDE (note)'],
    ['CREATE UNIQUE INDEX {i} ON {t} ({c}) NULLS NOT DISTINCT'],
    ['ALTER TABLE {t} ADD CONSTRAINT {i} UNIQUE ({c}) DEFERRABLE INITIALLY DEFERRED'],
    // The state that a failed CREATE UNIQUE INDEX CONCURRENTLY leaves.
    [
      ...plain,
      "UPDATE pg_index SET indisunique = true, indisvalid = false WHERE indexrelid = '{i}'::regclass",
    ],
    ['ALTER TABLE {t} ALTER COLUMN {n} DROP NOT NULL', ...unique],
    // A NOT NULL constraint that was added later and has not been validated.
    [
      'ALTER TABLE {t} ALTER COLUMN {n} DROP NOT NULL',
      'INSERT INTO {t} (mark) VALUES (100)',
      'ALTER TABLE {t} ADD CONSTRAINT {i}_n NOT NULL {n} NOT VALID',
      ...unique,
    ],
  ],
  mysql: [
    unique,
    plain,
    ['CREATE UNIQUE INDEX {i} ON {t} ({n} DESC)'],
    ['ALTER TABLE {t} MODIFY {n} int NULL', ...unique],
  ],
};

/** Tables whose key distinguishes texts that the collation of the column treats as equal. */
const strictKeys: Readonly<Record<string, readonly string[]>> = {
  sqlite: [
    'CREATE TABLE strict_keys (k TEXT COLLATE NOCASE NOT NULL, mark int, note text, PRIMARY KEY (k COLLATE BINARY)) WITHOUT ROWID',
  ],
  postgres: [
    "CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false)",
    'CREATE TABLE strict_keys (k text COLLATE loose NOT NULL, mark int, note text)',
    'CREATE UNIQUE INDEX ON strict_keys (k COLLATE "C")',
  ],
};

/** Tables of four rows, of which two have the same id. */
const shared: Readonly<Record<string, readonly string[]>> = {
  sqlite: [
    'CREATE TABLE shared (k TEXT PRIMARY KEY NOT NULL, mark int, note text)',
    "INSERT INTO shared VALUES ('MQ', 1, NULL), (x'31', 2, NULL), ('a', 3, NULL), (x'ff', 4, NULL)",
  ],
  postgres: [
    'CREATE TABLE shared (k jsonb PRIMARY KEY, mark int, note text)',
    `INSERT INTO shared VALUES ('1', 1), ('"1"', 2), ('"a"', 3), ('null', 4)`,
  ],
  mysql: [
    'CREATE TABLE merged_1 (k int PRIMARY KEY, mark int, note text) ENGINE=MyISAM',
    'CREATE TABLE merged_2 LIKE merged_1',
    'INSERT INTO merged_1 VALUES (3, 1, NULL), (4, 3, NULL)',
    'INSERT INTO merged_2 VALUES (3, 2, NULL), (5, 4, NULL)',
    'CREATE TABLE shared (k int, mark int, note text, PRIMARY KEY (k)) ENGINE=MERGE UNION=(merged_1, merged_2)',
  ],
};

interface Keyed {
  /** Whether each column is NOT NULL. */
  readonly required: readonly boolean[];
  readonly indexes: readonly { readonly kind: IndexKind; readonly columns: readonly string[] }[];
  readonly rows: readonly (readonly (number | null)[])[];
}

function tables(all: readonly IndexKind[]): fc.Arbitrary<Keyed> {
  // There are few values, so that columns share values.
  const value = fc.oneof(
    { weight: 6, arbitrary: fc.nat(3) },
    { weight: 1, arbitrary: fc.constant(null) },
  );
  return fc.record({
    required: fc.array(fc.constantFrom(true, true, true, false), { minLength: 3, maxLength: 3 }),
    indexes: fc.array(
      fc.record({
        kind: fc.constantFrom(...all),
        columns: fc.shuffledSubarray([...names], { minLength: 1, maxLength: 2 }),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    rows: fc.array(fc.array(value, { minLength: 3, maxLength: 3 }), { minLength: 2, maxLength: 8 }),
  });
}

/**
 * Inserts the rows last, because some indexes can only be created on an empty table. Skips rows
 * that a key rejects.
 */
async function createTable(
  { database }: Harness,
  name: string,
  { required, indexes, rows }: Keyed,
): Promise<void> {
  const columns = names.map(
    (column, i) => `${column} int${required[i] === true ? ' NOT NULL' : ''}`,
  );
  await database.run(`CREATE TABLE ${name} (${columns.join(', ')}, mark int, note varchar(20))`);
  for (const [i, { kind, columns: keyed }] of indexes.entries())
    for (const statement of kind) {
      const text = statement
        .replaceAll('{t}', name)
        .replaceAll('{i}', `${name}_${String.fromCodePoint(122 - i)}`)
        .replaceAll('{c}', keyed.join(', '))
        .replaceAll('{n}', keyed[0] ?? '');
      await database.run(text).catch(() => undefined);
    }
  for (const [mark, values] of rows.entries())
    await database
      .run(`INSERT INTO ${name} VALUES (${values.map(String).join(', ')}, ${mark}, NULL)`)
      .catch(() => undefined);
}

/** Changes each row by the id that the page builds, and returns the number of changed rows. */
async function changeEach(harness: Harness, name: string): Promise<number> {
  const table = (await harness.table(name)) as unknown as Table;
  const { data } = await harness.list(name, { pageSize: 500 });
  let written = 0;
  for (const row of data) {
    const id = rowId(table, row as Row);
    if (id === undefined) continue;
    const write = harness.update(name, id, { body: { note: 'changed' } });
    const isWritten = await write.then(
      () => true,
      async () => {
        expect(['no_row_identity', 'not_null_violation']).toContain((await failureOf(write)).code);
        return false;
      },
    );
    const changed = await harness.database.query(`SELECT mark FROM ${name} WHERE note = 'changed'`);
    expect(changed.map(([mark]) => Number(mark))).toEqual(isWritten ? [row['mark']] : []);
    await harness.database.run(`UPDATE ${name} SET note = NULL WHERE note = 'changed'`);
    written += Number(isWritten);
  }
  return written;
}

describeOnEachDatabase('row keys', (harness) => {
  test('are the same for the page and the server', async () => {
    const all = kinds[harness.underTest.name];
    if (all === undefined) return;
    let made = 0;
    let written = 0;
    await fc.assert(
      fc.asyncProperty(tables(all), async (table) => {
        const name = `keyed_${++made}`;
        try {
          await createTable(harness, name, table);
          await harness.refresh();
          written += await changeEach(harness, name);
        } finally {
          await harness.database.run(`DROP TABLE IF EXISTS ${name}`);
        }
      }),
      { numRuns: 40 },
    );
    expect(written).toBeGreaterThan(10);
  });

  test('that compare more strictly than their columns address each row', async () => {
    const statements = strictKeys[harness.underTest.name];
    if (statements === undefined) return;
    for (const statement of statements) await harness.database.run(statement);
    const texts = ['a', 'A', 'á', 'ß', 'ss', 'b', ''];
    for (const [mark, text] of texts.entries())
      await harness.database.run(`INSERT INTO strict_keys VALUES ('${text}', ${mark}, NULL)`);
    await harness.refresh();
    expect(await changeEach(harness, 'strict_keys')).toBe(texts.length);
    await harness.remove('strict_keys', 'A');
    const remainingKeys = await harness.database.query('SELECT k FROM strict_keys');
    expect(remainingKeys.map(([k]) => k).toSorted()).toEqual(
      texts.filter((text) => text !== 'A').toSorted(),
    );
  });

  test('that two rows share address neither row', async () => {
    const statements = shared[harness.underTest.name];
    if (statements === undefined) return;
    for (const statement of statements) await harness.database.run(statement);
    await harness.refresh();
    expect(await changeEach(harness, 'shared')).toBe(2);
  });

  test('of an ENUM distinguish the empty label from the error value, or address neither', async () => {
    if (harness.underTest.name !== 'mysql') return;
    await harness.database.run(
      "CREATE TABLE labeled (k enum('a', '') PRIMARY KEY, mark int, note text)",
    );
    for (const [mark, label] of ['a', '', 'none of the list'].entries())
      await harness.database.run(`INSERT IGNORE INTO labeled VALUES ('${label}', ${mark}, NULL)`);
    await harness.refresh();
    expect(await changeEach(harness, 'labeled')).toBe(1);
  });

  test('that are checked at the commit are used too', async () => {
    if (harness.underTest.name !== 'postgres') return;
    await harness.database.run(
      'CREATE TABLE late (k int PRIMARY KEY DEFERRABLE INITIALLY DEFERRED, mark int)',
    );
    await harness.database.run('INSERT INTO late VALUES (1, 1), (2, 2)');
    await harness.refresh();
    const violation = { code: 'unique_violation', columns: ['k'] };
    expect(await failureOf(harness.update('late', '1', { body: { k: 2 } }))).toMatchObject(
      violation,
    );
    expect(await failureOf(harness.create('late', { k: 2 }))).toMatchObject(violation);
    expect(await harness.database.query('SELECT k FROM late ORDER BY k')).toEqual([[1], [2]]);
  });
});
