/**
 * Nearly right texts for every reader: `node scripts/fuzz.ts [--minutes 10]
 * [--only CSV] [--seed 1]`. Findings become tests in test/security/12-findings.test.ts. Also measures
 * what a text of twice the length costs: a ratio far above two is no linear time.
 */
import { parseArgs } from 'node:util';
import * as fc from 'fast-check';
import { fuzzedReaders, almostValid, acceptsOrRejects } from '../test/security/fuzzing.ts';
import type { Fuzzed } from '../test/security/fuzzing.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    only: { type: 'string', default: '' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});

const selected = Object.entries(fuzzedReaders).filter(([name]) => name.includes(values.only));
const eachMs = (Number(values.minutes) * 60_000) / selected.length;
const repeated = [
  '(',
  '[',
  '{',
  '"',
  "'",
  '/*',
  '--',
  '<a>',
  '- ',
  '\\',
  ',',
  'a ',
  '\n',
  '`',
  '$a$',
  'a,',
  '{"a":',
  'x\t',
];
/** Text of twice the length is reported when it takes more than this many times as long. */
const suspicious = 3.5;
const longEnoughMs = 40;

async function search(name: string, fuzzed: Fuzzed): Promise<boolean> {
  const outcome = await fc.check(
    fc.asyncProperty(almostValid(fuzzed), (text) => acceptsOrRejects(fuzzed, text)),
    { numRuns: 10_000_000, interruptAfterTimeLimit: eachMs, seed: Number(values.seed) },
  );
  const found = outcome.failed && outcome.counterexample !== null;
  console.log(`${name}: ${outcome.numRuns} texts${found ? '' : ', nothing found'}`);
  if (found)
    console.log(
      `  ${JSON.stringify(outcome.counterexample?.[0])}\n  ${String(outcome.errorInstance)}`,
    );
  return found;
}

async function cost(fuzzed: Fuzzed, text: string): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 3; i++) {
    const start = process.cpuUsage();
    await acceptsOrRejects(fuzzed, text);
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1000);
  }
  return Math.min(...times);
}

async function measure(name: string, fuzzed: Fuzzed): Promise<boolean> {
  let isSuspect = false;
  for (const repeatedText of repeated) {
    const text = repeatedText.repeat(Math.floor(100_000 / repeatedText.length));
    const [once, twice] = [await cost(fuzzed, text), await cost(fuzzed, text + text)];
    if (twice < longEnoughMs || twice < once * suspicious) continue;
    // A pause of the garbage collector does not repeat.
    if ((await cost(fuzzed, text.repeat(4))) < twice * suspicious) continue;
    isSuspect = true;
    console.log(
      `${name}: ${JSON.stringify(repeatedText)} repeated, twice as long, takes ${(twice / once).toFixed(1)} times as long (${twice.toFixed(0)} ms)`,
    );
  }
  return isSuspect;
}

console.log(`seed ${values.seed}`);
for (const [name, fuzzed] of selected) {
  const isFound = await search(name, fuzzed);
  const isSlow = await measure(name, fuzzed);
  if (isFound || isSlow) process.exitCode = 1;
}
