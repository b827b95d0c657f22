import * as fc from 'fast-check';
import { bytes, decimals, documents, doubles, hexOf, texts, wholeNumbers } from './texts.ts';
import { documentAfter } from './native-cells.ts';
import type { CellChange, CellType, Losses, NativeCells } from './native-cells.ts';
import type { Literals } from './texts.ts';

const text = (values: fc.Arbitrary<string>): Literals =>
  values.map((value) => `CAST(X'${hexOf(value)}' AS TEXT)`);

/** A value of any storage class. */
const valid: Literals = fc.oneof(
  text(texts()),
  text(decimals),
  text(documents),
  text(texts(40_000)),
  wholeNumbers(),
  doubles,
  doubles.map((digits) => `CAST('${digits}' AS REAL)`),
  fc.constantFrom('9e999', '-9e999', '1.0', '-0.0', '0', '1', '2', "''", "X''", "'12'", "'1.0'"),
  bytes(30).map((hex) => `X'${hex}'`),
  documents.map((value) => `X'${hexOf(value)}'`),
); // prettier-ignore

/** Some texts are not UTF-8. */
const any: Literals = fc.oneof(
  { weight: 12, arbitrary: valid },
  { weight: 1, arbitrary: bytes(8).map((hex) => `CAST(X'${hex}' AS TEXT)`) },
);

const declared = [
  '', 'INTEGER', 'INT UNSIGNED', 'BIGINT', 'TINYINT(1)', 'REAL', 'DOUBLE PRECISION', 'FLOAT', 'NUMERIC', 'DECIMAL(10,2)', 'DECIMAL(30,10)', 'BOOLEAN', 'BOOL', 'TEXT', 'VARCHAR(30)', 'CHAR(8)', 'CLOB', 'BLOB', 'VARBINARY(10)', 'JSON', 'JSONB', 'DATE', 'TIME', 'DATETIME', 'TIMESTAMP', 'UUID', 'ANY', 'STRING', 'MONEY', 'odd type', 'ENUM', 'XML', 'INTERVAL', 'BIT(8)', 'TEXT COLLATE NOCASE',
]; // prettier-ignore

const strict: readonly CellType[] = ['INT', 'INTEGER', 'REAL', 'TEXT', 'BLOB', 'ANY'].map(
  // Text that is not UTF-8 is exported as binary, which a STRICT TEXT column does not accept.
  (type) => ({ type: `${type} /* strict */`, values: type === 'TEXT' ? valid : any }),
);

export const sqliteCells: NativeCells = {
  setUp: 'PRAGMA synchronous = OFF',
  types: [...declared.map((type) => ({ type, values: any })), ...strict],
  show: (name) =>
    `CASE typeof(${name}) WHEN 'null' THEN NULL WHEN 'integer' THEN 'i' || ${name} WHEN 'real' THEN iif(${name} = 0 AND atan2(${name}, -1.0) < 0, 'r-0.0', printf('r%!.20g', ${name})) ELSE substr(typeof(${name}), 1, 1) || hex(${name}) END`,
  create: (table, columns) => {
    const strictColumns = columns.filter((column) => column.includes('/* strict */'));
    const isStrict = strictColumns.length * 2 > columns.length;
    const all = isStrict ? columns.map((column) => asStrict(column)) : columns;
    return `CREATE TABLE ${table} (id INTEGER PRIMARY KEY, ${all.join(', ')})${isStrict ? ' STRICT' : ''}`;
  },
  set: ({ table, id, name, literal }) =>
    `UPDATE ${table} SET ${name} = ${literal} WHERE id = ${id}`,
  isLost: (losses, change) => {
    const { type, before, after } = change;
    if (after === null) return losses.has('empty_text') && before === 't';
    if (before.startsWith('t') && !isUtf8(before)) return isBytes(losses, change);
    if (losses.has('stored_class') && before[0] !== after[0]) return true;
    const isDocument = type.startsWith('JSON') && before.startsWith('t') && after.startsWith('t');
    return isDocument && documentAfter(losses, textOf(before)) === textOf(after);
  },
};

const textOf = (shown: string): string => Buffer.from(shown.slice(1), 'hex').toString();

const isUtf8 = (shown: string): boolean => `t${hexOf(textOf(shown)).toUpperCase()}` === shown;

/** Text that is not UTF-8, as binary or as its hex. */
function isBytes(losses: Losses, { before, after }: CellChange): boolean {
  const bytes = before.slice(1);
  if (losses.has('not_utf8')) return after === `b${bytes}`;
  const hex = `t${hexOf(`\\x${bytes.toLowerCase()}`).toUpperCase()}`;
  return losses.has('not_utf8_hex') && (after === `b${bytes}` || after === hex);
}

function asStrict(column: string): string {
  return column.includes('/* strict */') ? column : `${column.split(' ')[0]} ANY`;
}
