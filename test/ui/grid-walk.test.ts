import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWalkHarness } from './grid-walk.ts';
import type { WalkHarness } from './grid-walk.ts';

const seed = Number(process.env['STUDIO_TEST_SEED']);
const walks = 6;

let harness: WalkHarness;
beforeAll(async () => {
  harness = await openWalkHarness();
});
afterAll(() => harness.close());

test('after a random walk of 50 steps the database contains what the user saw', async () => {
  for (let i = 0; i < walks; i++) {
    const { expected, stored, log } = await harness.walk(seed + i, 50);
    expect(stored, `walk ${seed + i}:\n${log.join('\n')}`).toEqual(expected);
  }
});
