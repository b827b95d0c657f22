import { StudioError } from '../../../model/errors.ts';
import { sqlserverDdl } from './ddl.ts';
import { isClr } from './types.ts';
import type { EncodeLiteral, ScriptDialect, ScriptTable } from '../../../model/script-dialect.ts';
import type { Column, ColumnType } from '../../../model/schema.ts';
import type { Value } from '../../../model/values.ts';

const { quoteName, quoteText, tableName } = sqlserverDdl;

/** Writes INSERT scripts for SQL Server. Each statement is a batch, which limits the batch size. */
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
  advanceIdentity: () => undefined,
  // A table that has never had rows begins with the value itself.
  setNextValue: ({ table, value, hasRows }) => [
    `DBCC CHECKIDENT (${quoteText(tableName(table))}, RESEED, ${hasRows ? value - 1n : value}) WITH NO_INFOMSGS`,
  ],
  terminator: ';\nGO\n',
};

/** IDENTITY_INSERT allows explicit values in identity columns. */
function around({ table, columns }: ScriptTable): ReturnType<ScriptDialect['tableFrame']> {
  if (!columns.some(({ autoIncrement }) => autoIncrement === true)) return { begin: [], end: [] };
  const set = `SET IDENTITY_INSERT ${tableName(table)}`;
  return { begin: [`${set} ON`], end: [`${set} OFF`] };
}

/**
 * All rows of an INSERT share one type per column, which the server derives from the literals.
 * Fractional numbers are written as text, so that they do not affect each other; the server converts
 * them to the type of the column.
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

/** A sql_variant stores the type of its value, so literals are cast to it. */
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
  // As SSMS writes them: not every server converts a text implicitly.
  if (type.kind === 'timestamp' && type.zone === true)
    return `CAST(${quoted(text)} AS datetimeoffset)`;
  return quoted(text);
}

/** A literal with an exponent is a float; without one it is a decimal. */
function double(value: number): string {
  if (!Number.isFinite(value))
    throw new StudioError('invalid_value', `SQL Server cannot store ${value}.`);
  const digits = Object.is(value, -0) ? '-0' : String(value);
  return digits.includes('e') ? digits : `${digits}e0`;
}

function bytes(value: Uint8Array): string {
  return `0x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`;
}

/** Character sequences that the server or its clients interpret even within quotes. */
const hostile = /\0|\p{Surrogate}|\\\r?\n|\$\(|^[\t ]*GO/imu;

/** `\` before a line break removes both, a GO line ends the batch, and `$(x)` is a sqlcmd variable. */
function quoted(value: string): string {
  if (!hostile.test(value)) return quoteText(value);
  const parts = value
    .split(/(\0|\p{Surrogate})|(?<=\\)(?=\r?\n)|(?<=\$)(?=\()|(?<=^[\t ]*G)(?=O)/imu)
    .filter((text) => text !== undefined && text !== '');
  // Without the CAST, concatenation would truncate at 4,000 characters.
  const [first = "N''", ...rest] = parts.map(partLiteral);
  return `CAST(${first} AS nvarchar(max))${rest.map((one) => ` + ${one}`).join('')}`;
}

function partLiteral(text: string): string {
  return /^(?:\0|\p{Surrogate})$/u.test(text) ? `NCHAR(${text.charCodeAt(0)})` : quoteText(text);
}
