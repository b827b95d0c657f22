import { hexBytes, decodeText } from './literals.ts';
import { readName, readString } from './read-string.ts';
import { expectWord, nextToken, peekToken, takeWord, textOf, unexpected } from './script.ts';
import { bareFunctions, castTo, concat, valueFunctions } from './value-functions.ts';
import type { SqlValue } from './literals.ts';
import type { Script, ScriptToken } from './script.ts';

/** Brackets and functions inside each other. */
const deepest = 50;

/** A value: literals, and the functions and casts that dump tools write around them. */
export function readExpression(script: Script, depth = 0): SqlValue {
  const start = peekToken(script);
  if (depth > deepest) throw unexpected(script, start, 'this is nested too deep');
  let value = readCasts(script, readOperand(script, depth));
  for (let next = peekToken(script); next !== undefined; next = peekToken(script)) {
    const isText = value.kind === 'text' || value.kind === 'wide';
    const isSum = next.word === '||' || (next.word === '+' && isText);
    const goesOn = next.kind === 'string' && isText;
    if (!isSum && !goesOn) break;
    if (isSum) nextToken(script);
    const operand = readCasts(script, readOperand(script, depth));
    value = concat([value, operand]) ?? notAValue(script, next);
  }
  return value;
}

function readCasts(script: Script, operand: SqlValue): SqlValue {
  let value = operand;
  while (peekToken(script)?.word === '::') {
    const colons = nextToken(script);
    value = castTo(readType(script), value) ?? notAValue(script, colons);
  }
  return value;
}

function readOperand(script: Script, depth: number): SqlValue {
  const token = nextToken(script);
  if (token === undefined) throw unexpected(script, token, 'a value is expected');
  if (token.kind === 'string') return readString(script, token);
  if (token.kind === 'number') return readNumber(script, token);
  if (token.kind === 'quoted-name')
    return { kind: 'text', raw: textOf(script, token).slice(1, -1) };
  if (token.word === '(') return inBrackets(script, depth);
  if (token.word === '-' || token.word === '+') return signed(script, token);
  if (token.kind === 'word') return readWord(script, token, depth);
  throw notValue(script, token);
}

function inBrackets(script: Script, depth: number): SqlValue {
  const value = readExpression(script, depth + 1);
  expectWord(script, ')');
  return value;
}

function readNumber(script: Script, token: ScriptToken): SqlValue {
  const digits = textOf(script, token).replaceAll('_', '');
  return /^0x/i.test(digits)
    ? { kind: 'hex', bytes: hexBytes(digits.slice(2)) }
    : { kind: 'number', digits };
}

function signed(script: Script, sign: ScriptToken): SqlValue {
  const token = nextToken(script);
  const value = token?.kind === 'number' ? readNumber(script, token) : undefined;
  if (value?.kind !== 'number') throw notValue(script, token ?? sign);
  return sign.word === '-' ? { kind: 'number', digits: `-${value.digits}` } : value;
}

const words: ReadonlyMap<string, SqlValue> = new Map([
  ['NULL', { kind: 'null' }],
  ['DEFAULT', { kind: 'default' }],
  ['TRUE', { kind: 'boolean', value: true }],
  ['FALSE', { kind: 'boolean', value: false }],
]);

function readWord(script: Script, token: ScriptToken, depth: number): SqlValue {
  const known = words.get(token.word);
  if (known !== undefined) return known;
  const next = peekToken(script);
  if (next?.kind === 'string' && saysType(token.word)) return readTyped(script, token);
  if (token.word === 'ARRAY' && next?.word === '[') return readArray(script, depth);
  if (next?.word === '(') return readCall(script, token, depth);
  if (bareFunctions.has(token.word)) return call(script, token, []);
  throw notValue(script, token);
}

const literalTypes: ReadonlySet<string> = new Set(
  'DATE TIME TIMESTAMP TIMESTAMPTZ TIMETZ DATETIME INTERVAL UUID JSON JSONB BYTEA INET CIDR BIT POINT'.split(
    ' ',
  ),
);

/** A type's name, or a character set of MySQL's. */
function saysType(word: string): boolean {
  return literalTypes.has(word) || /^_(?:BINARY|ASCII|LATIN\d|UTF\w+|UCS2)$/.test(word);
}

/** `_binary '…'`, `_utf8mb4 '…'`, `DATE '…'`, `uuid '…'`. */
function readTyped(script: Script, type: ScriptToken): SqlValue {
  const string = nextToken(script) as ScriptToken;
  const value = readString(script, string);
  if (value.kind !== 'text' || type.word !== '_BINARY') return value;
  return { kind: 'bytes', bytes: Buffer.from(value.raw, 'latin1') };
}

function readCall(script: Script, name: ScriptToken, depth: number): SqlValue {
  nextToken(script);
  if (name.word === 'CAST' || name.word === 'TRY_CAST') return readCast(script, name, depth);
  if (name.word === 'CONVERT') return readConvert(script, name, depth);
  const args: SqlValue[] = [];
  if (!takeWord(script, ')')) {
    do args.push(readExpression(script, depth + 1));
    while (takeWord(script, ','));
    expectWord(script, ')');
  }
  return call(script, name, args);
}

function call(script: Script, name: ScriptToken, args: readonly SqlValue[]): SqlValue {
  return valueFunctions.get(name.word)?.(args) ?? notAValue(script, name);
}

function readCast(script: Script, name: ScriptToken, depth: number): SqlValue {
  const value = readExpression(script, depth + 1);
  expectWord(script, 'AS');
  const type = readType(script);
  expectWord(script, ')');
  return castTo(type, value) ?? notAValue(script, name);
}

/** SQL Server's `CONVERT(type, value, style)`, MySQL's `CONVERT(value, type)` and `CONVERT(value USING charset)`. */
function readConvert(script: Script, name: ScriptToken, depth: number): SqlValue {
  const first = peekToken(script);
  const typeFirst = first?.kind === 'word' && !words.has(first.word) && !first.word.startsWith('_');
  if (!typeFirst) {
    const value = readExpression(script, depth + 1);
    if (!takeWord(script, 'USING')) expectWord(script, ',');
    const type = readType(script);
    expectWord(script, ')');
    return castTo(type, value) ?? notAValue(script, name);
  }
  const type = readType(script);
  expectWord(script, ',');
  const value = readExpression(script, depth + 1);
  if (takeWord(script, ',')) readExpression(script, depth + 1);
  expectWord(script, ')');
  return castTo(type, value) ?? notAValue(script, name);
}

/** A type's first word; what follows it, sizes and all, is passed over. */
function readType(script: Script): string {
  const first = nextToken(script);
  if (first?.kind !== 'word' && first?.kind !== 'quoted-name')
    throw unexpected(script, first, 'a type is expected');
  let name = readName(script, first);
  for (let next = peekToken(script); isOfType(next); next = peekToken(script)) {
    nextToken(script);
    if (next?.word === '.') name = readName(script, nextToken(script) ?? first);
    else if (next?.word === '(') passSizes(script);
  }
  return name;
}

const typeWords: ReadonlySet<string> = new Set(
  '. ( [ ] VARYING PRECISION WITH WITHOUT TIME ZONE UNSIGNED SIGNED INTEGER SET CHARACTER'.split(
    ' ',
  ),
);

function isOfType(token: ScriptToken | undefined): boolean {
  return token !== undefined && typeWords.has(token.word);
}

function passSizes(script: Script): void {
  for (let token = nextToken(script); token?.word !== ')'; token = nextToken(script)) {
    if (token === undefined) throw unexpected(script, token, '")" is expected');
  }
}

/** `ARRAY[1, 'a', NULL, ARRAY[…]]`, as JSON. */
function readArray(script: Script, depth: number): SqlValue {
  expectWord(script, '[');
  const items: string[] = [];
  if (!takeWord(script, ']')) {
    do items.push(jsonOf(script, readExpression(script, depth + 1)));
    while (takeWord(script, ','));
    expectWord(script, ']');
  }
  return { kind: 'array', json: `[${items.join(',')}]` };
}

function jsonOf(script: Script, value: SqlValue): string {
  if (value.kind === 'null') return 'null';
  if (value.kind === 'array') return value.json;
  if (value.kind === 'boolean') return String(value.value);
  if (value.kind === 'text') return JSON.stringify(decodeText(value.raw).text);
  if (value.kind === 'wide') return JSON.stringify(value.text);
  if (value.kind === 'number') return JSON.stringify(value.digits);
  throw unexpected(script, undefined, 'an item of this array is not understood');
}

function notAValue(script: Script, token: ScriptToken | undefined): never {
  throw notValue(script, token);
}

function notValue(script: Script, token: ScriptToken | undefined): ReturnType<typeof unexpected> {
  return unexpected(
    script,
    token,
    'a value is expected: a literal, or a plain function like CAST, CURRENT_TIMESTAMP, unhex',
  );
}
