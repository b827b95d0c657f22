import { readExpression } from './read-expression.ts';
import { expectWord, acceptWord } from '../script/script.ts';
import type { SqlValue } from '../values/literals.ts';
import type { Script } from '../script/script.ts';

/** Reads the values of a row, including its closing bracket. */
export function readFields(script: Script): readonly SqlValue[] {
  const fields: SqlValue[] = [];
  let isAtValue = true;
  while (isAtValue) {
    if (readPlainFields(script, fields)) return fields;
    if (fields.length === 0 && acceptWord(script, ')')) return fields;
    fields.push(readExpression(script));
    isAtValue = acceptWord(script, ',');
  }
  expectWord(script, ')');
  return fields;
}

/** The most frequent values, with the punctuation after them: NULL, numbers, strings without escapes. */
const plainField =
  /[ \t\r\n]*(?:([+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|[nN]?'([^'\\]*)'|([nN][uU][lL][lL]))[ \t\r\n]*([,)])/y;

/** For dialects in which `N'…'` is not a string. */
const plainFieldWithoutPrefix = new RegExp(plainField.source.replace('[nN]?', ''), 'y');

const nullValue: SqlValue = { kind: 'null' };

/** Reads such values without the lexer, which is many times as fast. Returns true at the end of the row. */
function readPlainFields(script: Script, fields: SqlValue[]): boolean {
  const { lexer } = script;
  if (script.peeked !== undefined) return false;
  // Strings with one of PostgreSQL's prefixes need the lexer.
  const { prefixes } = lexer.rules;
  const hasPrefix =
    prefixes.some(({ letters }) => letters === 'N') &&
    !prefixes.some(({ letters }) => letters === 'E');
  const field = hasPrefix ? plainField : plainFieldWithoutPrefix;
  field.lastIndex = lexer.at;
  for (let found = field.exec(lexer.text); found !== null;) {
    const [, digits, raw, , punctuation] = found;
    if (digits !== undefined) fields.push({ kind: 'number', digits });
    else fields.push(raw === undefined ? nullValue : { kind: 'text', raw });
    lexer.at = field.lastIndex;
    if (punctuation === ')') return true;
    found = field.exec(lexer.text);
  }
  return false;
}
