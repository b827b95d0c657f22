import { createHash } from 'node:crypto';
import { storedDefinitions } from './definitions.ts';
import { serverError } from './errors.ts';
import { findMarkers, importMarker, markerName } from './import-marker.ts';
import type { DdlUndo } from '../../../model/ddl-dialect.ts';
import type { Table } from '../../../model/schema.ts';

/** ER_TABLE_EXISTS_ERROR, ER_SP_ALREADY_EXISTS, ER_TRG_ALREADY_EXISTS and ER_EVENT_ALREADY_EXISTS */
const existsNumbers: ReadonlySet<unknown> = new Set([1050, 1304, 1359, 1537]);

/**
 * ER_BAD_TABLE_ERROR, ER_BAD_FIELD_ERROR, ER_CANT_DROP_FIELD_OR_KEY, ER_NO_SUCH_TABLE, ER_SP_DOES_NOT_EXIST,
 * ER_TRG_DOES_NOT_EXIST, ER_EVENT_DOES_NOT_EXIST, ER_CHECK_CONSTRAINT_NOT_FOUND and ER_CONSTRAINT_NOT_FOUND
 */
const missingNumbers: ReadonlySet<unknown> = new Set([
  1051, 1054, 1091, 1146, 1305, 1360, 1539, 3821, 3940,
]);

/** ER_DUP_FIELDNAME, ER_DUP_KEYNAME, ER_FK_DUP_NAME and ER_CHECK_CONSTRAINT_DUP_NAME */
const addedNumbers: ReadonlySet<unknown> = new Set([1060, 1061, 1826, 3822]);

/** Locks have names of at most 64 characters. Those of tables whose names differ by case only are the same. */
function lockOfName(name: string): string {
  const text = Buffer.from(name.toLowerCase()).toString('hex');
  return `CONCAT('database-studio ', LEFT(SHA2(CONCAT(DATABASE(), '.${text}'), 256), 40))`;
}

/** MySQL allows one constraint of a name in a schema. */
function temporaryName(name: string): string {
  return `studio_undo_${createHash('sha256').update(name).digest('hex').slice(0, 16)}`;
}

const closingConstraint = ({ localName }: Table): string => temporaryName(localName);

/** https://dev.mysql.com/doc/refman/8.4/en/timestamp-initialization.html */
const isTime = /^(?:current_timestamp|now|localtime(?:stamp)?)(?:\(\d?\))?$/i;

/** Conditions of a filled column: https://dev.mysql.com/doc/refman/8.4/en/data-type-defaults.html */
const filledConditions: readonly (readonly [types: RegExp, condition: (name: string) => string])[] =
  [
    [/^(?:var)?char$|text$|blob$|^varbinary$/, (name) => `LENGTH(${name}) > 0`],
    [/int$|^decimal$|^float$|^double$|^bit$|^year$/, (name) => `${name} <> 0`],
    [/^date|^time|^uuid$|^inet/, (name) => `CAST(${name} AS CHAR) NOT REGEXP '^[-0:. ]*$'`],
    [/^binary$/, (name) => `REPLACE(HEX(${name}), '0', '') <> ''`],
    // The first label.
    [/^enum$/, (name) => `${name} + 0 <> 1`],
    [/^set$/, (name) => `${name} + 0 <> 0`],
    [/^json$/, (name) => `CAST(${name} AS CHAR) NOT IN ('', 'null')`],
  ];

function isFilled(name: string, nativeType: string): string {
  const type = /^\w+/.exec(nativeType.toLowerCase())?.[0] ?? '';
  const found = filledConditions.find(([types]) => types.test(type));
  return found === undefined ? `${name} IS NULL OR 1 = 1` : found[1](name);
}

const locks: Pick<
  DdlUndo,
  'acquireLock' | 'lockHolder' | 'lockName' | 'isNameLocked' | 'unlockName'
> = {
  acquireLock: (name, waitSeconds) => `SELECT GET_LOCK('database-studio ${name}', ${waitSeconds})`,
  lockName: (name, waitSeconds) => {
    const lock = lockOfName(name);
    return `SELECT IF(IS_USED_LOCK(${lock}) <=> CONNECTION_ID(), 1, GET_LOCK(${lock}, ${waitSeconds}))`;
  },
  isNameLocked: (name) => {
    const holder = `IS_USED_LOCK(${lockOfName(name)})`;
    return `SELECT IF(${holder} IS NULL OR ${holder} = CONNECTION_ID(), 0, 1)`;
  },
  unlockName: (name) => `SELECT RELEASE_LOCK(${lockOfName(name)})`,
  lockHolder: (name) => `SELECT IS_USED_LOCK('database-studio ${name}')`,
};

/** Members whose statements quote no name. */
const unquoted = {
  unlockTables: 'UNLOCK TABLES',
  time: 'SELECT UNIX_TIMESTAMP(NOW(6))',
  setTime: (time) => `SET timestamp = ${Number(time)}`,
  resetTime: 'SET timestamp = DEFAULT',
  isMissingError: (error) => missingNumbers.has(serverError(error)?.errno),
  isExistsError: (error) => existsNumbers.has(serverError(error)?.errno),
  isAddedError: (error) => addedNumbers.has(serverError(error)?.errno),
  endSession: (id) => `KILL CONNECTION ${BigInt(id)}`,
  hiddenColumn: temporaryName,
} satisfies Partial<DdlUndo>;

/** DDL commits implicitly, so a failed import is undone by DROP: https://dev.mysql.com/doc/refman/8.4/en/implicit-commit.html */
export function undoingWith(quote: (name: string) => string): DdlUndo {
  const dropKeys = ({ localName, foreignKeys }: Table): string[] =>
    foreignKeys.flatMap(({ name }) =>
      name === undefined ? [] : `ALTER TABLE ${quote(localName)} DROP FOREIGN KEY ${quote(name)}`,
    );
  return {
    dropView: ({ localName }) => `DROP VIEW IF EXISTS ${quote(localName)}`,
    dropTable: ({ localName }) => `DROP TABLE IF EXISTS ${quote(localName)}`,
    dropKeys: (tables) => tables.flatMap(dropKeys),
    closingConstraint,
    closeTable: (table) =>
      `ALTER TABLE ${quote(table.localName)} ADD CONSTRAINT ${quote(closingConstraint(table))} CHECK (1 = 0)`,
    openTable: (table) =>
      `ALTER TABLE ${quote(table.localName)} DROP CONSTRAINT ${quote(closingConstraint(table))}`,
    ...locks,
    lockTables: (tables) =>
      `LOCK TABLES ${tables.map(({ localName }) => `${quote(localName)} WRITE`).join(', ')}`,
    ...unquoted,
    renameColumn: (table, { from, to }) =>
      `ALTER TABLE ${quote(table)} RENAME COLUMN ${quote(from)} TO ${quote(to)}`,
    dropColumn: (table, column) => `ALTER TABLE ${quote(table)} DROP COLUMN ${quote(column)}`,
    countFilled: (table, { name, nativeType }) =>
      `SELECT COUNT(*) FROM ${quote(table)} WHERE ${isFilled(quote(name), nativeType)}`,
    countChanged: (table, { name: column, default: expression }) => {
      const name = quote(column);
      // DEFAULT() of such a column is not the time, on MySQL.
      const initial = isTime.test(expression ?? '') ? expression : `DEFAULT(${name})`;
      // By bytes: a collation takes different texts for equal.
      return `SELECT COUNT(*) FROM ${quote(table)} WHERE NOT (CAST(${name} AS BINARY) <=> CAST(${initial} AS BINARY))`;
    },
    canLockNames: true,
    ...storedDefinitions,
    markerName,
    findMarkers,
    importMarker,
    scratchDatabase: (name, home) => ({
      begin: [
        // Columns inherit the collation of the database.
        `SET @studio_create = CONCAT('CREATE DATABASE ${quote(name)} CHARACTER SET ', @@character_set_database, ' COLLATE ', @@collation_database)`,
        'PREPARE studio_create FROM @studio_create',
        'EXECUTE studio_create',
        'DEALLOCATE PREPARE studio_create',
        `USE ${quote(name)}`,
      ],
      copy: ({ kind, localName }) => {
        const qualifiedName = `${quote(home)}.${quote(localName)}`;
        return kind === 'table'
          ? `CREATE TABLE ${quote(localName)} LIKE ${qualifiedName}`
          : `CREATE VIEW ${quote(localName)} AS SELECT * FROM ${qualifiedName}`;
      },
      end: [`USE ${quote(home)}`, `DROP DATABASE IF EXISTS ${quote(name)}`],
      remove: `DROP DATABASE IF EXISTS ${quote(name)}`,
    }),
  };
}
