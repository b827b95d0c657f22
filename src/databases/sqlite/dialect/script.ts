import { StudioError } from '../../../model/errors.ts';
import { sqliteDdl } from './ddl.ts';
import type { EncodeLiteral, ScriptDialect } from '../../../model/script-dialect.ts';
import type { Column, ColumnKind } from '../../../model/schema.ts';

const { quoteName, quoteText, tableName } = sqliteDdl;

/** INSERT statements for SQLite, which its shell accepts too. */
export const sqliteScript: ScriptDialect = {
  literal,
  insertInto: ({ table, columns }) =>
    `INSERT INTO ${tableName(table)} (${columns.map(({ name }) => quoteName(name)).join(', ')}) VALUES`,
  maxRows: 500,
  frame: { begin: ['BEGIN'], end: ['COMMIT'] },
  tableFrame: () => ({ begin: [], end: [] }),
  advanceIdentity: () => undefined,
  setNextValue: ({ table, column, value, isOwn }) => {
    const { clause = '' } = sqliteDdl.identityClause(column, table, isOwn) ?? {};
    if (!clause.endsWith('AUTOINCREMENT')) return [];
    const name = quoteText(table.localName);
    return [
      `DELETE FROM sqlite_sequence WHERE name = ${name}`,
      `INSERT INTO sqlite_sequence (name, seq) VALUES (${name}, ${value - 1n})`,
    ];
  },
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

/** Columns without conversion, where the literal alone decides whether 1 is a REAL. */
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

const shellSpecial = /[\0\r]/;

/** The shell converts CR LF to LF, and ends a line at a NUL character. */
function text(value: string): string {
  if (!value.isWellFormed()) {
    throw new StudioError(
      'invalid_value',
      'The text contains half of a surrogate pair, which UTF-8 cannot encode.',
    );
  }
  return shellSpecial.test(value) ? withReplacedCharacters(value, [0x0d, 0x00]) : quoteText(value);
}

/** A literal with placeholders for some characters, in calls of `replace` that restore them. */
function withReplacedCharacters(value: string, codes: readonly number[]): string {
  let withPlaceholders = value;
  let calls = (expression: string): string => expression;
  for (const code of codes) {
    const character = String.fromCharCode(code);
    if (!value.includes(character)) continue;
    const placeholder = unusedPlaceholder(value, code);
    const inner = calls;
    withPlaceholders = withPlaceholders.replaceAll(character, placeholder);
    calls = (expression) =>
      `replace(${inner(expression)}, ${quoteText(placeholder)}, char(${code}))`;
  }
  return calls(quoteText(withPlaceholders));
}

/** A placeholder that does not occur in the value. It begins with a backslash, so two of them cannot overlap. */
function unusedPlaceholder(value: string, code: number): string {
  const prefix = code === 0 ? '\\0' : '\\r';
  let placeholder = prefix;
  for (let i = 1; value.includes(placeholder); i++) placeholder = `${prefix}${i}`;
  return placeholder;
}
