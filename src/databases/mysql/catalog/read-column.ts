import { isUtf8 } from 'node:buffer';
import { quoteName, quoteText } from '../dialect/ddl.ts';
import { columnType, withReferenceSystem } from '../dialect/types.ts';
import type { Column, ColumnKind, ColumnType } from '../../../model/schema.ts';
import type { CatalogCheck, CatalogColumn } from './catalog.ts';
import type { ServerInfo } from '../dialect/server-info.ts';

export interface ColumnContext {
  readonly server: Pick<ServerInfo, 'isMariadb'>;
  readonly database: string;
  /** Checks of the column's table. */
  readonly checks: readonly CatalogCheck[];
  /** Collation of the table; a column's collation is reported only if it differs. */
  readonly collation: string | undefined;
}

/** MariaDB: at the end of what the catalog says of a column. */
const unversioned = /(?:, )?WITHOUT SYSTEM VERSIONING$/;

export function readColumn(column: CatalogColumn, context: ColumnContext): Column {
  const { server } = context;
  const isUnversioned = unversioned.test(column.extra);
  const extraText = column.extra.replace(unversioned, '');
  const extra = extraText.toLowerCase();
  const type = typeOf(column, context);
  const generation = server.isMariadb ? column.generation : unescaped(column.generation);
  const isGenerated = generation !== '' || / generated(?:,? invisible)?$/.test(extra);
  const defaultText = isGenerated ? undefined : defaultOf(column, type, context);
  const onUpdate = /on update (.*?)(?:,? invisible)?$/i.exec(extraText)?.[1];
  const collation = column.collation === context.collation ? undefined : column.collation;
  return {
    name: column.name,
    type,
    nativeType: column.type,
    nullable: column.nullable,
    ...(defaultText === undefined ? {} : { default: defaultText }),
    ...(extra.includes('auto_increment') ? { autoIncrement: true } : {}),
    ...(isGenerated
      ? { generated: { expression: generation, stored: !extra.includes('virtual') } }
      : {}),
    ...(isCheckedText(type, column) ? { mayHoldOtherText: true } : {}),
    ...(collation === undefined ? {} : { collation }),
    ...(onUpdate === undefined ? {} : { onUpdate }),
    ...(/\binvisible\b/.test(extra) ? { invisible: true } : {}),
    ...(isUnversioned ? { unversioned: true } : {}),
    ...(column.comment === '' ? {} : { comment: column.comment }),
  };
}

/** In MariaDB, JSON is a text with a check. */
function typeOf(
  { name, type, referenceSystem }: CatalogColumn,
  { server, checks }: ColumnContext,
): ColumnType {
  const isJson =
    server.isMariadb &&
    checks.some(({ expression }) => expression === `json_valid(${quoteName(name)})`);
  if (isJson) return { kind: 'json' };
  return referenceSystem === undefined
    ? columnType(type)
    : withReferenceSystem(columnType(type), Number(referenceSystem));
}

/**
 * JSON_VALID of MariaDB accepts escapes and numbers that JSON does not have (`"\\q"`, `1.`), and
 * `check_constraint_checks = 0` accepts any text.
 */
function isCheckedText({ kind }: ColumnType, column: CatalogColumn): boolean {
  return kind === 'json' && column.type !== 'json';
}

const bareKinds: ReadonlySet<ColumnKind> = new Set([
  'boolean',
  'integer',
  'decimal',
  'float',
  'bits',
]);

/** MariaDB reports defaults as expressions, including `NULL`. MySQL reports unquoted literals, or expressions with escaped quotes. */
function defaultOf(
  column: CatalogColumn,
  type: ColumnType,
  { server, database }: ColumnContext,
): string | undefined {
  const { default: text, extra } = column;
  if (text === undefined || (server.isMariadb && text === 'NULL')) return undefined;
  if (server.isMariadb) return withoutOwnDatabase(text, database);
  if (/\bDEFAULT_GENERATED\b/.test(extra)) return unescaped(text);
  return bareKinds.has(type.kind) || isBitLiteral(text, column) ? text : quoteText(text);
}

/** MariaDB qualifies the names of sequences, which then mean the same in any other database. */
function withoutOwnDatabase(expression: string, database: string): string {
  return /\b(?:next|last)val\(/i.test(expression)
    ? expression.replaceAll(`${quoteName(database)}.`, '')
    : expression;
}

function isBitLiteral(text: string, { type }: CatalogColumn): boolean {
  return type.startsWith('bit') && text.startsWith("b'");
}

/** Removes the escapes that MySQL adds to parsed expressions: `_utf8mb4\'x\'`. */
export function unescaped(expression: string): string {
  return decodedTwice(expression).replaceAll(/\\(.)/gs, '$1');
}

/**
 * MySQL treats the bytes of a parsed expression as Latin-1 and encodes them again: `ü` arrives as `Ã¼`.
 * Literals of other character sets keep their bytes, so each sequence is decoded separately.
 */
function decodedTwice(expression: string): string {
  if (/[^\0-\xff]/.test(expression)) return expression;
  return expression.replaceAll(/[\x80-\xff]+/g, (run) => {
    const bytes = Buffer.from(run, 'latin1');
    return isUtf8(bytes) ? bytes.toString('utf8') : run;
  });
}
