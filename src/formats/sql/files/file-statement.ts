/** A statement that reads the rows of a file: LOAD DATA or BULK INSERT. */
import { readExpression } from '../insert/read-expression.ts';
import { nextToken, peekToken, syntaxError, textOf } from '../script/script.ts';
import type { Column } from '../../../model/schema.ts';
import type { CopyField } from '../insert/copy-fields.ts';
import type { StatementHead } from '../insert/row-groups.ts';
import type { Script, ScriptToken } from '../script/script.ts';
import type { SqlValue } from '../values/literals.ts';
import type { RecordFormat } from './data-file.ts';

export interface FileStatement {
  readonly head: StatementHead;
  /** The path of the file. */
  readonly path: string;
  /** The name of the encoding of the file. */
  readonly charset: string | undefined;
  /** The default encoding is not known, so texts must be ASCII. */
  readonly isAscii: boolean;
  /** REPLACE or IGNORE say what happens to existing rows. */
  readonly hasConflictRule: boolean;
  /** For a table with that many columns, or a list of them. */
  formatFor(columnCount: number): RecordFormat;
  /** The value of a field as a script would write it. `column` is undefined for a column that is skipped. */
  valueOf(field: CopyField, column: Column | undefined): SqlValue;
}

/** Reads a string or a hex literal, as its bytes. */
export function readBytes(script: Script): string {
  const token = peekToken(script);
  const value = readExpression(script);
  if (value.kind === 'text') return value.raw;
  if (value.kind === 'hex' || value.kind === 'bytes') return value.bytes.toString('latin1');
  throw syntaxError(script, token, 'a text is expected');
}

/** Reads a number of lines. */
export function readCount(script: Script): number {
  const token = nextToken(script);
  const text = token === undefined ? '' : textOf(script, token);
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw syntaxError(script, token, 'a number is expected');
}

/** Reads the end of a statement. */
export function expectEnd(script: Script, problem: string): void {
  const token = peekToken(script);
  if (token === undefined || token.kind === 'meta-line') return;
  if (token.kind !== 'delimiter') throw syntaxError(script, token, problem);
  nextToken(script);
}

/** Reads one of several words, or nothing. */
export function acceptOneOf(script: Script, words: readonly string[]): ScriptToken | undefined {
  const token = peekToken(script);
  return token !== undefined && words.includes(token.word) ? nextToken(script) : undefined;
}
