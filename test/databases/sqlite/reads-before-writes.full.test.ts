import { test } from 'vitest';
import { checkWritesEndReads } from './reads-before-writes.ts';

const timeoutMs = 600_000;

test.each(['delete', 'truncate', 'persist', 'wal'] as const)(
  'endless reads are canceled for writes (%s)',
  (mode) => checkWritesEndReads(mode, 8),
  timeoutMs,
);
