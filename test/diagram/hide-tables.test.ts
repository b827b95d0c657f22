/** Tables that a picture leaves out: the others stay where they are. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { hideTables } from '../../src/diagram/hide-tables.ts';
import { arranged } from './arranged.ts';
import { largeSchema } from './large-schemas.ts';
import { detachedEnds, outside } from './measures.ts';
import type { Arrangement } from '../../src/diagram/arrangement.ts';

test.each([20, 60])('of %d tables', { timeout: 120_000 }, async (count) => {
  const whole = await arranged(largeSchema({ tables: count, seed: 5, parts: 'prefix' }));
  const names = whole.boxes.map(({ box }) => box.table.name);
  const positionsIn = ({ boxes }: Arrangement): ReadonlyMap<string, readonly [number, number]> =>
    new Map(boxes.map(({ x, y, box }) => [box.table.name, [x, y]]));
  const before = positionsIn(whole);
  fc.assert(
    fc.property(fc.subarray(names, { minLength: 1, maxLength: names.length - 1 }), (hidden) => {
      const part = hideTables(whole, new Set(hidden));
      const after = positionsIn(part);
      expect([...after.keys()]).toEqual(names.filter((name) => !hidden.includes(name)));
      const offsets = [...after].map(([name, [x, y]]) => {
        const [oldX, oldY] = before.get(name)!;
        return `${Math.round(x - oldX)} ${Math.round(y - oldY)}`;
      });
      expect(new Set(offsets).size).toBe(1);
      for (const { line } of part.routes)
        expect(hidden).not.toEqual(
          expect.arrayContaining([expect.toBeOneOf([line.child.table, line.parent.table])]),
        );
      const drawnRoutes = whole.routes.filter(
        ({ line }) => !hidden.includes(line.child.table) && !hidden.includes(line.parent.table),
      );
      expect(part.routes).toHaveLength(drawnRoutes.length);
      expect(part.frames.flatMap(({ tables }) => tables)).not.toContain(hidden[0]);
      expect(detachedEnds(part)).toEqual([]);
      expect(outside(part)).toEqual([]);
    }),
    { numRuns: 30 },
  );
  expect(hideTables(whole, new Set(names)).boxes).toEqual([]);
});
