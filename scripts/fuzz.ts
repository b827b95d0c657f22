/**
 * `node scripts/fuzz.ts [--minutes 10] [--only CSV] [--seed 1]`: sends almost valid texts to every parser.
 * Findings become tests in test/security/12-findings.test.ts. Also measures texts of twice the length:
 * a parser of linear time takes twice as long.
 */
import { parseArgs } from 'node:util';
import * as fc from 'fast-check';
import { fuzzedReaders, almostValid, acceptsOrRejects } from '../test/security/fuzzing.ts';
import type { FuzzedParser } from '../test/security/fuzzing.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    only: { type: 'string', default: '' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});

const selected = Object.entries(fuzzedReaders).filter(([name]) => name.includes(values.only));
const msPerReader = (Number(values.minutes) * 60_000) / selected.length;
const repeatedTexts = [
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
/** A text of twice the length is reported if it takes more than this many times as long. */
const suspiciousRatio = 3.5;
/** Shorter times vary too much to compare. */
const minimumMs = 40;

async function search(name: string, fuzzed: FuzzedParser): Promise<boolean> {
  const outcome = await fc.check(
    fc.asyncProperty(almostValid(fuzzed), (text) => acceptsOrRejects(fuzzed, text)),
    { numRuns: 10_000_000, interruptAfterTimeLimit: msPerReader, seed: Number(values.seed) },
  );
  const found = outcome.failed && outcome.counterexample !== null;
  console.log(`${name}: ${outcome.numRuns} texts${found ? '' : ', nothing found'}`);
  if (found)
    console.log(
      `  ${JSON.stringify(outcome.counterexample?.[0])}\n  ${String(outcome.errorInstance)}`,
    );
  return found;
}

async function cpuMsOf(fuzzed: FuzzedParser, text: string): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 3; i++) {
    const start = process.cpuUsage();
    await acceptsOrRejects(fuzzed, text);
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1000);
  }
  return Math.min(...times);
}

async function measure(name: string, fuzzed: FuzzedParser): Promise<boolean> {
  let isSuspect = false;
  for (const repeatedText of repeatedTexts) {
    const text = repeatedText.repeat(Math.floor(100_000 / repeatedText.length));
    const [once, twice] = [await cpuMsOf(fuzzed, text), await cpuMsOf(fuzzed, text + text)];
    if (twice < minimumMs || twice < once * suspiciousRatio) continue;
    // Measured again at four times the length, because a pause of the garbage collector does not repeat.
    if ((await cpuMsOf(fuzzed, text.repeat(4))) < twice * suspiciousRatio) continue;
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
