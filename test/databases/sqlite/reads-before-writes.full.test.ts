import { test } from 'vitest';
import { checkReadsGiveWay } from './reads-before-writes.ts';

const generousMs = 600_000;

test.each(['delete', 'truncate', 'persist', 'wal'] as const)(
  'endless reads are canceled for writes (%s)',
  (mode) => checkReadsGiveWay(mode, 8),
  generousMs,
);
