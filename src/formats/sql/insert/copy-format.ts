/** The options of COPY … FROM, which describe the lines of its rows. */
import { readExpression } from './read-expression.ts';
import { readColumns } from './read-names.ts';
import { acceptWord, nextToken, peekToken, syntaxError, textOf } from '../script/script.ts';
import type { Script, ScriptToken } from '../script/script.ts';

/** Characters are bytes, as Latin-1. */
export interface CopyFormat {
  readonly isCsv: boolean;
  readonly delimiter: string;
  /** NULL, before escapes are read. In CSV without quotes around it. */
  readonly nullText: string;
  readonly quote: string;
  readonly escape: string;
  /** The first line has the names of the columns. */
  readonly hasHeader: boolean;
  /** The name of the encoding of a file. */
  readonly encoding?: string | undefined;
  /** CSV: fields that are NULL even if the NULL text is in quotes (FORCE_NULL), by their positions. */
  readonly forceNull?: FieldChoice | undefined;
  /** CSV: fields that are never NULL (FORCE_NOT_NULL). */
  readonly forceNotNull?: FieldChoice | undefined;
}

export type FieldChoice = 'all' | ReadonlySet<number>;

export const textFormat: CopyFormat = {
  isCsv: false,
  delimiter: '\t',
  nullText: '\\N',
  quote: '"',
  escape: '"',
  hasHeader: false,
};

interface Options {
  format?: 'text' | 'csv';
  delimiter?: string;
  nullText?: string;
  quote?: string;
  escape?: string;
  hasHeader?: boolean;
  encoding?: string;
  forceNull?: FieldChoice;
  forceNotNull?: FieldChoice;
}

/**
 * Reads `WITH (FORMAT csv, HEADER)` or `WITH CSV HEADER`, up to the delimiter of the statement. `columns`: the list of
 * columns before.
 */
export function readCopyFormat(script: Script, columns: readonly string[] | undefined): CopyFormat {
  const options: Options = {};
  acceptWord(script, 'WITH');
  if (acceptWord(script, '(')) {
    do readOption(script, options, columns);
    while (acceptWord(script, ','));
    if (!acceptWord(script, ')')) throw unknownOption(script, peekToken(script));
  } else {
    while (isOption(peekToken(script))) readOption(script, options, columns);
  }
  const isCsv = options.format === 'csv';
  const quote = options.quote ?? textFormat.quote;
  return {
    isCsv,
    delimiter: options.delimiter ?? (isCsv ? ',' : textFormat.delimiter),
    nullText: options.nullText ?? (isCsv ? '' : textFormat.nullText),
    quote,
    escape: options.escape ?? quote,
    hasHeader: options.hasHeader ?? false,
    encoding: options.encoding,
    forceNull: options.forceNull,
    forceNotNull: options.forceNotNull,
  };
}

function isOption(token: ScriptToken | undefined): boolean {
  return token !== undefined && token.kind !== 'delimiter';
}

function readOption(
  script: Script,
  options: Options,
  columns: readonly string[] | undefined,
): void {
  const token = nextToken(script);
  if (token === undefined) throw unknownOption(script, token);
  switch (token.word) {
    case 'FORMAT':
      options.format = readFormatName(script);
      break;
    case 'CSV':
      options.format = 'csv';
      break;
    case 'DELIMITER':
    case 'DELIMITERS':
      options.delimiter = readCharacter(script);
      break;
    case 'NULL':
      options.nullText = readText(script);
      break;
    case 'QUOTE':
      options.quote = readCharacter(script);
      break;
    case 'ESCAPE':
      options.escape = readCharacter(script);
      break;
    case 'HEADER':
      options.hasHeader = readFlag(script);
      break;
    case 'ENCODING':
      options.encoding = readText(script);
      break;
    case 'FORCE_NULL':
      options.forceNull = readFieldChoice(script, columns);
      break;
    case 'FORCE_NOT_NULL':
      options.forceNotNull = readFieldChoice(script, columns);
      break;
    case 'FREEZE':
      readFlag(script);
      break;
    default:
      throw unknownOption(script, token);
  }
}

function unknownOption(script: Script, token: ScriptToken | undefined): Error {
  return syntaxError(
    script,
    token,
    'COPY is supported with the options FORMAT text or csv, DELIMITER, NULL, QUOTE, ESCAPE, HEADER, FORCE_NULL, FORCE_NOT_NULL, ENCODING and FREEZE',
  );
}

/** Reads `(a, b)` or `*`. */
function readFieldChoice(script: Script, columns: readonly string[] | undefined): FieldChoice {
  if (acceptWord(script, '*')) return 'all';
  const token = peekToken(script);
  if (token?.word !== '(') throw syntaxError(script, token, '"(" or "*" is expected');
  const positions = readColumns(script).map((name) => columns?.indexOf(name) ?? -1);
  if (positions.includes(-1))
    throw syntaxError(
      script,
      token,
      'the columns of FORCE_NULL and FORCE_NOT_NULL must be in the list of columns after the table',
    );
  return new Set(positions);
}

function readFormatName(script: Script): 'text' | 'csv' {
  const token = nextToken(script);
  const name = token === undefined ? '' : textOf(script, token).replaceAll(/['"]/g, '');
  const format = name.toLowerCase();
  if (format === 'text' || format === 'csv') return format;
  throw unknownOption(script, token);
}

function readText(script: Script): string {
  acceptWord(script, 'AS');
  const token = peekToken(script);
  const value = readExpression(script);
  if (value.kind !== 'text') throw syntaxError(script, token, 'a text is expected');
  return value.raw;
}

function readCharacter(script: Script): string {
  const token = peekToken(script);
  const text = readText(script);
  if (text.length !== 1) throw syntaxError(script, token, 'a text of one character is expected');
  return text;
}

const falseWords: ReadonlySet<string> = new Set(['FALSE', 'OFF', '0', "'FALSE'", "'OFF'", "'0'"]);
const trueWords: ReadonlySet<string> = new Set(['TRUE', 'ON', '1', "'TRUE'", "'ON'", "'1'"]);

function readFlag(script: Script): boolean {
  const token = peekToken(script);
  const word = token === undefined ? '' : textOf(script, token).toUpperCase();
  if (word === 'MATCH' || word === "'MATCH'")
    throw syntaxError(
      script,
      token,
      'HEADER MATCH compares the names in the file with the columns, which imports do not do: write HEADER if they are in the same order',
    );
  if (!falseWords.has(word) && !trueWords.has(word)) return true;
  nextToken(script);
  return trueWords.has(word);
}
