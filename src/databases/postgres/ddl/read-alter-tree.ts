/** ALTER TABLE, from PostgreSQL's tree. */
import {
  changeColumn,
  hasConstraint,
  withBody,
  withoutColumn,
  withoutConstraint,
} from '../../../sql/ddl/change-table.ts';
import { DdlError, offsetOf } from '../../../sql/ddl/cursor.ts';
import { changeTable, findTable, nameOfTable } from '../../../sql/ddl/draft.ts';
import { expressionUntil } from './slice.ts';
import { readTypeName } from './read-type-name.ts';
import { readColumnTree, readConstraintTree, setDefault, setIdentity } from './read-table-tree.ts';
import { unreadClauses } from './unread-clauses.ts';
import type { AlterTableCmd, AlterTableType, Node } from 'libpg-query';
import type { Column } from '../../../model/schema.ts';
import type { SchemaDraft, TableReference } from '../../../sql/ddl/draft.ts';
import { stringsOf } from './tree-names.ts';
import type { TreeReading } from './read-table-tree.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export interface AlterReading extends TreeReading {
  readonly draft: SchemaDraft;
  readonly reference: TableReference;
  /** Roles that the file makes owners of something. */
  readonly owners: Set<string>;
  /** How often SET DEFAULT has been read: the tree does not say where it stands. */
  defaults: number;
}

export function readCommand(command: AlterTableCmd, reading: AlterReading): void {
  const { subtype } = command;
  const read =
    subtype !== undefined && Object.hasOwn(commands, subtype) ? commands[subtype] : undefined;
  if (read !== undefined) {
    if (!isThere(command, reading)) return;
    for (const clause of unreadClauses({ AlterTableCmd: command }))
      reading.body.warn(`${clause} is left out.`);
    read(command, reading);
  } else if (subtype === undefined || !silentCommands.has(subtype))
    reading.body.warn(`${words(subtype)} is left out.`);
}

/** AT_AddInherit reads `add inherit`. */
function words(subtype: string | undefined): string {
  const name = (subtype ?? 'a change').replace(/^AT_/, '');
  return `the change "${name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()}"`;
}

/** What changes nothing that an import makes. */
export const silentCommands: ReadonlySet<AlterTableType> = new Set<AlterTableType>([
  'AT_ValidateConstraint',
  'AT_EnableTrig',
  'AT_EnableTrigAll',
  'AT_DisableTrig',
  'AT_DisableTrigAll',
  'AT_DropOids',
]);

type Command = (command: AlterTableCmd, reading: AlterReading) => void;

const commands: Readonly<Partial<Record<AlterTableType, Command>>> = {
  AT_AddColumn: ({ def }, reading) => {
    if (def !== undefined && 'ColumnDef' in def) readColumnTree(def.ColumnDef, reading);
    addBody(reading);
  },
  AT_AddConstraint: ({ def }, reading) => {
    if (def !== undefined && 'Constraint' in def) addConstraint(def, reading);
  },
  AT_ColumnDefault: ({ name = '', def }, reading) => {
    const expression = def === undefined ? undefined : nextDefault(reading);
    onColumn(reading, name, (column) => {
      const { default: _old, ...changed } = column;
      if (expression !== undefined) setDefault(changed, expression);
      return changed;
    });
  },
  AT_SetNotNull: ({ name = '' }, reading) =>
    onColumn(reading, name, (column) => ({ ...column, nullable: false })),
  AT_DropNotNull: ({ name = '' }, reading) =>
    onColumn(reading, name, (column) => ({ ...column, nullable: true })),
  AT_AddIdentity: ({ name = '', def }, reading) =>
    onColumn(reading, name, (column) => {
      const changed = { ...column };
      if (def !== undefined && 'Constraint' in def) setIdentity(changed, def.Constraint);
      return changed;
    }),
  AT_AlterColumnType: changeType,
  AT_DropColumn: ({ name = '' }, reading) =>
    onTable(reading, (table) => withoutColumn(table, name)),
  AT_DropConstraint: ({ name = '' }, reading) =>
    onTable(reading, (table) => withoutConstraint(table, name)),
  AT_ChangeOwner: ({ newowner }, { owners }) => void owners.add(newowner?.rolename ?? ''),
};

/** Commands about a column of the table, which is to be there. */
const ofColumn: ReadonlySet<string> = new Set([
  'AT_ColumnDefault',
  'AT_SetNotNull',
  'AT_DropNotNull',
  'AT_AddIdentity',
  'AT_AlterColumnType',
  'AT_DropColumn',
]);

/** Whether there is something to do: IF EXISTS and IF NOT EXISTS may leave nothing. */
function isThere(
  { subtype = 'AT_DropOids', name, ...command }: AlterTableCmd,
  reading: AlterReading,
): boolean {
  const { draft, reference, parsed } = reading;
  const table = findTable(draft, reference);
  const { def, missing_ok } = command;
  const has = (column: string | undefined): boolean =>
    table?.columns.some((each) => each.name === column) === true;
  if (subtype === 'AT_AddColumn' && missing_ok === true)
    return !(def !== undefined && 'ColumnDef' in def && has(def.ColumnDef.colname));
  if (subtype === 'AT_DropConstraint' && table !== undefined && !hasConstraint(table, name ?? '')) {
    if (missing_ok !== true) reading.body.warn(`DROP CONSTRAINT ${name} is left out.`);
    return false;
  }
  if (!ofColumn.has(subtype) || has(name)) return true;
  if (subtype === 'AT_DropColumn' && missing_ok === true) return false;
  throw new DdlError(
    `The table ${nameOfTable(reference)} has no column ${name}.`,
    offsetOf(parsed.cursor),
  );
}

function onTable(reading: AlterReading, change: Parameters<typeof changeTable>[2]): void {
  changeTable(reading.draft, reading.reference, change);
}

function onColumn(
  reading: AlterReading,
  name: string,
  change: (column: Mutable<Column>) => Column,
): void {
  onTable(reading, (table) => changeColumn(table, name, (column) => change({ ...column })));
}

/** What has been gathered goes into the table, and the body is empty for what comes next. */
function addBody(reading: AlterReading): void {
  const { body } = reading;
  onTable(reading, (table) => withBody(table, { ...body, rules: undefined as never }));
  for (const name of body.notNull)
    onColumn(reading, name, (column) => ({ ...column, nullable: false }));
  for (const list of [body.columns, body.indexes, body.foreignKeys, body.checks, body.notNull])
    list.length = 0;
  body.primaryKey = undefined;
}

/** `PRIMARY KEY USING INDEX` takes the index away that it is made of. */
function addConstraint(def: Extract<Node, { Constraint: unknown }>, reading: AlterReading): void {
  const { body, draft, reference } = reading;
  if (def.Constraint.indexname !== undefined) {
    body.indexes.push(...(findTable(draft, reference)?.indexes ?? []));
    onTable(reading, (table) => ({ ...table, indexes: [] }));
  }
  readConstraintTree(def.Constraint, reading);
  addBody(reading);
}

/** The expression of the next SET DEFAULT in the text. */
function nextDefault(reading: AlterReading): string {
  const { cursor } = reading.parsed;
  const places = cursor.code.flatMap(({ word }, i) =>
    word === 'DEFAULT' && cursor.code[i - 1]?.word === 'SET' ? [i + 1] : [],
  );
  const from = places[reading.defaults] ?? cursor.code.length;
  reading.defaults += 1;
  return expressionUntil(cursor, from, []);
}

function changeType({ name = '', def }: AlterTableCmd, reading: AlterReading): void {
  if (def === undefined || !('ColumnDef' in def)) return;
  const { typeName, collClause } = def.ColumnDef;
  const { cursor, tokenAt } = reading.parsed;
  const using = cursor.code.findIndex(({ word }) => word === 'USING');
  const source = expressionUntil(cursor, tokenAt(typeName?.location), [using]);
  const { type, nativeType } = readTypeName(typeName ?? {}, reading.types, source);
  const collation = stringsOf(collClause?.collname).at(-1);
  onColumn(reading, name, ({ collation: _old, ...column }) => ({
    ...column,
    type,
    nativeType,
    ...(collation === undefined ? {} : { collation }),
  }));
}
