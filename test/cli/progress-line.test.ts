import { expect, test } from 'vitest';
import { createProgressLine } from '../../src/cli/progress-line.ts';
import type { Progress } from '../../src/studio/core/job.ts';

function lineOf(progress: Progress): string {
  let text = '';
  const terminal = { isTTY: true, columns: 80, write: (chunk: string) => (text += chunk) };
  createProgressLine(terminal as unknown as NodeJS.WriteStream).show(progress);
  return text.replace('\r\u001b[2K', '');
}

const empty = '░'.repeat(20);

test.each([
  [{ bytes: 1, total_bytes: 1000, rows: 0 }, `${empty} reading the file, 0%`],
  [{ bytes: 400, total_bytes: 1000, rows: 0 }, /^█{8}░{12} reading the file, 40%, \d+ s left$/],
  [
    { bytes: 835, total_bytes: 1000, rows: 1_200_000, table: 'users' },
    /^█{17}░{3} users: 1,200,000 rows, 83%, \d+ s left$/,
  ],
  [{ bytes: 83_000_000, total_bytes: 0, rows: 1 }, /^1 row, 83\.0 MB, [\d.]+ .?B\/s$/],
])('the progress %j is one line', (progress, expected) => {
  expect(lineOf(progress)).toMatch(expected);
});
