/** Splits the command line into positional arguments and flags with their values. */
import { parseArgs } from 'node:util';

import { closestName } from '../model/nearest.ts';
import { commandNames, defaultCommand, findCommand, parametersOf } from './commands.ts';
import type { CommandName } from './commands.ts';
import { wrongUsage } from './exit-error.ts';
import { isOptionName, optionNames, optionOf, optionsOf } from './options.ts';
import { expectation } from './read-value.ts';

export interface Arguments {
  readonly positionals: readonly string[];
  /** Values by flag, in the order given; undefined for a flag without a value. */
  readonly flags: FlagValues;
}

export type FlagValues = ReadonlyMap<string, readonly (string | undefined)[]>;

/** An option, or a query parameter of a command's route. */
interface Flag {
  readonly isBoolean: boolean;
  readonly short?: string;
  /** Describes the valid values, to end an error message. */
  readonly expects: string;
}

/** How a route describes the values of a boolean parameter. */
const booleanWords = 'true, false, 1 or 0';

const knownFlags: ReadonlyMap<string, Flag> = new Map([
  ...commandNames
    .flatMap((name) => Object.entries(parametersOf(name)))
    .map(([name, { expected }]): [string, Flag] => [
      name,
      { isBoolean: expected === booleanWords, expects: expected },
    ]),
  ...optionNames.map((name): [string, Flag] => {
    const option = optionOf(name);
    const { kind, short } = option;
    return [
      name,
      { isBoolean: kind === 'boolean', expects: expectation(option), ...(short && { short }) },
    ];
  }),
]);

export function splitArguments(args: readonly string[]): Arguments {
  const tokens = tokenize(args);
  const positionals = tokens.flatMap((token) => (token.kind === 'positional' ? token.value : []));
  const command = findCommand(positionals)?.name ?? defaultCommand;
  const flags = new Map<string, (string | undefined)[]>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const flag = knownFlags.get(token.name);
    if (flag === undefined) throw unknownFlag(args[token.index] ?? token.rawName, command);
    flags.set(token.name, [...(flags.get(token.name) ?? []), valueOf(flag, token)]);
  }
  return { positionals, flags };
}

/** Not strict, so that errors have the wording of this command. */
function tokenize(args: readonly string[]) {
  const options = [...knownFlags].map(([name, { isBoolean, short }]) => {
    const type = isBoolean ? ('boolean' as const) : ('string' as const);
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

interface OptionToken {
  readonly name: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

/** An argument that starts with a dash is the next flag, not a value. `--flag=-value` passes such a value. */
function valueOf(
  { isBoolean, expects }: Flag,
  { name, value, inlineValue }: OptionToken,
): string | undefined {
  if (isBoolean) return value;
  const isNextFlag = !inlineValue && /^-\D/.test(value ?? '');
  const mayBeEmpty = !isOptionName(name) && inlineValue === true;
  if ((value || mayBeEmpty) && !isNextFlag) return value;
  throw wrongUsage(`--${name} requires a value: ${expects}.`);
}

/** The message omits the value: it may be a password after a misspelled flag. */
function unknownFlag(word: string, command: CommandName): Error {
  const flag = word.replace(/=.*$/s, '');
  const name = flag.replace(/^-+/, '');
  const commandFlags = [...optionsOf(command), ...Object.keys(parametersOf(command))];
  const closest = closestName(name, commandFlags) ?? closestName(name, [...knownFlags.keys()]);
  return wrongUsage(
    `There is no option "${flag}".${closest ? ` Did you mean "--${closest}"?` : ''}`,
  );
}
