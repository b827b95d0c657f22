import { expect, test } from 'vitest';
import { spawnModule } from '../../src/processes/spawn-module.ts';
import type { ChildExit } from '../../src/processes/errors.ts';

test("a child process does not spend memory on optimizing PostgreSQL's parser", async () => {
  let output = '';
  const exit = await new Promise<ChildExit>((resolve) => {
    const entry = new URL('./fixtures/parser-memory.ts', import.meta.url);
    spawnModule({ entry, log: (text) => (output += text) }, { pipes: 1, onExit: resolve });
  });
  expect(exit.exitCode, output).toBe(0);
  // 70 MB; V8's optimizing compiler takes 600.
  expect(Number(output)).toBeGreaterThan(0);
  expect(Number(output)).toBeLessThan(300);
});
