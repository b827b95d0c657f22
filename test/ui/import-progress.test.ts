import { expect, test } from 'vitest';
import { rowsText, shareOf } from '../../ui/src/importing/progress-share.ts';

test('the share of a file that is read twice never falls', () => {
  const bytes = 1000;
  const rows = 50;
  const reports = [
    { bytes: 10, total_bytes: 2 * bytes, rows: 0 },
    { bytes: 990, total_bytes: 2 * bytes, rows: 0 },
    { bytes: 1010, total_bytes: 2 * bytes, rows: 1 },
    { bytes: 1500, total_bytes: 2 * bytes, rows: 25 },
    { bytes: 2000, total_bytes: 2 * bytes, rows: 50 },
  ];
  for (const known of [rows, undefined]) {
    const shares = reports.map((progress) => shareOf(progress, { rows: known, bytes }));
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares[3]).toBe(0.75);
  }
});

test('rows are counted beside their number, once they are imported', () => {
  const progress = { bytes: 1, total_bytes: 2, rows: 0 };
  expect(rowsText(progress, 2000)).toBe('Reading the file …');
  expect(rowsText({ ...progress, rows: 1500 }, 2000)).toBe('1,500 of 2,000 rows');
  expect(rowsText({ ...progress, rows: 1500 }, undefined)).toBe('1,500 rows');
});
