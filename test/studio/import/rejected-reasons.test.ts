/** The reasons in a file of rejected rows name no parameters of the API. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { importFile } from '../../databases/importing.ts';

const folder = mkdtempSync(join(tmpdir(), 'studio-reasons-'));
const url = join(folder, 'reasons.db');
new BetterSqlite3(url).exec('CREATE TABLE p (id INTEGER PRIMARY KEY, d DATE)').close();

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['a title', 'id\n1,2,3\n', {}, 'Line 2: The row has 3 fields; the header has 1.'],
  [
    'another order',
    'id,d\n1,13/01/2000\n2,01/13/2000\n',
    { date_order: 'DMY' },
    'is not a date in the order DMY, that of the file.',
  ],
])('of a file with %s', async (_what, content, options, reason) => {
  const path = join(folder, 'rejected.csv');
  await importFile(url, ['p.csv', content], {
    table: 'p',
    on_error: 'skip',
    keep_rejected: true,
    rejectedTo: { path },
    ...options,
  });
  const rejected = readFileSync(path, 'utf8');
  expect(rejected).toContain(reason);
  expect(rejected).not.toMatch(/skip_rows|date_order/);
});
