/** Two values of a cell have the same entity tag if and only if SQLite stores them alike, by typeof() and bytes. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createStudio } from '../../../src/studio/studio.ts';
import { listDefaults } from '../kit/harness.ts';
import { makeFile, openRaw } from './fixture.ts';

const types = ['', 'BLOB', 'TEXT', 'INTEGER', 'REAL', 'NUMERIC', 'BOOLEAN', 'JSON', 'DATETIME'];

const alike = [
  ['1', '1.0', "'1'", "'1.0'", "x'31'", 'true', "'true'", "'01'"],
  ["x'FF'", "CAST(x'FF' AS TEXT)", `'{"$base64":"/w=="}'`, `'"/w=="'`, "x'EFBFBD'", "'\ufffd'"],
  ['9e999', '-9e999', "'Infinity'", "'-Infinity'", "'1e999'", '1e308'],
  ['0', '0.0', '-0.0', "'-0'", "''", "x''", 'NULL', "'null'", '\'{"$json":null}\''],
  ['9007199254740993', "'9007199254740993'", '9007199254740992.0', `'{"$int":"9007199254740993"}'`],
];

const bytes = fc
  .uint8Array({ minLength: 1, maxLength: 3 })
  .map((value) => Buffer.from(value).toString('hex'));
const expression = fc.oneof(
  fc.constantFrom(...alike.flat()),
  bytes.map((hex) => `x'${hex}'`),
  bytes.map((hex) => `CAST(x'${hex}' AS TEXT)`),
);
const pair = fc.oneof(
  fc
    .constantFrom(...alike)
    .chain((group) => fc.tuple(fc.constantFrom(...group), fc.constantFrom(...group))),
  fc.tuple(expression, expression),
  bytes.map((hex) => [`x'${hex}'`, `CAST(x'${hex}' AS TEXT)`] as [string, string]),
);

test('tags differ when the stored values differ', async () => {
  const columns = types.map((type, i) => `c${i} ${type}`);
  const path = makeFile(
    `CREATE TABLE t (id INTEGER PRIMARY KEY, ${columns.join(', ')}); INSERT INTO t (id) VALUES (1)`,
  );
  const raw = openRaw(path);
  const studio = await createStudio({ url: path });
  const tagOf = async (column: string, value: string): Promise<readonly [string, unknown]> => {
    raw.exec(`UPDATE t SET ${column} = ${value}`);
    const stored = raw
      .prepare(`SELECT typeof(${column}), hex(CAST(${column} AS BLOB)) FROM t`)
      .raw()
      .get();
    const { meta } = await studio.perform('get-row', { table: 't', id: '1', showDeleted: false });
    const query = { ...listDefaults, etags: true, cells: 'preview' as const };
    const { body } = await studio.perform('list-rows', { table: 't', query });
    expect((JSON.parse(String(body)) as { etags: unknown }).etags).toEqual([meta.etag]);
    return [JSON.stringify(stored), meta.etag];
  };
  try {
    await fc.assert(
      fc.asyncProperty(fc.nat(types.length - 1), pair, async (at, [one, other]) => {
        const [first, firstTag] = await tagOf(`c${at}`, one);
        const [second, secondTag] = await tagOf(`c${at}`, other);
        raw.exec(`UPDATE t SET c${at} = NULL`);
        expect({ first, second, isOneTag: firstTag === secondTag }).toEqual({
          first,
          second,
          isOneTag: first === second,
        });
      }),
      { numRuns: 250, endOnFailure: true },
    );
  } finally {
    await studio.close();
  }
});
