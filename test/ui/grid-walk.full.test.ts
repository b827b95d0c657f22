import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWalkBench } from './grid-walk.ts';
import type { WalkBench } from './grid-walk.ts';

const seed = Number(process.env['STUDIO_TEST_SEED']);
const walks = 400;

let bench: WalkBench;
beforeAll(async () => {
  bench = await openWalkBench();
});
afterAll(() => bench.close());

test('after each of many random walks the database contains what the user saw', async () => {
  for (let i = 0; i < walks; i++) {
    const { expected, stored, log } = await bench.walk(seed + i, 50);
    expect(stored, `walk ${seed + i}:\n${log.join('\n')}`).toEqual(expected);
  }
}, 1_800_000);
