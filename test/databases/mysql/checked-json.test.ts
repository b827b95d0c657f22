/**
 * Columns with a JSON_VALID check that hold text which JSON.parse rejects. Each response must still
 * be valid JSON.
 */
import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../../src/http/app.ts';
import { createStudio } from '../../../src/studio/studio.ts';
import { useMariadb } from '../../servers/mariadb.ts';

const database = useMariadb();

const fragments = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ':',
  ',',
  '1',
  '1.',
  '-',
  'e5',
  'null',
  '\\',
  'q',
  'é',
  ' ',
];
const documents = fc.json();
const texts = fc.oneof(
  fc.constantFrom('nope', '1.', '"\\q"', String.raw`{"path":"C:\windows"}`, '', 'NaN'),
  fc.array(fc.constantFrom(...fragments), { maxLength: 6 }).map((parts) => parts.join('')),
  documents,
  fc.tuple(documents, fc.constantFrom(...fragments)).map((parts) => parts.join('')),
);

/** The document, or the text as a string. */
function shown(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value === null ? { $json: null } : value;
  } catch {
    return text;
  }
}

test('a text that is not valid JSON is a JSON string in each response', async () => {
  await database().query(
    'CREATE TABLE checked (id int PRIMARY KEY, v longtext CHECK (json_valid(v)))',
  );
  const studio = await createStudio({ url: database().url });
  onTestFinished(() => studio.close());
  const app = createApp(studio);
  const ask = async (path: string, init: RequestInit = {}): Promise<unknown> =>
    (await app.fetch(new Request(`http://localhost/studio/api/${path}`, init))).json();
  await fc.assert(
    fc.asyncProperty(fc.array(texts, { minLength: 1, maxLength: 20 }), async (stored) => {
      const values = stored.map((text, id) => {
        const hex = Buffer.from(text).toString('hex');
        return `(${id}, CONVERT(X'${hex}' USING utf8mb4))`;
      });
      await database().query(
        `SET check_constraint_checks = 0; DELETE FROM checked; INSERT INTO checked VALUES ${values.join()}`,
      );
      const rows = stored.map((text, id) => ({ id, v: shown(text) }));
      expect(await ask('tables/checked/rows')).toMatchObject({ data: rows });
      expect(await ask('tables/checked/rows/0')).toEqual(rows[0]);
      const statement = {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ query: 'SELECT id, v FROM checked ORDER BY id' }),
      };
      expect(await ask('sql', statement)).toMatchObject({ rows });
    }),
    { numRuns: 20 },
  );
  expect(Array.isArray(await ask('tables/checked/export'))).toBe(true);
});
