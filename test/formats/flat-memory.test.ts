/** Files of 30 to 60 MB are read by processes with a heap of at most 40 MB. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const script = join(import.meta.dirname, 'read-large-file.ts');
const run = promisify(execFile);

test.each([
  ['csv', 250_000],
  ['json', 250_001],
  ['ndjson', 250_000],
  ['sql', 250_001],
  ['copy', 250_000],
  ['xlsx', 80_000],
])('%s is never completely in memory', { timeout: 120_000 }, async (format, rows) => {
  const { stdout } = await run(process.execPath, ['--max-old-space-size=40', script, format]);
  expect(Number(stdout)).toBe(rows);
});
