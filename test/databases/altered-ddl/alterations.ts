/**
 * Schema files with one altered token, read by each dialect's reader. A reader that passes over what it
 * does not understand reads the altered file as the original one.
 */
import { baseScript, pickOne, seededRandom, randomScript } from './expand.ts';
import type { DdlReadResult } from '../../../src/sql/ddl/ddl-reader.ts';
import type { RandomBelow, DdlTemplates } from './expand.ts';

export interface Alteration {
  /** The whole file. */
  readonly original: string;
  readonly altered: string;
  /** The tokens that are deleted or replaced. */
  readonly removed: string;
  /** The text before them. */
  readonly before: string;
}

const tokenPattern = /\/\*M?!\d+|\*\/|N?'(?:[^']|'')*'|`[^`]*`|\[[^\]]*\]|\/\*.*?\*\/|@?[\w.]+|\S/g;

export const clauseWords =
  'KEY NOT NULL DEFAULT UNIQUE WITH ON USING ( ) , = 7 PRIMARY COMMENT FIRST COLUMN COLLATE SET CHECK INDEX'.split(
    ' ',
  );

/** A word that no dialect knows. */
export const unknownWord = 'zzunknown';

interface Tokens {
  readonly base: string;
  readonly script: string;
  readonly tokens: readonly RegExpExecArray[];
}

function tokensOf(templates: DdlTemplates, pick: RandomBelow): Tokens {
  const script = randomScript(templates, pick);
  return { base: baseScript(templates), script, tokens: [...script.matchAll(tokenPattern)] };
}

/** The file with the unknown word in front of any of its tokens. */
export function withUnknownWord(templates: DdlTemplates, seed: number): Alteration {
  const pick = seededRandom(seed);
  const { base, script, tokens } = tokensOf(templates, pick);
  const at = pickOne(pick, tokens).index;
  const altered = `${base}${script.slice(0, at)} ${unknownWord} ${script.slice(at)}`;
  return { original: base + script, altered, removed: '', before: script.slice(0, at) };
}

/** The file with one to three tokens deleted, replaced or repeated. */
export function withMistake(templates: DdlTemplates, seed: number): Alteration {
  const pick = seededRandom(seed);
  const { base, script, tokens } = tokensOf(templates, pick);
  const first = pick(tokens.length);
  const last = tokens[Math.min(tokens.length - 1, first + Math.max(0, pick(5) - 2))]!;
  const from = tokens[first]!.index;
  const to = last.index + last[0].length;
  const removed = script.slice(from, to);
  const instead = pickOne(pick, ['', '', '', pickOne(pick, clauseWords), `${removed} ${removed}`]);
  const altered = `${base}${script.slice(0, from)} ${instead} ${script.slice(to)}`;
  return { original: base + script, altered, removed, before: script.slice(0, from) };
}

/** The warnings without their lines. */
export function warningsOf({ warnings }: DdlReadResult): readonly string[] {
  return warnings.map((warning) => warning.replace(/^Line \d+: /, ''));
}

/** Whether both files are read as the same, with the same warnings. */
export function isReadAlike(one: DdlReadResult, other: DdlReadResult): boolean {
  return resultText(one) === resultText(other);
}

export function resultText(result: DdlReadResult): string {
  const { schema, dropped, problems } = result;
  const names = dropped.map(({ name }) => name);
  return JSON.stringify([schema, names, problems, warningsOf(result)]);
}
