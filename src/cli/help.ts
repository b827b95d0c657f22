/** Generates the help texts and docs/options.md from the tables of commands and options. */
import type { CommandName } from './commands.ts';
import {
  commandNames,
  commandOf,
  commandSyntax,
  commandTable,
  defaultCommand,
} from './commands.ts';
import { parametersOf } from './commands.ts';
import { inFlagWords } from './flag-words.ts';
import type { Option, OptionName } from './options.ts';
import { optionNames, optionOf, optionsOf, urlVariable, variableOf } from './options.ts';

const columns = 80;

/** Returns the text of `--help` for one command, or the overview. */
export function helpText(command?: CommandName): string {
  const sections = command ? commandHelp(command) : overview();
  return `${sections.join('\n\n')}\n`;
}

function overview(): string[] {
  const commands = commandNames.map((name): Entry => [
    commandSyntax(name),
    commandTable[name].summary,
  ]);
  return [
    'database-studio: a web studio and HTTP API for a database',
    'Usage: database-studio [COMMAND] [URL] [OPTIONS]',
    `Commands:\n${entryLines(commands)}`,
    urlNote,
    `Options:\n${entryLines(optionEntries(optionNames))}`,
    environmentNote,
  ];
}

function commandHelp(command: CommandName): string[] {
  return [
    wrap(`database-studio ${command}: ${commandTable[command].summary}`, columns).join('\n'),
    `Usage: database-studio ${usage(command)} [OPTIONS]`,
    urlNote,
    `Options:\n${entryLines([...parameterEntries(command), ...optionEntries(optionsOf(command))])}`,
    `Example:\n  database-studio ${commandOf(command).example}`,
    environmentNote,
  ];
}

function usage(command: CommandName): string {
  const syntax = commandSyntax(command);
  return command === defaultCommand ? syntax.replace(command, `[${command}]`) : syntax;
}

const urlNote = wrap(
  'The URL is a path or sqlite:PATH (file:PATH, :memory:), postgres://USER:PASSWORD@HOST/DATABASE' +
    `, mysql://USER:PASSWORD@HOST/DATABASE or sqlserver://USER:PASSWORD@HOST/DATABASE. It can also be set as ${urlVariable} in the environment, in .env.local or in .env.`,
  columns,
).join('\n');

const environmentNote = wrap(
  'Each option can be set in the environment too: --read-only as STUDIO_READ_ONLY=1, lists' +
    ' separated by commas. A flag wins over its variable.',
  columns,
).join('\n');

/** A term and its description. */
type Entry = readonly [string, string];

function optionEntries(names: readonly OptionName[]): Entry[] {
  return names.map((name) => [
    flagText(name),
    [optionOf(name).description, ...choicesAndDefault(name)].join(' '),
  ]);
}

/** A list of short choices, such as `asc or desc`. Other texts describe the values. */
const choicesPattern = /^[\w./]+(?:, [\w./]+)* or [\w./]+$/;
/** Longer lists are a sentence of the description. */
const maxChoicesLength = 20;

/** Describes the parameters of the command's route, in the words of flags. */
function parameterEntries(command: CommandName): Entry[] {
  return Object.entries(parametersOf(command)).map(([flag, { description, expected, ...rest }]) => {
    const isBoolean = rest.default === false;
    const choices =
      choicesPattern.test(expected) && !isBoolean ? expected.split(/, | or /) : undefined;
    const choiceList = choices?.join('|') ?? '';
    const isShort = choiceList.length <= maxChoicesLength;
    const value = choices !== undefined && isShort ? choiceList : placeholderOf(flag);
    const details = [
      inFlagWords(description, command).replaceAll('`', ''),
      ...(choices === undefined || isShort ? [] : [`One of ${expected}.`]),
      ...(isBoolean || rest.default === undefined
        ? []
        : [`[${JSON.stringify(rest.default).replaceAll('"', '')}]`]),
    ];
    return [
      `--${flag}${isBoolean ? '' : ` ${value}`}${rest.repeated ? ' ...' : ''}`,
      details.join(' '),
    ];
  });
}

/** The last word of a flag: COLUMNS for conflict-columns. */
function placeholderOf(flag: string): string {
  return flag.replace(/^.*-/, '').toUpperCase();
}

function flagText(name: OptionName): string {
  const { short, placeholder, kind } = optionOf(name);
  const flag = short ? `-${short}, --${name}` : `--${name}`;
  return `${flag}${placeholder ? ` ${placeholder}` : ''}${kind === 'list' ? ' ...' : ''}`;
}

function choicesAndDefault(name: OptionName): string[] {
  const option: Option = optionOf(name);
  const choices = option.choices ? [`One of ${option.choices.join(', ')}.`] : [];
  return option.default === undefined ? choices : [...choices, `[${option.default}]`];
}

function entryLines(entries: readonly Entry[]): string {
  const indent = Math.max(...entries.map(([term]) => term.length)) + 4;
  const lines = entries.flatMap(([term, meaning]) => {
    const [first = '', ...more] = wrap(meaning, columns - indent);
    return [`  ${term}`.padEnd(indent) + first, ...more.map((line) => ' '.repeat(indent) + line)];
  });
  return lines.join('\n');
}

function wrap(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines;
}

/** Returns the content of docs/options.md. */
export function optionsDocument(): string {
  const rows = optionNames.map(documentRow);
  const note = '<!-- Written by scripts/write-options-doc.ts from src/cli/options.ts. -->';
  const table = [
    '| Option | Environment | Default | Meaning |',
    '| --- | --- | --- | --- |',
    ...rows,
  ];
  return [note, '# Options', documentHead, table.join('\n'), ''].join('\n\n').trimEnd() + '\n';
}

const documentHead = [
  ...commandNames.map(
    (name) => `- \`database-studio ${usage(name)}\`: ${commandTable[name].summary}`,
  ),
  '',
  'Besides these options, a command takes the parameters of its endpoint (docs/api.md) as flags, `--on-conflict` for `on_conflict`; `--help` lists them.',
  `The URL's variable is \`${urlVariable}\`, in the environment or in the files \`.env.local\` and \`.env\` of the working folder, in this order; other variables of these files are not read. A flag wins over its variable, and an empty variable counts as not set.`,
  'If an option is given twice, the last value counts; the values of those marked … accumulate, and their variables are lists',
  'separated by commas. On and off are `true`, `false`, `1` and `0`, on the command line as `--read-only=false`.',
  'Durations have a unit: `500ms`, `30s`, `2m`, `1h`. So do sizes, in binary units: `10kb` (1 kb is 1024 bytes), `1mb`, `1gb`.',
  'The exit status is 0, 1 (rejected or failed) or 2 (wrong usage).',
].join('\n');

function documentRow(name: OptionName): string {
  const option: Option = optionOf(name);
  const variable = variableOf(name);
  const flag = flagText(name).replace(' ...', ' …');
  const commandsNote =
    option.commands.length === commandNames.length ? '' : ` (${option.commands.join(', ')})`;
  const cells = [
    `\`${flag}\`${commandsNote}`,
    variable ? `\`${variable}\`` : '',
    option.default === undefined ? '' : `\`${option.default}\``,
    [option.description, ...(option.choices ? [`One of ${option.choices.join(', ')}.`] : [])].join(
      ' ',
    ),
  ];
  return `| ${cells.join(' | ')} |`;
}
