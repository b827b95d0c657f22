/** Columns with numeric affinity whose declared type is not numeric (STRING, UUID). */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { StudioError } from '../../../src/model/errors.ts';
import { createStudio } from '../../../src/studio/studio.ts';
import { importFile } from '../importing.ts';
import { decimals, doubles, texts, wholeNumbers } from '../cells/texts.ts';
import { bodyText, rowOf, jsonTextsOf } from '../kit/harness.ts';
import { makeFile, openRaw } from './fixture.ts';

const types = ['STRING', 'UUID', 'DATE', 'TIMESTAMP', 'JSON', 'INTERVAL', 'TEXT', 'CITEXT'];

const numeric = fc.oneof(wholeNumbers(), decimals, doubles);
const written = fc.oneof(
  texts(),
  numeric,
  fc
    .tuple(fc.constantFrom('', ' ', '0', '+', '-'), numeric, fc.constantFrom('', '\n', '0', '.'))
    .map((parts) => parts.join('')),
);

test('text is stored unchanged or rejected', async () => {
  const columns = types.map((type, i) => `c${i} ${type}`).join(', ');
  const path = makeFile(`CREATE TABLE t (id INTEGER PRIMARY KEY, ${columns})`);
  const raw = openRaw(path);
  const studio = await createStudio({ url: path });
  try {
    await fc.assert(
      fc.asyncProperty(fc.nat(types.length - 1), written, async (i, text) => {
        const body = JSON.stringify({ [`c${i}`]: text });
        const reply = await studio
          .perform('create-row', { table: 't', body })
          .catch(expectInvalidValue);
        if (reply === undefined) {
          expect(types[i]).not.toMatch(/TEXT/);
          return;
        }
        const stored = raw.prepare(`SELECT typeof(c${i}), c${i} FROM t WHERE id = ?`).raw();
        const [kind, found] = stored.get(rowOf(reply)['id']) as [string, unknown];
        const token = jsonTextsOf(reply)[`c${i}`];
        if (kind === 'text') expect(found).toBe(text);
        else expect([text, `"${text}"`, `{"$int":"${text}"}`]).toContain(token);
      }),
      { numRuns: 300 },
    );
    const body = '{"c0":"007"}';
    await expect(studio.perform('create-row', { table: 't', body })).rejects.toMatchObject({
      code: 'invalid_value',
    });
    await expect(importFile(path, ['t.csv', 'c0\n007\n'], { table: 't' })).rejects.toMatchObject({
      code: 'import_failed',
    });
  } finally {
    await studio.close();
    raw.close();
  }
});

function expectInvalidValue(error: unknown): undefined {
  if (error instanceof StudioError && error.code === 'invalid_value') return undefined;
  throw error;
}

test('text that is not UTF-8 stays as it is when its row is written back', async () => {
  const path = makeFile(`CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT NOT NULL) STRICT;
    INSERT INTO t VALUES (1, CAST(X'61FF' AS TEXT))`);
  const studio = await createStudio({ url: path });
  const raw = openRaw(path);
  try {
    const row = { table: 't', id: '1', showDeleted: false };
    const body = bodyText(await studio.perform('get-row', row));
    expect(JSON.parse(body)).toEqual({ id: 1, v: { $base64: 'Yf8=' } });
    await studio.perform('update-row', { ...row, body });
    expect(raw.prepare('SELECT typeof(v), hex(v) FROM t').raw().get()).toEqual(['text', '61FF']);
  } finally {
    await studio.close();
    raw.close();
  }
});
