/** Tables whose columns have the names of the rowid: the row that is addressed is the row that changes. */
import {
  array,
  assert,
  asyncProperty,
  constant,
  constantFrom,
  nat,
  oneof,
  record,
  shuffledSubarray,
  uniqueArray,
} from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import { createStudio } from '../../../src/studio/studio.ts';
import { rowId } from '../../../ui/src/api/row-key.ts';
import { failureOf, listDefaults, readBody } from '../kit/harness.ts';
import { makeFile, openRaw } from './fixture.ts';
import type { Row, Table } from '../../../ui/src/api/responses.ts';

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const rowIdNames = ['rowid', 'ROWID', 'RowId', 'oid', 'Oid', '_rowid_', '_ROWID_', '_Rowid_'];
const types = ['', 'INTEGER', 'TEXT', 'BLOB'];
const keys = ['none', 'primary', 'unique', 'without rowid'] as const;

interface Shape {
  readonly names: readonly string[];
  readonly types: readonly string[];
  readonly key: (typeof keys)[number];
  /** Columns of the key among the names, if there is one. */
  readonly keyColumns: readonly string[];
  readonly rows: readonly (readonly (number | string | null)[])[];
}

/** Small numbers: a value of one row is the rowid of another. The text resembles the id of such a row. */
const small = oneof(
  { weight: 10, arbitrary: nat(4) },
  { weight: 4, arbitrary: constant(null) },
  { weight: 1, arbitrary: constant('_rowid_=1') },
);

const shape: Arbitrary<Shape> = uniqueArray(constantFrom(...rowIdNames, 'a'), {
  minLength: 1,
  maxLength: 4,
  selector: (name) => name.toLowerCase(),
}).chain((names) =>
  record({
    names: constant(names),
    types: array(constantFrom(...types), { minLength: names.length, maxLength: names.length }),
    key: constantFrom(...keys),
    keyColumns: shuffledSubarray([...names], {
      minLength: 1,
      maxLength: Math.min(2, names.length),
    }),
    rows: array(array(small, { minLength: names.length, maxLength: names.length }), {
      minLength: 2,
      maxLength: 6,
    }),
  }),
);

/** `mark` is unique for each row. The studio changes `note`. */
function definitionOf({ names, types: declared, key, keyColumns }: Shape): string {
  const columns = names.map((name, i) => {
    const required = key === 'unique' && keyColumns.includes(name) ? ' NOT NULL' : '';
    return `${quote(name)} ${declared[i] ?? ''}${required}`;
  });
  const list = `(${keyColumns.map(quote).join(', ')})`;
  const constraint = {
    none: [],
    primary: [`PRIMARY KEY ${list}`],
    unique: [`UNIQUE ${list}`],
    'without rowid': [`PRIMARY KEY ${list}`],
  }[key];
  const ending = key === 'without rowid' ? ' WITHOUT ROWID' : '';
  return `CREATE TABLE t (${[...columns, 'mark INTEGER', 'note TEXT', ...constraint].join(', ')})${ending}`;
}

test('an id that the page forms from a row changes that row', async () => {
  const path = makeFile('CREATE TABLE t (mark INTEGER)');
  const raw = openRaw(path);
  const studio = await createStudio({ url: path });
  let written = 0;
  try {
    await assert(
      asyncProperty(shape, async (generated) => {
        raw.exec(`DROP TABLE t; ${definitionOf(generated)}`);
        const { names, rows } = generated;
        const insert = raw.prepare(
          `INSERT OR IGNORE INTO t (${[...names, 'mark'].map(quote).join(', ')}) VALUES (${'?, '.repeat(names.length)}?)`,
        );
        const stored = (value: number | string | null, i: number): number | string | null =>
          generated.types[i] === 'INTEGER' && typeof value === 'string' ? null : value;
        rows.forEach((values, mark) => insert.run(...values.map(stored), mark));
        const changed = raw.prepare('SELECT mark FROM t WHERE note IS NOT NULL').pluck();
        const { tables } = readBody(await studio.perform('refresh-schema', {})) as {
          tables: Table[];
        };
        const table = tables[0]!;
        const list = await studio.perform('list-rows', { table: 't', query: listDefaults });
        for (const row of (readBody(list) as { data: Row[] }).data) {
          const id = rowId(table, row);
          if (id === undefined) continue;
          const write = studio.perform('update-row', {
            table: 't',
            id,
            body: '{"note":"x"}',
            showDeleted: false,
          });
          const isWritten = await write.then(
            () => true,
            async () => {
              expect(await failureOf(write)).toMatchObject({ code: 'no_row_identity' });
              // In a list of ids this key has the text of a row number.
              expect(id).toBe('_rowid_%3D1');
              return false;
            },
          );
          expect(changed.all()).toEqual(isWritten ? [row['mark']] : []);
          written += Number(isWritten);
          raw.exec('UPDATE t SET note = NULL');
        }
      }),
      { numRuns: 150 },
    );
    expect(written).toBeGreaterThan(100);
  } finally {
    await studio.close();
  }
});

test('a key has precedence over a rowid with the same text, and rows with NULL keys use _rowid_=', async () => {
  const path = makeFile('CREATE TABLE t (k TEXT PRIMARY KEY, v)');
  const raw = openRaw(path);
  raw.exec(
    `INSERT INTO t (rowid, k, v) VALUES (1, NULL, 'a'), (2, NULL, 'b'), (3, '1', 'c'), (4, '4', 'd'), (-5, NULL, 'e')`,
  );
  const studio = await createStudio({ url: path });
  const read = async (id: string): Promise<unknown> =>
    (readBody(await studio.perform('get-row', { table: 't', id, showDeleted: false })) as Row)['v'];
  try {
    const ids = ['1', '_rowid_=1', '_rowid_%3D1', '2', '_rowid_=2', '4', '_rowid_=-5'];
    expect(await Promise.all(ids.map(read))).toEqual(['c', 'a', 'a', 'b', 'b', 'd', 'e']);
    expect(await failureOf(read('_rowid_=4'))).toMatchObject({ code: 'row_not_found' });
    const body = '{"ids":["_rowid_=1","1","2"]}';
    await studio.perform('bulk-delete', { table: 't', body, showDeleted: false, permanent: false });
    expect(raw.prepare('SELECT v FROM t ORDER BY v').pluck().all()).toEqual(['d', 'e']);
  } finally {
    await studio.close();
  }
});

test('a column called _rowid_ is a column: listed, exported and imported as one', async () => {
  const path = makeFile('CREATE TABLE t (_rowid_, rowid)');
  const raw = openRaw(path);
  raw.exec(`INSERT INTO t (oid, _rowid_, rowid) VALUES (7, 8, 9), (8, 7, 'x')`);
  const studio = await createStudio({ url: path });
  try {
    const list = await studio.perform('list-rows', { table: 't', query: listDefaults });
    expect(readBody(list)).toMatchObject({
      data: [
        { _rowid_: 8, rowid: 9, oid: 7 },
        { _rowid_: 7, rowid: 'x', oid: 8 },
      ],
    });
  } finally {
    await studio.close();
  }
});
