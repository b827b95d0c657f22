import { StudioError } from '../../../model/errors.ts';
import { sqlserverDdl } from './ddl.ts';
import { isClr } from './types.ts';
import type { EncodeLiteral, ScriptDialect, ScriptTable } from '../../../model/script-dialect.ts';
import type { Column, ColumnType } from '../../../model/schema.ts';
import type { Value } from '../../../model/values.ts';

const { quoteName, quoteText, tableName } = sqlserverDdl;

/** INSERTs for SQL Server; each statement is a batch, so that none grows beyond what the server takes. */
export const sqlserverScript: ScriptDialect = {
  literal,
  insertInto: ({ table, columns }) =>
    `INSERT INTO ${tableName(table)} (${columns.map(({ name }) => quoteName(name)).join(', ')}) VALUES`,
  maxRows: 500,
  frame: {
    begin: ['SET NOCOUNT, XACT_ABORT, QUOTED_IDENTIFIER, ANSI_NULLS ON', 'BEGIN TRANSACTION'],
    end: ['COMMIT TRANSACTION'],
  },
  tableFrame: around,
  moveIdentity: () => undefined,
  terminator: ';\nGO\n',
};

/** Without it a column that numbers rows takes no numbers of ours. */
function around({ table, columns }: ScriptTable): ReturnType<ScriptDialect['tableFrame']> {
  if (!columns.some(({ autoIncrement }) => autoIncrement === true)) return { begin: [], end: [] };
  const set = `SET IDENTITY_INSERT ${tableName(table)}`;
  return { begin: [`${set} ON`], end: [`${set} OFF`] };
}

/**
 * The rows of an INSERT share one type a column, found among their literals: numbers that are not
 * whole go as text, which takes nothing from each other, and become the column's type at its end.
 */
function literal({ type }: Column): EncodeLiteral {
  const encode = type.kind === 'untyped' ? variant : plain(type);
  return (value) => (value === null ? 'NULL' : encode(value));
}

type Encode = (value: Exclude<Value, null>) => string;

function plain(type: ColumnType): Encode {
  return (value) => {
    if (typeof value === 'string') return string(value, type);
    if (typeof value === 'boolean') return value ? '1' : '0';
    if (typeof value === 'number') return type.kind === 'float' ? double(value) : String(value);
    return typeof value === 'bigint' ? String(value) : bytes(value);
  };
}

/** A sql_variant keeps the type of what it is given. */
const variant: Encode = (value) => {
  const typed = (name: string, text: string): string =>
    `CAST(CAST(${text} AS ${name}) AS sql_variant)`;
  if (typeof value === 'bigint') return typed('bigint', String(value));
  if (typeof value === 'number') return typed('float', double(value));
  if (typeof value === 'boolean') return typed('bit', value ? '1' : '0');
  return `CAST(${typeof value === 'string' ? quoted(value) : bytes(value)} AS sql_variant)`;
};

function string(text: string, type: ColumnType): string {
  if (type.kind === 'integer' && /^-?\d+$/.test(text)) return text;
  if (isClr(type)) return `CAST(${quoted(text)} AS ${type.name})`;
  // As SSMS writes them: not every server makes one of a text that is just any text.
  if (type.kind === 'timestamp' && type.zone === true)
    return `CAST(${quoted(text)} AS datetimeoffset)`;
  return quoted(text);
}

/** With an exponent it is read as a float; without, as a decimal. */
function double(value: number): string {
  if (!Number.isFinite(value))
    throw new StudioError('invalid_value', `SQL Server knows no ${value}.`);
  const digits = Object.is(value, -0) ? '-0' : String(value);
  return digits.includes('e') ? digits : `${digits}e0`;
}

function bytes(value: Uint8Array): string {
  return `0x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`;
}

/** What the server or its clients would take for something else, even in quotes. */
const hostile = /\0|\p{Surrogate}|\\\r?\n|\$\(|^[\t ]*GO/imu;

/** `\` and a line break are nothing, a line of GO ends the batch, `$(x)` is a variable of sqlcmd's. */
function quoted(value: string): string {
  if (!hostile.test(value)) return quoteText(value);
  const parts = value
    .split(/(\0|\p{Surrogate})|(?<=\\)(?=\r?\n)|(?<=\$)(?=\()|(?<=^[\t ]*G)(?=O)/imu)
    .filter((text) => text !== undefined && text !== '');
  // A sum of shorter texts would end at 4,000 characters.
  const [first = "N''", ...rest] = parts.map(partLiteral);
  return `CAST(${first} AS nvarchar(max))${rest.map((one) => ` + ${one}`).join('')}`;
}

function partLiteral(text: string): string {
  return /^(?:\0|\p{Surrogate})$/u.test(text) ? `NCHAR(${text.charCodeAt(0)})` : quoteText(text);
}
