/** The page maps each column of a file apart, also those that share a name or have none. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { createStudio } from '../../src/studio/studio.ts';
import { previewCsv } from '../../ui/src/file-preview/preview-csv.ts';
import type { Studio } from '../../src/studio/studio.ts';

const folder = mkdtempSync(join(tmpdir(), 'studio-mapped-'));
const file = join(folder, 'rows.db');
const database = new BetterSqlite3(file);
database.exec('CREATE TABLE t (c0 TEXT, c1 TEXT, c2 TEXT, c3 TEXT, c4 TEXT)');
let studio: Studio;
beforeAll(async () => {
  studio = await createStudio({ url: file });
});
afterAll(async () => {
  await studio.close();
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

const names = fc.array(fc.constantFrom('', 'a', 'b', 'a (2)', 'column 2', 'column 3', 'c0'), {
  minLength: 2,
  maxLength: 5,
});

test('each column goes where it is mapped', async () => {
  await fc.assert(
    fc.asyncProperty(names, fc.infiniteStream(fc.boolean()), async (header, areSkipped) => {
      database.exec('DELETE FROM t');
      const quoted = (texts: readonly string[]): string => texts.map((text) => `"${text}"`).join();
      const csv = `${quoted(header)}\n${quoted(header.map((_, i) => `v${i}`))}\n`;
      const { head } = previewCsv({ bytes: Buffer.from(csv), isWhole: true }, {});
      const { columns } = head;
      expect(new Set(columns).size).toBe(header.length);
      const targets = columns.map((_, i) => (areSkipped.next().value === true ? null : `c${i}`));
      fc.pre(targets.some((target) => target !== null));
      const form = new FormData();
      form.set('file', new Blob([csv]), 't.csv');
      form.set(
        'mapping',
        JSON.stringify(Object.fromEntries(columns.map((name, i) => [name, targets[i]]))),
      );
      const response = await createApp(studio).fetch(
        new Request('http://localhost/studio/api/import/data?table=t', {
          method: 'POST',
          body: form,
        }),
      );
      expect(response.status, await response.text()).toBe(200);
      const row = database.prepare('SELECT * FROM t').get() as Record<string, string | null>;
      const expected = Array.from({ length: 5 }, (_, i) =>
        targets[i] === null || targets[i] === undefined ? null : `v${i}`,
      );
      expect(Object.values(row)).toEqual(expected);
    }),
    { numRuns: 30 },
  );
});
