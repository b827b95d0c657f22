/** Lays out schemas for tests of the diagram, and expects what holds for every layout. */
import { afterAll, expect } from 'vitest';
import type { Arrangement } from '../../src/diagram/arrangement.ts';
import { createFontStack, measureWith } from '../../src/diagram/fonts.ts';
import { arrangeTables } from '../../src/diagram/layout.ts';
import { createElkRunner } from '../../src/diagram/run-elk.ts';
import type { ShownColumns } from '../../src/diagram/table-box.ts';
import type { Schema } from '../../src/model/schema.ts';
import {
  ambiguousTexts,
  coveredLabels,
  detachedBranches,
  detachedEnds,
  linesThroughTables,
  outside,
  overlaps,
  slantedLines,
  unconnectedColumns,
} from './measures.ts';

export const elk = createElkRunner({ timeMs: 60_000, heapMb: 1024 });
afterAll(() => elk[Symbol.asyncDispose]());

export const measure = measureWith(createFontStack());

export function arranged(schema: Schema, columns: ShownColumns = 'all'): Promise<Arrangement> {
  return arrangeTables(schema, { columns, measure, runElk: elk.run });
}

export function expectClean(arrangement: Arrangement): void {
  expect(overlaps(arrangement)).toEqual([]);
  expect(linesThroughTables(arrangement)).toEqual([]);
  expect(slantedLines(arrangement)).toEqual([]);
  expect(detachedEnds(arrangement)).toEqual([]);
  expect(outside(arrangement)).toEqual([]);
  expect(unconnectedColumns(arrangement)).toEqual([]);
  expect(detachedBranches(arrangement)).toEqual([]);
  expect(ambiguousTexts(arrangement)).toEqual([]);
  expect(coveredLabels(arrangement)).toEqual([]);
}
