/** Command line and environment to what is to be done: all by the tables, every failure one sentence. */
import { existsSync } from 'node:fs';

import { didYouMean, nearest } from '../model/nearest.ts';
import { commandNames, commandOf, commandSyntax, defaultCommand } from './commands.ts';
import { findCommand, parametersOf } from './commands.ts';
import type { CommandName } from './commands.ts';
import { wrongUsage } from './exit-error.ts';
import { maskCredentials } from './mask-credentials.ts';
import { isOptionName, optionNames, optionOf, optionsOf } from './options.ts';
import { urlVariable, variableOf } from './options.ts';
import type { OptionName, OptionValues } from './options.ts';
import { readParameters } from './read-parameters.ts';
import type { ParameterValues } from './read-parameters.ts';
import { readValue } from './read-value.ts';
import { readWords } from './words.ts';
import type { GivenFlags, Words } from './words.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a command works with. */
export interface Invocation {
  readonly command: CommandName;
  /** Where the database is, as written; may hold credentials. */
  readonly url: string | undefined;
  /** What follows the URL. */
  readonly operands: readonly string[];
  readonly values: OptionValues;
  /** Of the command's route, by their names on the wire. */
  readonly parameters: ParameterValues;
}

export type CommandLine =
  | { readonly kind: 'help'; readonly command: CommandName | undefined }
  | { readonly kind: 'version' }
  | ({ readonly kind: 'run' } & Invocation);

export function parseCommandLine(args: readonly string[], env: Environment): CommandLine {
  const words = readWords(args);
  const found = findCommand(words.positionals);
  if (words.flags.has('help')) return { kind: 'help', command: found?.name };
  if (words.flags.has('version')) return { kind: 'version' };
  return { kind: 'run', ...readInvocation(words, env, found) };
}

function readInvocation(
  { positionals, flags }: Words,
  env: Environment,
  found: ReturnType<typeof findCommand>,
): Invocation {
  const command = found?.name ?? defaultCommand;
  if (found === undefined) checkGroup(positionals);
  checkFlags(command, flags);
  const values = readOptions(command, flags, env);
  const given = positionals.slice(found?.words ?? 0);
  if (found === undefined && !values.create) checkWord(given[0]);
  const { url, operands } = placeArguments(command, given, env);
  return { command, url, operands, values, parameters: readParameters(command, flags) };
}

/** `export` and `import` are no commands by themselves. */
function checkGroup([first]: readonly string[]): void {
  const members = commandNames.filter((name) => name.startsWith(`${first} `));
  if (members.length > 0)
    throw wrongUsage(`"${first}" is the beginning of a command: ${members.join(', ')}.`);
}

function checkFlags(command: CommandName, flags: GivenFlags): void {
  const own: readonly string[] = [...optionsOf(command), ...Object.keys(parametersOf(command))];
  const stray = [...flags.keys()].find((name) => !own.includes(name));
  if (stray === undefined) return;
  const takers = commandNames.filter(
    (name) =>
      Object.hasOwn(parametersOf(name), stray) ||
      (isOptionName(stray) && optionOf(stray).commands.includes(name)),
  );
  throw wrongUsage(`${command} takes no --${stray}; it is an option of: ${takers.join(', ')}.`);
}

/** The URL comes first; when the environment gives it, it may be left out. */
function placeArguments(
  command: CommandName,
  given: readonly string[],
  env: Environment,
): Pick<Invocation, 'url' | 'operands'> {
  const { operand, url: need } = commandOf(command);
  const fromEnvironment = env[urlVariable] || undefined;
  const least = operand === undefined ? 0 : 1;
  const hasUrl = fromEnvironment === undefined || given.length > least;
  const url = hasUrl ? given[0] : fromEnvironment;
  const operands = hasUrl ? given.slice(1) : given;
  if (url === undefined && need === 'required')
    throw wrongUsage(
      `${commandSyntax(command)}: the URL is missing, and ${urlVariable} is not set.`,
    );
  if (operand !== undefined && operands.length === 0)
    throw wrongUsage(`${commandSyntax(command)}: the ${operand.name} is missing.`);
  const extra = operand?.repeated ? undefined : operands[least];
  if (extra !== undefined) throw tooMany(command, extra);
  return { url, operands };
}

function tooMany(command: CommandName, extra: string): Error {
  const { operand } = commandOf(command);
  const taken = operand === undefined ? 'one URL' : `one URL and one ${operand.name}`;
  return wrongUsage(
    `"${maskCredentials(extra)}" is one argument too many: ${command} takes ${taken}.`,
  );
}

/** A bare word may be a misspelt command as well as a file. What looks like a path or a URL is neither. */
function checkWord(word: string | undefined): void {
  if (word === undefined || !/^[\w-]+$/.test(word) || existsSync(word)) return;
  const known = commandNames.join(', ');
  throw wrongUsage(
    `"${word}" is neither a command (${known}) nor a file that exists.` +
      `${didYouMean(word, commandNames)} To make a SQLite file of that name, add --create.`,
  );
}

/** Options of other commands keep their defaults, whatever the environment says. */
function readOptions(command: CommandName, flags: GivenFlags, env: Environment): OptionValues {
  const entries = optionNames.map((name) => {
    const isOwn = optionOf(name).commands.includes(command);
    const variable = isOwn ? variableOf(name) : undefined;
    const given = fromFlag(name, flags) ?? fromVariable(name, variable, env);
    return [name, valueOf(name, given)];
  });
  return Object.fromEntries(entries) as OptionValues;
}

/** What an option was given, and what the message of a wrong value calls it. */
interface Given {
  readonly texts: readonly string[];
  readonly source: string;
}

function fromFlag(name: OptionName, flags: GivenFlags): Given | undefined {
  const texts = flags.get(name)?.map((text) => text ?? 'true');
  return texts && { texts, source: `--${name}` };
}

/** An empty variable is not set. */
function fromVariable(name: OptionName, variable = '', env: Environment): Given | undefined {
  const text = env[variable];
  if (!text) return undefined;
  const isList = optionOf(name).kind === 'list';
  const texts = isList ? text.split(',').flatMap((part) => part.trim() || []) : [text];
  return { texts, source: variable };
}

function valueOf(name: OptionName, given: Given | undefined): unknown {
  const option = optionOf(name);
  const { texts, source } = given ?? { texts: [], source: '' };
  if (option.kind === 'list') return texts.map((text) => readValue(option, text, source));
  const text = texts.at(-1) ?? option.default;
  if (text === undefined) return option.kind === 'boolean' ? false : undefined;
  return readValue(option, text, source);
}

const variablePrefix = 'STUDIO_';

/** Sentences on variables that look like a misspelt setting: a studio that was to be read-only must not write. */
export function misspeltVariables(env: Environment): string[] {
  const known = optionNames.flatMap((name) => variableOf(name) ?? []);
  const endings = known.map((variable) => variable.slice(variablePrefix.length));
  const unknown = Object.keys(env).filter(
    (variable) => variable.startsWith(variablePrefix) && !known.includes(variable),
  );
  return unknown.flatMap((variable) => {
    const near = nearest(variable.slice(variablePrefix.length), endings);
    return near ? [`${variable} is no setting. Did you mean ${variablePrefix}${near}?`] : [];
  });
}
