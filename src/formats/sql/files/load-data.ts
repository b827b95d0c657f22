/** Reads LOAD DATA INFILE: https://dev.mysql.com/doc/refman/8.4/en/load-data.html */
import { readNameParts } from '../insert/read-names.ts';
import {
  acceptWord,
  expectWord,
  nextToken,
  peekToken,
  syntaxError,
  textOf,
} from '../script/script.ts';
import { decodeText } from '../values/literals.ts';
import { acceptOneOf, expectEnd, readBytes, readCount } from './file-statement.ts';
import { loadDataRecords } from './load-data-records.ts';
import type { CopyField } from '../insert/copy-fields.ts';
import type { Script, ScriptToken } from '../script/script.ts';
import type { RecordFormat } from './data-file.ts';
import type { FileStatement } from './file-statement.ts';
import type { LoadDataFormat } from './load-data-records.ts';

/** Reads the statement after its verb, up to its delimiter. */
export function readLoadData(script: Script, verb: ScriptToken): FileStatement {
  if (!acceptWord(script, 'DATA'))
    throw syntaxError(script, verb, 'of LOAD, only LOAD DATA is supported');
  acceptOneOf(script, ['LOW_PRIORITY', 'CONCURRENT']);
  acceptWord(script, 'LOCAL');
  expectWord(script, 'INFILE');
  const path = decodeText(readBytes(script)).text;
  const hasConflictRule = acceptOneOf(script, ['REPLACE', 'IGNORE']) !== undefined;
  expectWord(script, 'INTO');
  expectWord(script, 'TABLE');
  const parts = readNameParts(script);
  const charset = readCharset(script);
  const lines = readFormat(script);
  const skippedLines = readSkippedLines(script);
  const targets = peekToken(script)?.word === '(' ? readTargets(script) : undefined;
  if (peekToken(script)?.word === 'SET')
    throw syntaxError(script, peekToken(script), 'LOAD DATA is imported without SET');
  expectEnd(script, 'an option of LOAD DATA that imports support is expected');
  const format = loadDataRecords({ ...lines, skippedLines });
  return {
    head: { parts, columns: targets?.filter((target) => target !== undefined) },
    path,
    charset,
    isAscii: false,
    hasConflictRule,
    formatFor: () => (targets === undefined ? format : withoutVariables(format, targets)),
    valueOf: (field) => (field === null ? { kind: 'null' } : { kind: 'text', raw: field }),
  };
}

function readCharset(script: Script): string | undefined {
  if (acceptWord(script, 'CHARSET')) return readWord(script);
  if (!acceptWord(script, 'CHARACTER')) return undefined;
  expectWord(script, 'SET');
  return readWord(script);
}

function readWord(script: Script): string {
  const token = nextToken(script);
  if (token === undefined) throw syntaxError(script, token, 'a character set is expected');
  return textOf(script, token).replaceAll(/["'`]/g, '');
}

function readFormat(script: Script): Omit<LoadDataFormat, 'skippedLines'> {
  // Under NO_BACKSLASH_ESCAPES, a backslash is an ordinary character in files too.
  let escape = script.lexer.rules.backslashEscapes ? '\\' : '';
  let [delimiter, quote, lineStart, lineEnd] = ['\t', '', '', '\n'];
  if (acceptOneOf(script, ['FIELDS', 'COLUMNS']) !== undefined)
    for (let option = readOption(script); option !== undefined; option = readOption(script)) {
      const text = readBytes(script);
      if (option.word === 'TERMINATED') delimiter = text;
      else if (option.word === 'ESCAPED') escape = oneCharacter(script, option, text);
      else if (option.word === 'ENCLOSED') quote = oneCharacter(script, option, text);
      else throw unknownOption(script, option);
    }
  if (acceptWord(script, 'LINES'))
    for (let option = readOption(script); option !== undefined; option = readOption(script)) {
      const text = readBytes(script);
      if (option.word === 'TERMINATED') lineEnd = text;
      else if (option.word === 'STARTING') lineStart = text;
      else throw unknownOption(script, option);
    }
  if (delimiter === '' || lineEnd === '')
    throw syntaxError(
      script,
      peekToken(script),
      'files without delimiters between fields or after lines are not supported',
    );
  return { delimiter, quote, escape, lineStart, lineEnd };
}

/** Reads `TERMINATED BY`, `OPTIONALLY ENCLOSED BY` and the like. */
function readOption(script: Script): ScriptToken | undefined {
  acceptWord(script, 'OPTIONALLY');
  const option = acceptOneOf(script, ['TERMINATED', 'ENCLOSED', 'ESCAPED', 'STARTING']);
  if (option !== undefined) expectWord(script, 'BY');
  return option;
}

function unknownOption(script: Script, option: ScriptToken): Error {
  return syntaxError(script, option, 'this option belongs to the other of FIELDS and LINES');
}

function oneCharacter(script: Script, option: ScriptToken, text: string): string {
  if (text.length <= 1) return text;
  throw syntaxError(script, option, 'a text of one character is expected');
}

function readSkippedLines(script: Script): number {
  if (!acceptWord(script, 'IGNORE')) return 0;
  const count = readCount(script);
  const unit = nextToken(script);
  if (unit?.word === 'LINES' || unit?.word === 'ROWS') return count;
  throw syntaxError(script, unit, 'expected "LINES"');
}

/** Reads names of columns, and variables, whose fields are left out. */
function readTargets(script: Script): readonly (string | undefined)[] {
  const targets: (string | undefined)[] = [];
  nextToken(script);
  if (acceptWord(script, ')')) return targets;
  do {
    const isVariable = peekToken(script)?.kind === 'variable';
    if (isVariable) nextToken(script);
    targets.push(isVariable ? undefined : readNameParts(script).at(-1));
  } while (acceptWord(script, ','));
  expectWord(script, ')');
  return targets;
}

/** The format without the fields that are read into variables. */
function withoutVariables(
  format: RecordFormat,
  targets: readonly (string | undefined)[],
): RecordFormat {
  if (!targets.includes(undefined)) return format;
  const hasColumn = (_: CopyField, index: number): boolean =>
    index >= targets.length || targets[index] !== undefined;
  return {
    ...format,
    readRecord: (text) => {
      const record = format.readRecord(text);
      if (typeof record === 'string') return record;
      return { ...record, fields: record.fields.filter(hasColumn) };
    },
  };
}
