/** The command line's words, told apart: arguments, and flags with the values they were given. */
import { parseArgs } from 'node:util';

import { nearest } from '../model/nearest.ts';
import { wrongUsage } from './exit-error.ts';
import type { OptionName } from './options.ts';
import { isOptionName, optionNames, optionOf } from './options.ts';
import { expectation } from './read-value.ts';

export interface Words {
  readonly positionals: readonly string[];
  /** By flag, the texts in the order given; undefined for a bare flag. */
  readonly flags: GivenFlags;
}

export type GivenFlags = ReadonlyMap<OptionName, readonly (string | undefined)[]>;

export function readWords(args: readonly string[]): Words {
  const positionals: string[] = [];
  const flags = new Map<OptionName, (string | undefined)[]>();
  for (const token of tokenize(args)) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    if (!isOptionName(token.name)) throw unknownFlag(args[token.index] ?? token.rawName);
    flags.set(token.name, [...(flags.get(token.name) ?? []), valueOf(token.name, token)]);
  }
  return { positionals, flags };
}

/** Not strict: strict parsing throws sentences that are not ours. */
function tokenize(args: readonly string[]) {
  const options = optionNames.map((name) => {
    const { kind, short } = optionOf(name);
    const type = kind === 'boolean' ? ('boolean' as const) : ('string' as const);
    return [name, { type, ...(short && { short }) }] as const;
  });
  return parseArgs({
    args: [...args],
    options: Object.fromEntries(options),
    strict: false,
    allowPositionals: true,
    tokens: true,
  }).tokens;
}

interface GivenValue {
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

/** A word that begins with a dash is the next flag, not this one's value; `--flag=-word` says otherwise. */
function valueOf(name: OptionName, { value, inlineValue }: GivenValue): string | undefined {
  const option = optionOf(name);
  if (option.kind === 'boolean') return value;
  const isNextFlag = !inlineValue && /^-\D/.test(value ?? '');
  if (value && !isNextFlag) return value;
  throw wrongUsage(`--${name} needs a value: ${expectation(option)}.`);
}

/** The value is left out of the message: it may be a password behind a misspelt flag. */
function unknownFlag(word: string): Error {
  const flag = word.replace(/=.*$/s, '');
  const near = nearest(flag.replace(/^-+/, ''), optionNames);
  return wrongUsage(`There is no option "${flag}".${near ? ` Did you mean "--${near}"?` : ''}`);
}
