/** Names in a request are looked up in the schema, and no other part of a request becomes SQL (SECURITY.md 2, 3). */
import { describe, expect, test } from 'vitest';
import { describeOnEachDatabase } from '../databases/kit/harness.ts';
import { bigint, foreignKeyTo, tableWithId, optional } from '../databases/kit/tables.ts';
import { requestSender, jsonBody } from './send-request.ts';
import type { SendRequest } from './send-request.ts';

/** Names that would change a statement if they were inserted without quotes. */
const names = [
  "items'; DROP TABLE items; --",
  'items"',
  'items;',
  '(SELECT 1)',
  'id) OR (1=1',
  'id DESC',
  'id, (SELECT name FROM secrets)',
  '1',
  '*',
  'rowid',
  'items.id',
  'information_schema.tables',
  'sqlite_schema',
  'pg_catalog.pg_authid',
  'mysql.user',
  '__proto__',
  'constructor',
  '\u0000',
  '..',
  '%',
];

/** Matches words that only occur in error messages of databases. */
const databaseErrorWords =
  /syntax error|SQLITE_|near ".*":|SQLSTATE|ER_[A-Z]{3}|does not exist|at line \d/;

const searchTerms = [
  '%',
  '_',
  'a%',
  '\\',
  '\\%',
  '[a]',
  "'",
  "' OR '1'='1",
  '*',
  '?',
  '$1',
  '\u0000x',
  '"',
  '^',
  'É',
];

describeOnEachDatabase('names of requests', (harness) => {
  let ask: SendRequest;

  harness.beforeTests(async () => {
    await harness.createTables([
      tableWithId('secrets', [optional('name', { kind: 'text' })]),
      tableWithId('items', [optional('name', { kind: 'text' }), optional('secret_id', bigint)], {
        foreignKeys: [foreignKeyTo('secrets', ['secret_id'])],
      }),
    ]);
    await harness.insertRows('secrets', [{ name: 'hidden treasure' }]);
    await harness.insertRows('items', [{ name: 'one' }, { name: 'a%b_c\\d[e]' }]);
    ask = requestSender(harness.studio);
  });

  describe.each(names)('%j', (name) => {
    const encodedName = encodeURIComponent(name);

    test('as a column, table, relation or format is rejected before it reaches the database', async () => {
      for (const path of [
        `/tables/items/rows?sort_by=${encodedName}`,
        `/tables/items/rows?filter_${encodedName}=1`,
        `/tables/items/rows?filter_${encodedName}__gt=1`,
        `/tables/items/rows?filter_id__${encodedName}x=1`,
        `/tables/items/rows?sort_by=id&sort_order=${encodedName}`,
        `/tables/${encodedName}/rows`,
        `/tables/${encodedName}/export`,
        `/tables/items/rows/1/relations/${encodedName}`,
        `/tables/items/rows/1/cells/${encodedName}`,
        `/tables/items/export?format=${encodedName}`,
        `/export/schema?format=${encodedName}`,
        `/export/data?tables=${encodedName}`,
        `/export/schema?format=sql&dialect=${encodedName}`,
      ]) {
        const { status, json, text } = await ask(path);
        expect([400, 404], `${path}: ${text}`).toContain(status);
        expect(json['error'], path).not.toMatch(databaseErrorWords);
        expect(text).not.toContain('treasure');
      }
    });

    test('as a column of a body is rejected', async () => {
      const body = JSON.stringify({ [`${name}x`]: 1 });
      for (const [path, method] of [
        ['/tables/items/rows', 'POST'],
        ['/tables/items/rows/1', 'PUT'],
      ] as const) {
        const { status, json } = await ask(path, jsonBody(body, method));
        expect(status).toBe(400);
        expect(json['error']).not.toMatch(databaseErrorWords);
      }
    });
  });

  test('no request has deleted a row', async () => {
    expect((await ask('/tables/items/rows')).json).toMatchObject({ total: 2 });
  });

  const storedName = 'a%b_c\\d[e]';

  test.each(searchTerms)('the term %j is searched literally', async (term) => {
    const { status, json, text } = await ask(
      `/tables/items/rows?search=${encodeURIComponent(term)}`,
    );
    if (term.includes('\u0000')) return expect([200, 400], text).toContain(status);
    expect(status, text).toBe(200);
    const found = (json['data'] as { readonly name: string }[]).map((row) => row.name);
    expect(found).toEqual(
      [storedName, 'one'].filter((text) => text.toLowerCase().includes(term.toLowerCase())),
    );
  });

  test.each(['contains', 'starts', 'ends'])(
    'the filter operator %s compares its text literally',
    async (operator) => {
      for (const text of ['%', '_', '\\', '[e]', 'a%b_', 'd[e]']) {
        const { json } = await ask(
          `/tables/items/rows?filter_name__${operator}=${encodeURIComponent(text)}`,
        );
        const expectedMatches: Readonly<Record<string, boolean>> = {
          contains: storedName.includes(text),
          starts: storedName.startsWith(text),
          ends: storedName.endsWith(text),
        };
        expect(json['total'], text).toBe(expectedMatches[operator] === true ? 1 : 0);
      }
    },
  );
});
