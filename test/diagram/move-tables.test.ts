/** Pictures with moved tables: tables are where they were moved to, and lines and frames follow them. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Arrangement } from '../../src/diagram/arrangement.ts';
import { moveTables } from '../../src/diagram/move-tables.ts';
import { arranged } from './arranged.ts';
import {
  detachedEnds,
  detachedBranches,
  outside,
  slantedLines,
  unconnectedColumns,
} from './measures.ts';
import { generatedSchema } from './schemas.ts';

const arrange = (namespaces: readonly string[]): Promise<Arrangement> =>
  arranged(generatedSchema({ tables: 24, namespaces }), 'keys');

const coordinate = fc.double({ min: -5000, max: 5000, noNaN: true });
const position = fc.record({ x: coordinate, y: coordinate });

test.each([[[]], [['sales', 'stock', 'people']]])(
  'with the namespaces %j, random moves keep a picture whole',
  async (namespaces) => {
    const before = await arrange(namespaces);
    const names = before.boxes.map(({ box }) => box.table.name);
    const moves = fc.uniqueArray(fc.tuple(fc.constantFrom(...names), position), {
      minLength: 1,
      maxLength: names.length,
      selector: ([name]) => name,
    });
    fc.assert(
      fc.property(moves, (entries) => {
        const positions = new Map(entries);
        const after = moveTables(before, positions);
        // One translation of everything, so that the picture begins at 0, is the only difference.
        const expected = before.boxes.map(
          ({ box, x, y }) => positions.get(box.table.name) ?? { x, y },
        );
        const shift = {
          x: after.boxes[0]!.x - expected[0]!.x,
          y: after.boxes[0]!.y - expected[0]!.y,
        };
        for (const [i, { x, y }] of after.boxes.entries()) {
          expect(x).toBeCloseTo(expected[i]!.x + shift.x, 6);
          expect(y).toBeCloseTo(expected[i]!.y + shift.y, 6);
        }
        expect(outside(after)).toEqual([]);
        expect(slantedLines(after)).toEqual([]);
        expect(detachedEnds(after)).toEqual([]);
        expect(unconnectedColumns(after)).toEqual([]);
        expect(detachedBranches(after)).toEqual([]);
        for (const { x, y, width, height } of after.frames) {
          expect(Math.min(x, y)).toBeGreaterThanOrEqual(-1e-6);
          expect(x + width).toBeLessThanOrEqual(after.width + 1e-6);
          expect(y + height).toBeLessThanOrEqual(after.height + 1e-6);
        }
      }),
    );
  },
);

test('without moves, nothing changes', async () => {
  const before = await arrange([]);
  expect(moveTables(before, new Map())).toBe(before);
});
