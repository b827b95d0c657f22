/** Cursors of pages while another client changes the file. */
import { test } from 'vitest';
import { checkOutdatedCursors } from './outdated-cursors.ts';

test('cursors', () => checkOutdatedCursors({ numRuns: 12 }));
