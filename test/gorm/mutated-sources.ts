/** Declarations in which tokens were changed, with gofmt as the judge of what is still Go. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constantFrom, nat, record, sample } from 'fast-check';
import { expect } from 'vitest';
import { isGoSyntaxError } from '../../src/gorm/go/syntax/outline.ts';
import { goEnvironment } from './go-environment.ts';
import { parseFile } from '../../src/gorm/go/syntax/parse-file.ts';
import { fixtures } from './goldens.ts';

const casesFolder = join(fixtures, 'cases');

const functionText = /^func [^\n]*\{\n(?:(?!\})[^\n]*\n)*\}\n|^func [^\n]*\n/gm;

/** The cases without functions: what is in their bodies is no declaration. */
const sources = (readdirSync(casesFolder, { recursive: true }) as string[])
  .filter((path) => path.endsWith('.go'))
  .toSorted()
  .map((path) => readFileSync(join(casesFolder, path), 'utf8').replaceAll(functionText, ''))
  .filter((text) => !/\bfunc\b.*\{/.test(text));

const tokenPattern =
  /"(?:\\.|[^"\\\n])*"|`[^`]*`|[\p{L}_][\p{L}\p{Nd}_]*|\d+|\/\/[^\n]*|[^\s\p{L}\p{Nd}_]/gu;

const mutation = record({
  source: constantFrom(...sources),
  at: nat(),
  other: nat(),
  change: constantFrom('delete', 'repeat', 'replace', 'swap'),
});

type Mutation = ReturnType<typeof mutation.generate>['value_'];

function mutate({ source, at, other, change }: Mutation): string {
  const tokens = [...source.matchAll(tokenPattern)];
  const first = tokens[at % tokens.length]!;
  const second = tokens[other % tokens.length]!;
  const [text] = first;
  const from = first.index;
  const to = from + text.length;
  const put = (replacement: string): string =>
    source.slice(0, from) + replacement + source.slice(to);
  if (change === 'delete') return put('');
  if (change === 'repeat') return put(`${text} ${text}`);
  if (change === 'replace' || second.index < to) return put(second[0]);
  const between = source.slice(to, second.index);
  const after = source.slice(second.index + second[0].length);
  return source.slice(0, from) + second[0] + between + text + after;
}

/** What gofmt says of the files that it rejects, by their numbers. Undefined without Go. */
function rejectedByGofmt(folder: string): ReadonlyMap<string, string> | undefined {
  const { stderr, error } = spawnSync('gofmt', ['-l', folder], {
    encoding: 'utf8',
    env: goEnvironment,
    maxBuffer: 2 ** 26,
  });
  if (error !== undefined) return undefined;
  const found = [...stderr.matchAll(/(\d+)\.go:(\d+:\d+: .*)/g)];
  return new Map(found.toReversed().map(([, number = '', message = '']) => [number, message]));
}

/**
 * What gofmt accepts and Go's compiler does not: a constant with a type and no value, a literal of no type, a
 * type as a value, a field that is an array of nothing, a text as the argument of a type, and an import of `.`
 * with its path on the next line.
 */
function isKnownLimit(text: string, offset: number): boolean {
  const before = text.slice(0, offset).replaceAll(/\/\/[^\n]*/g, '');
  return (
    /= *(?:map)?\[\w*\]\w+(?:\{\})?\s*$|\n\t\w+(?:, \w+)* +[\w.*[\]]+\s*$|\nconst \w+(?:, \w+)* +[^=\n]+\s*$|[`")\]]\.\w+$|\n\t+\w+(?: +\[|\[[`"])[^\]]*\]\s*(?:\w+ *)?$/.test(
      before,
    ) ||
    /^\.\s*(?:\/\/[^\n]*)?\n/.test(text.slice(offset)) ||
    /^const \w+(?:, \w+)* +(?:struct|interface) *\{/m.test(text)
  );
}

/** Returns false without Go. */
export function expectSameAsGofmt(count: number): boolean {
  const texts = sample(mutation, count).map(mutate);
  const folder = mkdtempSync(join(tmpdir(), 'studio-mutants-'));
  try {
    for (const [i, text] of texts.entries()) writeFileSync(join(folder, `${i}.go`), text);
    const rejected = rejectedByGofmt(folder);
    if (rejected === undefined) return false;
    const differences = texts.flatMap((text, i) => {
      const found = parseFile({ name: 'm.go', text });
      const ofGofmt = rejected.get(String(i));
      const ofStudio = isGoSyntaxError(found) ? `${found.message} at ${found.offset}` : undefined;
      if ((ofGofmt === undefined) === (ofStudio === undefined)) return [];
      if (isGoSyntaxError(found) && isKnownLimit(text, found.offset)) return [];
      return [{ ofGofmt, ofStudio, text }];
    });
    expect(differences).toEqual([]);
    // Otherwise a judge that says nothing would pass.
    expect(rejected.size).toBeGreaterThan(count / 10);
    expect(rejected.size).toBeLessThan(count);
    return true;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
