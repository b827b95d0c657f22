/** Parses the command line and the environment, driven by the tables of commands and options. */
import { existsSync } from 'node:fs';

import { didYouMean, closestName } from '../model/nearest.ts';
import { commandNames, commandOf, commandSyntax, defaultCommand } from './commands.ts';
import { findCommand, parametersOf } from './commands.ts';
import type { CommandName } from './commands.ts';
import { wrongUsage } from './exit-error.ts';
import { formatOfFile } from './format-of-file.ts';
import { maskCredentials } from './mask-credentials.ts';
import { isOptionName, optionNames, optionOf, optionsOf } from './options.ts';
import { urlVariable, variableOf } from './options.ts';
import type { OptionName, OptionValues } from './options.ts';
import { readParameters } from './read-parameters.ts';
import type { ParameterValues } from './read-parameters.ts';
import { readValue } from './read-value.ts';
import { splitArguments } from './split-arguments.ts';
import type { FlagValues, Arguments } from './split-arguments.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A parsed command. */
export interface Invocation {
  readonly command: CommandName;
  /** The database URL as given. It may contain credentials. */
  readonly url: string | undefined;
  /** The file that the URL comes from, if it is neither an argument nor in the environment. */
  readonly urlSource?: string;
  /** The arguments after the URL. */
  readonly operands: readonly string[];
  readonly values: OptionValues;
  /** Query parameters of the command's route, by their names in the API. */
  readonly parameters: ParameterValues;
}

export type CommandLine =
  | { readonly kind: 'help'; readonly command: CommandName | undefined }
  | { readonly kind: 'version' }
  | ({ readonly kind: 'run' } & Invocation);

/** Finds the URL in a file if neither the arguments nor the environment have one. */
export type FindEnvFileUrl = () => { readonly value: string; readonly source: string } | undefined;

export function parseCommandLine(
  args: readonly string[],
  env: Environment,
  findEnvFileUrl: FindEnvFileUrl = () => undefined,
): CommandLine {
  const words = splitArguments(args);
  const found = findCommand(words.positionals);
  if (words.flags.has('help')) return { kind: 'help', command: found?.name };
  if (words.flags.has('version')) return { kind: 'version' };
  return { kind: 'run', ...readInvocation(words, { env, findEnvFileUrl }, found) };
}

interface UrlSources {
  readonly env: Environment;
  readonly findEnvFileUrl: FindEnvFileUrl;
}

function readInvocation(
  { positionals, flags }: Arguments,
  sources: UrlSources,
  found: ReturnType<typeof findCommand>,
): Invocation {
  const command = found?.name ?? defaultCommand;
  if (found === undefined) checkGroup(positionals);
  checkFlags(command, flags);
  const values = readOptions(command, flags, sources.env);
  const operandTexts = positionals.slice(found?.words ?? 0);
  if (found === undefined && !values.create) checkWord(operandTexts[0]);
  const assigned = assignArguments(command, operandTexts, sources);
  return { command, ...assigned, values, parameters: parametersFor(command, flags, values) };
}

/** The extension of the file determines its format, unless --format does. */
function parametersFor(
  command: CommandName,
  flags: FlagValues,
  { out }: OptionValues,
): ParameterValues {
  const parameters = readParameters(command, flags);
  const format = out === undefined || flags.has('format') ? undefined : formatOfFile(out, command);
  return format === undefined ? parameters : { ...parameters, format };
}

/** `export` and `import` are incomplete commands. */
function checkGroup([first]: readonly string[]): void {
  const members = commandNames.filter((name) => name.startsWith(`${first} `));
  if (members.length > 0)
    throw wrongUsage(`"${first}" is the beginning of a command: ${members.join(', ')}.`);
}

function checkFlags(command: CommandName, flags: FlagValues): void {
  const commandFlags: readonly string[] = [
    ...optionsOf(command),
    ...Object.keys(parametersOf(command)),
  ];
  const misplaced = [...flags.keys()].find((name) => !commandFlags.includes(name));
  if (misplaced === undefined) return;
  const allowingCommands = commandNames.filter(
    (name) =>
      Object.hasOwn(parametersOf(name), misplaced) ||
      (isOptionName(misplaced) && optionOf(misplaced).commands.includes(name)),
  );
  throw wrongUsage(
    `${command} takes no --${misplaced}; it is an option of: ${allowingCommands.join(', ')}.`,
  );
}

/** The URL is the first argument. It can be omitted if DATABASE_URL is set. */
function assignArguments(
  command: CommandName,
  operandTexts: readonly string[],
  { env, findEnvFileUrl }: UrlSources,
): Pick<Invocation, 'url' | 'urlSource' | 'operands'> {
  const { operand, url: urlUse } = commandOf(command);
  const least = operand === undefined ? 0 : 1;
  const variable = env[urlVariable] || undefined;
  const file =
    variable === undefined && operandTexts.length <= least ? findEnvFileUrl() : undefined;
  const fromEnvironment = variable ?? file?.value;
  const hasUrl = fromEnvironment === undefined || operandTexts.length > least;
  const url = hasUrl ? operandTexts[0] : fromEnvironment;
  const operands = hasUrl ? operandTexts.slice(1) : operandTexts;
  if (url === undefined && urlUse === 'required')
    throw wrongUsage(
      `${commandSyntax(command)}: the URL is missing, and ${urlVariable} is not set.`,
    );
  if (operand !== undefined && operands.length === 0)
    throw wrongUsage(`${commandSyntax(command)}: the ${operand.name} is missing.`);
  const extra = operand?.repeated ? undefined : operands[least];
  if (extra !== undefined) throw tooMany(command, extra);
  return { url, operands, ...(file && !hasUrl && { urlSource: file.source }) };
}

function tooMany(command: CommandName, extra: string): Error {
  const { operand } = commandOf(command);
  const expectedArguments = operand === undefined ? 'one URL' : `one URL and one ${operand.name}`;
  return wrongUsage(
    `"${maskCredentials(extra)}" is one argument too many: ${command} takes ${expectedArguments}.`,
  );
}

/** A plain word may be a misspelled command. A path or a URL cannot be one. */
function checkWord(word: string | undefined): void {
  if (word === undefined || !/^[\w-]+$/.test(word) || existsSync(word)) return;
  const valid = commandNames.join(', ');
  throw wrongUsage(
    `"${word}" is neither a command (${valid}) nor a file that exists.` +
      `${didYouMean(word, commandNames)} To create a SQLite file of that name, add --create.`,
  );
}

/** Options of other commands have their defaults, even if the environment sets them. */
function readOptions(command: CommandName, flags: FlagValues, env: Environment): OptionValues {
  const entries = optionNames.map((name) => {
    const isOwn = optionOf(name).commands.includes(command);
    const variable = isOwn ? variableOf(name) : undefined;
    const optionText = fromFlag(name, flags) ?? fromVariable(name, variable, env);
    return [name, valueOf(name, optionText)];
  });
  return Object.fromEntries(entries) as OptionValues;
}

/** The values of an option, and its name in error messages. */
interface OptionText {
  readonly texts: readonly string[];
  readonly source: string;
}

function fromFlag(name: OptionName, flags: FlagValues): OptionText | undefined {
  const texts = flags.get(name)?.map((text) => text ?? 'true');
  return texts && { texts, source: `--${name}` };
}

/** An empty variable counts as not set. */
function fromVariable(name: OptionName, variable = '', env: Environment): OptionText | undefined {
  const text = env[variable];
  if (!text) return undefined;
  const isList = optionOf(name).kind === 'list';
  const texts = isList ? text.split(',').flatMap((part) => part.trim() || []) : [text];
  return { texts, source: variable };
}

function valueOf(name: OptionName, optionText: OptionText | undefined): unknown {
  const option = optionOf(name);
  const { texts, source } = optionText ?? { texts: [], source: '' };
  if (option.kind === 'list') return texts.map((text) => readValue(option, text, source));
  const text = texts.at(-1) ?? option.default;
  if (text === undefined) return option.kind === 'boolean' ? false : undefined;
  return readValue(option, text, source);
}

const variablePrefix = 'STUDIO_';

/** Warns of misspelled variables: a typo in STUDIO_READ_ONLY would otherwise silently allow writes. */
export function misspelledVariables(env: Environment): string[] {
  const valid = optionNames.flatMap((name) => variableOf(name) ?? []);
  const names = valid.map((variable) => variable.slice(variablePrefix.length));
  const unknown = Object.keys(env).filter(
    (variable) => variable.startsWith(variablePrefix) && !valid.includes(variable),
  );
  return unknown.flatMap((variable) => {
    const closest = closestName(variable.slice(variablePrefix.length), names);
    return closest
      ? [`${variable} is not a setting. Did you mean ${variablePrefix}${closest}?`]
      : [];
  });
}
