/** The long variant of outdated-cursors.test.ts. */
import { test } from 'vitest';
import { checkOutdatedCursors } from './outdated-cursors.ts';

test('cursors, many times', { timeout: 3_600_000 }, () => checkOutdatedCursors({ numRuns: 400 }));
