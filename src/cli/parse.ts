/** Command line and environment to what is to be done: all by the tables, every failure one sentence. */
import { existsSync } from 'node:fs';

import { didYouMean, nearest } from '../model/nearest.ts';
import { commandNames, commandSyntax, commandTable } from './commands.ts';
import { defaultCommand, isCommandName } from './commands.ts';
import type { CommandName } from './commands.ts';
import { wrongUsage } from './exit-error.ts';
import { maskCredentials } from './mask-credentials.ts';
import { optionNames, optionOf, optionsOf, urlVariable, variableOf } from './options.ts';
import type { OptionName, OptionValues } from './options.ts';
import { readValue } from './read-value.ts';
import { readWords } from './words.ts';
import type { GivenFlags, Words } from './words.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a command works with. */
export interface Invocation {
  /** Where the database is, as written; may hold credentials. */
  readonly url: string | undefined;
  readonly values: OptionValues;
}

export type CommandLine =
  | { readonly kind: 'help'; readonly command: CommandName | undefined }
  | { readonly kind: 'version' }
  | ({ readonly kind: 'run'; readonly command: CommandName } & Invocation);

export function parseCommandLine(args: readonly string[], env: Environment): CommandLine {
  const words = readWords(args);
  const [first] = words.positionals;
  const named = isCommandName(first) ? first : undefined;
  if (words.flags.has('help')) return { kind: 'help', command: named };
  if (words.flags.has('version')) return { kind: 'version' };
  return { kind: 'run', ...readInvocation(words, env, named) };
}

function readInvocation(
  { positionals, flags }: Words,
  env: Environment,
  named: CommandName | undefined,
): Invocation & { command: CommandName } {
  const command = named ?? defaultCommand;
  checkFlags(command, flags);
  const values = readOptions(command, flags, env);
  const urls = named ? positionals.slice(1) : positionals;
  if (!named && !values.create) checkWord(urls[0]);
  checkCount(command, urls);
  const url = urls[0] ?? (env[urlVariable] || undefined);
  if (commandTable[command].url === 'optional' || url !== undefined)
    return { command, url, values };
  throw wrongUsage(`${commandSyntax(command)}: the URL is missing, and ${urlVariable} is not set.`);
}

function checkFlags(command: CommandName, flags: GivenFlags): void {
  const own = optionsOf(command);
  const stray = [...flags.keys()].find((name) => !own.includes(name) && !optionOf(name).pending);
  if (stray === undefined) return;
  const takers = optionOf(stray).commands.join(', ');
  throw wrongUsage(`${command} takes no --${stray}; it is an option of: ${takers}.`);
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

function checkCount(command: CommandName, [, extra]: readonly string[]): void {
  if (extra === undefined) return;
  const shown = maskCredentials(extra);
  throw wrongUsage(`"${shown}" is one argument too many: ${command} takes one URL.`);
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
  if (given && option.pending) throw wrongUsage(`${source} is not in this version yet.`);
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
