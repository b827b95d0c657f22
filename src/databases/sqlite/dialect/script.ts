import { StudioError } from '../../../model/errors.ts';
import { sqliteDdl } from './ddl.ts';
import type { EncodeLiteral, ScriptDialect } from '../../../model/script-dialect.ts';
import type { Column, ColumnKind } from '../../../model/schema.ts';

const { quoteName, quoteText, tableName } = sqliteDdl;

/** INSERTs for SQLite, and for its shell. */
export const sqliteScript: ScriptDialect = {
  literal,
  insertInto: ({ table, columns }) =>
    `INSERT INTO ${tableName(table)} (${columns.map(({ name }) => quoteName(name)).join(', ')}) VALUES`,
  maxRows: 500,
  frame: { begin: ['BEGIN'], end: ['COMMIT'] },
  tableFrame: () => ({ begin: [], end: [] }),
  moveIdentity: () => undefined,
  terminator: ';\n',
};

function literal(column: Column): EncodeLiteral {
  const real = unconvertedKinds.has(column.type.kind) ? realText : number;
  return (value) => {
    if (value === null) return 'NULL';
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') return real(value);
    if (typeof value === 'boolean') return value ? '1' : '0';
    return typeof value === 'bigint' ? String(value) : bytes(value);
  };
}

/** Where the literal alone decides whether 1 is a REAL. */
const unconvertedKinds: ReadonlySet<ColumnKind> = new Set(['untyped', 'binary']);

function number(value: number): string {
  return Number.isSafeInteger(value) && !Object.is(value, -0) ? String(value) : realText(value);
}

function realText(value: number): string {
  if (Number.isNaN(value)) throw new StudioError('invalid_value', 'SQLite has no NaN, only NULL.');
  if (!Number.isFinite(value)) return value > 0 ? '1e999' : '-1e999';
  const digits = Object.is(value, -0) ? '-0' : String(value);
  return /^-?\d+$/.test(digits) ? `${digits}.0` : digits;
}

function bytes(value: Uint8Array): string {
  return `X'${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}'`;
}

const hostile = /[\0\r]/;

/** The shell takes CR LF for LF, and a zero character for the end of its line. */
function text(value: string): string {
  if (!value.isWellFormed()) {
    throw new StudioError(
      'invalid_value',
      'The text holds half of a surrogate pair, which UTF-8 cannot say.',
    );
  }
  return hostile.test(value) ? spelledOut(value, [0x0d, 0x00]) : quoteText(value);
}

/** With marks in place of some characters, which `replace` takes back. */
function spelledOut(value: string, codes: readonly number[]): string {
  let plain = value;
  let calls = (expression: string): string => expression;
  for (const code of codes) {
    const character = String.fromCharCode(code);
    if (!value.includes(character)) continue;
    const mark = freeMark(value, code);
    const inner = calls;
    plain = plain.replaceAll(character, mark);
    calls = (expression) => `replace(${inner(expression)}, ${quoteText(mark)}, char(${code}))`;
  }
  return calls(quoteText(plain));
}

/** A backslash and what the value has behind none of its own: nowhere can one begin within another. */
function freeMark(value: string, code: number): string {
  const wanted = code === 0 ? '\\0' : '\\r';
  let mark = wanted;
  for (let i = 1; value.includes(mark); i++) mark = `${wanted}${i}`;
  return mark;
}
