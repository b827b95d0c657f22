import { castTo } from '../values/cast.ts';
import { hexBytes, decodeText, textValue } from '../values/literals.ts';
import { timeFunctions } from '../values/time-functions.ts';
import { valueOfStyle } from './convert-style.ts';
import { readDateArithmetic, readShifts } from './read-interval.ts';
import { readName, readString } from './read-string.ts';
import {
  expectWord,
  nextToken,
  peekToken,
  acceptWord,
  textOf,
  syntaxError,
} from '../script/script.ts';
import { readVariable } from '../script/variables.ts';
import { joinTexts, valueFunctions } from '../values/value-functions.ts';
import type { CastType, SqlValue } from '../values/literals.ts';
import type { Script, ScriptToken } from '../script/script.ts';

/** Limit for nested brackets and calls. */
const maxDepth = 50;

/** Evaluates a value: a literal, with the functions and casts that dump tools write. */
export function readExpression(script: Script, depth = 0): SqlValue {
  const start = peekToken(script);
  if (depth > maxDepth) throw syntaxError(script, start, 'this is nested too deeply');
  let value = readSum(script, depth);
  for (let next = peekToken(script); next !== undefined; next = peekToken(script)) {
    const isJoined = isConcatenation(script, value, next);
    if (!isJoined && !isAdjacentString(script, value, next)) break;
    if (isJoined) nextToken(script);
    const operand = readCasts(script, readOperand(script, depth));
    const isValid = !isJoined || canJoin(next, value, operand);
    value = (isValid ? joinTexts([value, operand]) : undefined) ?? throwNotValue(script, next);
  }
  return value;
}

/** Sums and products of integers, as every database computes them. */
function readSum(script: Script, depth: number): SqlValue {
  let value = readProduct(script, depth);
  for (let next = peekToken(script); isSign(next) && isInteger(value); next = peekToken(script)) {
    nextToken(script);
    const operand = readProduct(script, depth);
    if (!isInteger(operand)) throw notValueError(script, next);
    const [a, b] = [BigInt(value.digits), BigInt(operand.digits)];
    value = integerValue(script, next, next.word === '+' ? a + b : a - b);
  }
  return value;
}

function readProduct(script: Script, depth: number): SqlValue {
  let value = readShifts(script, readCasts(script, readOperand(script, depth)));
  for (
    let next = peekToken(script);
    next?.word === '*' && isInteger(value);
    next = peekToken(script)
  ) {
    nextToken(script);
    const operand = readCasts(script, readOperand(script, depth));
    if (!isInteger(operand)) throw notValueError(script, next);
    value = integerValue(script, next, BigInt(value.digits) * BigInt(operand.digits));
  }
  return value;
}

function isSign(token: ScriptToken | undefined): token is ScriptToken {
  return token?.word === '+' || token?.word === '-';
}

function isInteger(value: SqlValue): value is Extract<SqlValue, { readonly kind: 'number' }> {
  return value.kind === 'number' && /^-?\d{1,15}$/.test(value.digits);
}

/** Beyond 15 digits, databases differ. */
function integerValue(script: Script, token: ScriptToken, value: bigint): SqlValue {
  const result: SqlValue = { kind: 'number', digits: String(value) };
  if (isInteger(result)) return result;
  throw syntaxError(script, token, 'the result of this is too large: write it as a literal');
}

function isText({ kind }: SqlValue): boolean {
  return kind === 'text' || kind === 'wide';
}

/** Whether the operands can be concatenated: `'1' || 0` is a string, but `'1' + 0` is a sum. */
function canJoin({ word }: ScriptToken, left: SqlValue, right: SqlValue): boolean {
  if (word !== '+') return isText(left) || isText(right);
  return [left, right].every((value) => isText(value) || value.kind === 'null');
}

/** `+` concatenates strings and adds numbers. */
function isConcatenation(script: Script, value: SqlValue, { word }: ScriptToken): boolean {
  const { textConcatenation } = script.dataScript;
  if (word === '' || word !== textConcatenation) return false;
  return word !== '+' || isText(value) || value.kind === 'null';
}

/** Adjacent strings: `'a' 'b'`. */
function isAdjacentString(script: Script, value: SqlValue, next: ScriptToken): boolean {
  const { adjacentStrings } = script.dataScript;
  if (next.kind !== 'string' || !isText(value) || adjacentStrings === 'nowhere') return false;
  const { text } = script.lexer;
  const before = text.slice(text.lastIndexOf("'", next.start - 1) + 1, next.start);
  return adjacentStrings === 'anywhere' || before.includes('\n');
}

function readCasts(script: Script, operand: SqlValue): SqlValue {
  let value = operand;
  while (script.dataScript.castForms.includes('::') && peekToken(script)?.word === '::') {
    nextToken(script);
    value = castTo(readType(script), value, script.dataScript);
  }
  return value;
}

function readOperand(script: Script, depth: number): SqlValue {
  const token = nextToken(script);
  if (token === undefined) throw syntaxError(script, token, 'a value is expected');
  if (token.kind === 'string') return readString(script, token);
  if (token.kind === 'number') return readNumber(script, token);
  if (token.word === '$' && script.dataScript.hasMoneyLiterals) return readMoney(script, token, '');
  if (token.word === '(') return readBrackets(script, depth);
  if (token.word === '-' || token.word === '+') return readSigned(script, token);
  if (token.kind === 'word') return readWord(script, token, depth);
  if (token.kind === 'variable') return readVariable(script, token);
  throw notValueError(script, token);
}

function readBrackets(script: Script, depth: number): SqlValue {
  const value = readExpression(script, depth + 1);
  expectWord(script, ')');
  return value;
}

function readNumber(script: Script, token: ScriptToken): SqlValue {
  const text = textOf(script, token);
  const { hexIsNumber, digitGroups } = script.dataScript;
  if (text.includes('_') && !(digitGroups && /^\d+(?:_\d+)*(?:\.\d+(?:_\d+)*)?$/.test(text)))
    throw notValueError(script, token);
  const digits = text.replaceAll('_', '');
  if (!/^0x/i.test(digits)) return { kind: 'number', digits };
  if (digits.length === 2 && script.dataScript.textConcatenation !== '+')
    throw notValueError(script, token);
  if (!hexIsNumber) return { kind: 'hex', bytes: hexBytes(digits.slice(2)) };
  if (!/^0x0*[\da-f]{1,16}$/i.test(digits)) throw notValueError(script, token);
  // The bits are those of a signed 64-bit integer.
  return { kind: 'number', digits: String(BigInt.asIntN(64, BigInt(digits))) };
}

/** T-SQL ignores commas within an amount, so `$1,2` is 12 and not two values. */
function readMoney(script: Script, symbol: ScriptToken, sign: '' | '-'): SqlValue {
  const token = nextToken(script);
  if (token?.kind !== 'number' || token.start !== symbol.end) throw notValueError(script, symbol);
  const value = readNumber(script, token);
  if (value.kind !== 'number') throw notValueError(script, symbol);
  if (/^,\d/.test(script.lexer.text.slice(token.end, token.end + 2)))
    throw syntaxError(script, symbol, 'write an amount of money without commas, as 1234.50');
  const type = { name: 'MONEY', sizes: [], isArray: false };
  return castTo(type, { kind: 'number', digits: sign + value.digits }, script.dataScript);
}

function readSigned(script: Script, sign: ScriptToken): SqlValue {
  const token = nextToken(script);
  if (token?.word === '$' && script.dataScript.hasMoneyLiterals)
    return readMoney(script, token, sign.word === '-' ? '-' : '');
  const value = token?.kind === 'number' ? readNumber(script, token) : undefined;
  if (value?.kind !== 'number') throw notValueError(script, token ?? sign);
  if (sign.word !== '-') return value;
  const { digits } = value;
  return { kind: 'number', digits: digits.startsWith('-') ? digits.slice(1) : `-${digits}` };
}

const words: ReadonlyMap<string, SqlValue> = new Map([
  ['NULL', { kind: 'null' }],
  ['DEFAULT', { kind: 'default' }],
  ['TRUE', { kind: 'boolean', value: true }],
  ['FALSE', { kind: 'boolean', value: false }],
]);

function readWord(script: Script, token: ScriptToken, depth: number): SqlValue {
  const constant = words.get(token.word);
  if (constant !== undefined) return constant;
  const next = peekToken(script);
  if (script.dataScript.stringPrefixes?.test(token.word) === true) {
    if (next?.kind === 'string') return readTyped(script, token, readString);
    if (next?.kind === 'number' && token.word.startsWith('_'))
      return readTyped(script, token, readNumber);
  }
  if (token.word === 'ARRAY' && next?.word === '[') return readArray(script, depth);
  if (next?.word === '(') return readCall(script, token, depth);
  const { bareFunctions } = script.dataScript;
  if (Object.hasOwn(bareFunctions, token.word))
    return { kind: 'now', part: bareFunctions[token.word]! };
  throw notValueError(script, token);
}

/** `_binary '…'`, `_utf8mb4 '…'`, `_latin1 0xe9`, `DATE '…'`, `uuid '…'`. */
function readTyped(script: Script, type: ScriptToken, readLiteral: typeof readString): SqlValue {
  const string = nextToken(script) as ScriptToken;
  const value = readLiteral(script, string);
  if (!type.word.startsWith('_')) {
    const castType = { name: type.word, sizes: [], isArray: false };
    return castTo(castType, value, script.dataScript);
  }
  const isBytes = value.kind === 'bytes' || value.kind === 'hex';
  if (type.word === '_BINARY' && (isBytes || value.kind === 'text'))
    return {
      kind: 'bytes',
      bytes: isBytes ? value.bytes : Buffer.from(value.raw, 'latin1'),
    };
  // MySQL's latin1 is the Windows code page.
  if (type.word === '_LATIN1' && isBytes)
    return { kind: 'wide', text: new TextDecoder('windows-1252').decode(value.bytes) };
  // Bytes with a character set introducer are a string. Only ASCII is the same in every character set.
  const raw = isBytes ? value.bytes.toString('latin1') : value.kind === 'text' ? value.raw : undefined; // prettier-ignore
  const isUtf8 = /^_UTF8(?:MB[34])?$/.test(type.word);
  const isAscii = raw !== undefined && !/[\u0080-\u00ff]/.test(raw);
  if (raw === undefined || !(isUtf8 || (isAscii && !type.word.startsWith('_U'))))
    throw notValueError(script, string);
  return { kind: 'text', raw };
}

function readCall(script: Script, name: ScriptToken, depth: number): SqlValue {
  nextToken(script);
  const form = script.dataScript.castForms.find((each) => each === name.word);
  if (form !== undefined)
    return form === 'CONVERT' ? readConvert(script, name, depth) : readCast(script, depth);
  if (name.word === 'EXTRACT' || name.word === 'DATEPART')
    return readFieldOfTime(script, name, depth);
  const shifted = readDateArithmetic(script, name, () => readExpression(script, depth + 1));
  if (shifted !== undefined) return shifted;
  const args: SqlValue[] = [];
  if (!acceptWord(script, ')')) {
    do args.push(readExpression(script, depth + 1));
    while (acceptWord(script, ','));
    expectWord(script, ')');
  }
  const [argument] = args;
  if (name.word === script.dataScript.serverFunction && argument?.kind === 'text')
    return { kind: 'server', text: `${name.word}('${argument.raw}')` };
  return call(script, name, args);
}

/** `EXTRACT(YEAR FROM DATE '2020-01-31')`, `DATEPART(year, GETDATE())` */
function readFieldOfTime(script: Script, name: ScriptToken, depth: number): SqlValue {
  const field = nextToken(script);
  if (field?.kind !== 'word' && field?.kind !== 'string')
    throw syntaxError(script, field, 'a field such as YEAR is expected');
  const text: SqlValue = field.kind === 'word' ? textValue(field.word) : readString(script, field);
  expectWord(script, name.word === 'EXTRACT' ? 'FROM' : ',');
  const value = readExpression(script, depth + 1);
  expectWord(script, ')');
  return call(script, name, [text, value]);
}

function call(script: Script, name: ScriptToken, args: readonly SqlValue[]): SqlValue {
  const { functions, timeFunctions: byTime } = script.dataScript;
  const sqlFunction = Object.hasOwn(functions, name.word) ? functions[name.word] : undefined;
  const timeFunction = Object.hasOwn(byTime, name.word) ? byTime[name.word] : undefined;
  if (sqlFunction === undefined && timeFunction === undefined) throw notValueError(script, name);
  const value =
    timeFunction === undefined
      ? valueFunctions[sqlFunction!](args)
      : timeFunctions[timeFunction](args, script);
  if (value !== undefined) return value;
  throw syntaxError(
    script,
    name,
    'only a database can compute this function with these arguments: write the resulting value',
  );
}

function readCast(script: Script, depth: number): SqlValue {
  const value = readExpression(script, depth + 1);
  expectWord(script, 'AS');
  const type = readType(script);
  expectWord(script, ')');
  return castTo(type, value, script.dataScript);
}

/** SQL Server's `CONVERT(type, value, style)`, MySQL's `CONVERT(value, type)` and `CONVERT(value USING charset)`. */
function readConvert(script: Script, name: ScriptToken, depth: number): SqlValue {
  const first = peekToken(script);
  const typeFirst = first?.kind === 'word' && !words.has(first.word) && !first.word.startsWith('_');
  if (!typeFirst) {
    const value = readExpression(script, depth + 1);
    if (!acceptWord(script, 'USING')) expectWord(script, ',');
    const type = readType(script);
    expectWord(script, ')');
    return castTo(type, value, script.dataScript);
  }
  const type = readType(script);
  expectWord(script, ',');
  const value = readExpression(script, depth + 1);
  const style = acceptWord(script, ',') ? readExpression(script, depth + 1) : undefined;
  expectWord(script, ')');
  if (style === undefined) return castTo(type, value, script.dataScript);
  const converted = valueOfStyle(style, { type, value });
  if (converted !== undefined) return castTo(type, converted, script.dataScript);
  throw syntaxError(
    script,
    name,
    'only SQL Server can convert by this style: write the date as 2020-12-31T23:59:59, without CONVERT',
  );
}

/** `character varying(10)[]`, `[dbo].[name]`, `UNSIGNED INTEGER`. */
export function readType(script: Script): CastType {
  const first = nextToken(script);
  if (first?.kind !== 'word' && first?.kind !== 'quoted-name')
    throw syntaxError(script, first, 'a type is expected');
  const parts = [readName(script, first).toUpperCase()];
  let sizes: readonly string[] = [];
  let isArray = false;
  for (let next = peekToken(script); continuesType(next); next = peekToken(script)) {
    nextToken(script);
    if (next?.word === '.')
      parts.splice(0, 1, readName(script, nextToken(script) ?? first).toUpperCase());
    else if (next?.word === '(') sizes = readSizes(script);
    else if (next?.word === '[' || next?.word === ']' || next?.kind === 'number') isArray = true;
    else parts.push(next?.word ?? '');
  }
  return { name: parts.join(' '), sizes, isArray };
}

const typeWords: ReadonlySet<string> = new Set(
  '. ( [ ] VARYING PRECISION WITH WITHOUT TIME ZONE UNSIGNED SIGNED INTEGER SET CHARACTER'.split(
    ' ',
  ),
);

function continuesType(token: ScriptToken | undefined): boolean {
  return token !== undefined && typeWords.has(token.word);
}

function readSizes(script: Script): readonly string[] {
  const sizes: string[] = [];
  for (let token = nextToken(script); token?.word !== ')'; token = nextToken(script)) {
    if (token === undefined) throw syntaxError(script, token, '")" is expected');
    if (token.word !== ',') sizes.push(textOf(script, token).toUpperCase());
  }
  return sizes;
}

/** `ARRAY[1, 'a', NULL, ARRAY[…]]`, as JSON. */
function readArray(script: Script, depth: number): SqlValue {
  expectWord(script, '[');
  const items: string[] = [];
  if (!acceptWord(script, ']')) {
    do items.push(jsonOf(script, readItem(script, depth + 1)));
    while (acceptWord(script, ','));
    expectWord(script, ']');
  }
  return { kind: 'array', json: `[${items.join(',')}]` };
}

/** Arrays within an array need no keyword. */
function readItem(script: Script, depth: number): SqlValue {
  if (peekToken(script)?.word !== '[') return readExpression(script, depth);
  if (depth > maxDepth) throw syntaxError(script, peekToken(script), 'this is nested too deeply');
  return readArray(script, depth);
}

function jsonOf(script: Script, value: SqlValue): string {
  if (value.kind === 'null') return 'null';
  if (value.kind === 'array') return value.json;
  if (value.kind === 'boolean') return String(value.value);
  if (value.kind === 'text') return JSON.stringify(decodeText(value.raw).text);
  if (value.kind === 'wide') return JSON.stringify(value.text);
  if (value.kind === 'number') return JSON.stringify(value.digits);
  throw syntaxError(script, undefined, 'an element of this array cannot be read');
}

function throwNotValue(script: Script, token: ScriptToken | undefined): never {
  throw notValueError(script, token);
}

function notValueError(
  script: Script,
  token: ScriptToken | undefined,
): ReturnType<typeof syntaxError> {
  const expected =
    token?.kind === 'quoted-name'
      ? 'this is a name, not a text: write texts in single quotes'
      : 'expected a value: a literal, or a simple function such as CAST, CURRENT_TIMESTAMP or unhex';
  return syntaxError(script, token, expected);
}
