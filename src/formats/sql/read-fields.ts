import { readExpression } from './read-expression.ts';
import { expectWord, acceptWord } from './script.ts';
import type { SqlValue } from './literals.ts';
import type { Script } from './script.ts';

/** The values of a row, up to and with its closing bracket. */
export function readFields(script: Script): readonly SqlValue[] {
  const fields: SqlValue[] = [];
  let isAtValue = true;
  while (isAtValue) {
    if (takePlainFields(script, fields)) return fields;
    if (fields.length === 0 && acceptWord(script, ')')) return fields;
    fields.push(readExpression(script));
    isAtValue = acceptWord(script, ',');
  }
  expectWord(script, ')');
  return fields;
}

/** What most values are: NULL, a number, a string without escapes; and the sign behind it. */
const plainField =
  /[ \t\r\n]*(?:([+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|[nN]?'([^'\\]*)'|([nN][uU][lL][lL]))[ \t\r\n]*([,)])/y;

/** Where `N'…'` is no string. */
const plainFieldWithoutPrefix = new RegExp(plainField.source.replace('[nN]?', ''), 'y');

const nothing: SqlValue = { kind: 'null' };

/** Takes such values without the lexer, many times as fast; true when they end the row. */
function takePlainFields(script: Script, fields: SqlValue[]): boolean {
  const { lexer } = script;
  if (script.peeked !== undefined) return false;
  // PostgreSQL has prefixes that mean more; such strings take the long way.
  const { prefixes } = lexer.rules;
  const hasPrefix =
    prefixes.some(({ letters }) => letters === 'N') &&
    !prefixes.some(({ letters }) => letters === 'E');
  const field = hasPrefix ? plainField : plainFieldWithoutPrefix;
  field.lastIndex = lexer.at;
  for (let found = field.exec(lexer.text); found !== null;) {
    const [, digits, raw, , sign] = found;
    if (digits !== undefined) fields.push({ kind: 'number', digits });
    else fields.push(raw === undefined ? nothing : { kind: 'text', raw });
    lexer.at = field.lastIndex;
    if (sign === ')') return true;
    found = field.exec(lexer.text);
  }
  return false;
}
