/** Queries for what an import has created, as the database stores it: see `DdlUndo.bodyOf` and `DdlUndo.definitionOf`. */
import type { CreatedObject, DdlUndo } from '../../../model/ddl-dialect.ts';

/** A text that no setting of the session changes. */
export const textOf = (name: string): string =>
  `CONVERT(0x${Buffer.from(name).toString('hex')} USING utf8mb4)`;

const routineBody = (name: string): string =>
  `SELECT ROUTINE_DEFINITION FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = DATABASE() AND ROUTINE_NAME = ${name}`;

/** By kind. */
const bodies: ReadonlyMap<string, (name: string) => string> = new Map([
  ['function', (name) => `${routineBody(name)} AND ROUTINE_TYPE = 'FUNCTION'`],
  ['procedure', (name) => `${routineBody(name)} AND ROUTINE_TYPE = 'PROCEDURE'`],
  [
    'trigger',
    (name) =>
      `SELECT ACTION_STATEMENT, EVENT_OBJECT_TABLE FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = DATABASE() AND TRIGGER_NAME = ${name}`,
  ],
  [
    'event',
    (name) =>
      `SELECT EVENT_DEFINITION FROM information_schema.EVENTS WHERE EVENT_SCHEMA = DATABASE() AND EVENT_NAME = ${name}`,
  ],
]);

const columnProperties =
  'COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE, COLUMN_DEFAULT, COLLATION_NAME, COLUMN_COMMENT, GENERATION_EXPRESSION';

/** By kind. The name of the table is that of the object for relations. */
const definitions: ReadonlyMap<string, (name: string, table: string) => readonly string[]> =
  new Map([
    [
      'relation',
      (name) => [
        // Of a view, the comment says whether its query fails.
        `SELECT TABLE_TYPE, IF(TABLE_TYPE = 'VIEW', '', TABLE_COMMENT) FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ${name}`,
        `SELECT VIEW_DEFINITION, CHECK_OPTION, SECURITY_TYPE FROM information_schema.VIEWS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ${name}`,
        // The columns of a view change with its tables.
        `SELECT ${columnProperties} FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ${name} AND NOT EXISTS (SELECT 1 FROM information_schema.VIEWS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ${name}) ORDER BY ORDINAL_POSITION`,
      ],
    ],
    [
      'column',
      (name, table) => [
        `SELECT ${columnProperties} FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ${table} AND COLUMN_NAME = ${name}`,
      ],
    ],
    [
      'index',
      (name, table) => [
        `SELECT COLUMN_NAME, NON_UNIQUE, SUB_PART, COLLATION, INDEX_TYPE, INDEX_COMMENT FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ${table} AND INDEX_NAME = ${name} ORDER BY SEQ_IN_INDEX`,
      ],
    ],
    [
      // Not its index: the server drops that of a foreign key once there is another one.
      'constraint',
      (name, table) => [
        `SELECT COLUMN_NAME, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME FROM information_schema.KEY_COLUMN_USAGE WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ${table} AND CONSTRAINT_NAME = ${name} ORDER BY ORDINAL_POSITION`,
        `SELECT UPDATE_RULE, DELETE_RULE FROM information_schema.REFERENTIAL_CONSTRAINTS WHERE CONSTRAINT_SCHEMA = DATABASE() AND TABLE_NAME = ${table} AND CONSTRAINT_NAME = ${name}`,
      ],
    ],
  ]);

export const storedDefinitions = {
  countTriggers: ({ localName }) =>
    `SELECT COUNT(*) FROM information_schema.TRIGGERS WHERE EVENT_OBJECT_SCHEMA = DATABASE() AND EVENT_OBJECT_TABLE = ${textOf(localName)}`,
  bodyOf: (kind, name) => bodies.get(kind)?.(textOf(name)),
  definitionOf: ({ kind, name, table = name }: CreatedObject) => {
    const body = bodies.get(kind)?.(textOf(name));
    return body === undefined
      ? (definitions.get(kind)?.(textOf(name), textOf(table)) ?? [])
      : [body];
  },
} satisfies Partial<DdlUndo>;
