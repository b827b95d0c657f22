/** The memory that the parser of PostgreSQL takes in the process of the server. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** Enough calls for the optimizing compiler to start. */
const program = (limit: boolean): string => `
  import { limitCompiler } from './src/cli/limit-compiler.ts';
  import { loadModule, parseSync } from 'libpg-query';
  if (${limit}) limitCompiler();
  await loadModule();
  for (let i = 0; i < 3000; i++) parseSync('SELECT ' + i + ' + count(*) FROM a WHERE t LIKE $1 ORDER BY 1');
  await new Promise((resolve) => setTimeout(resolve, 2000));
  process.stdout.write(String(process.resourceUsage().maxRSS));
`;

test('stays under 200 MB', () => {
  const megabytesWith = (limit: boolean): number =>
    Number(execFileSync(process.execPath, ['--input-type=module', '-e', program(limit)])) / 1024;
  expect(megabytesWith(true)).toBeLessThan(200);
  // Otherwise the limit is no longer needed, or the program no longer shows what it prevents.
  expect(megabytesWith(false)).toBeGreaterThan(400);
});
