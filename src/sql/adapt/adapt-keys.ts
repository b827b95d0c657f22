import { columnsAreKey } from '../key-columns.ts';
import type { ForeignKey, ForeignKeyAction, Table } from '../../model/schema.ts';
import type { Adaptation } from './adaptation.ts';

/** Adapts the table's foreign keys to the database and drops those it cannot have. */
export function adaptKeys(table: Table, adaptation: Adaptation): Table {
  const keys = table.foreignKeys.flatMap((key) => adaptKey(table, key, adaptation));
  return { ...table, foreignKeys: keys };
}

function adaptKey(table: Table, key: ForeignKey, { ddl, tables, warn }: Adaptation): ForeignKey[] {
  const keyText = `${table.name}: the foreign key (${key.columns.join(', ')})`;
  const reason = unsupportedReason(key, tables);
  if (reason !== undefined) {
    warn(`${keyText} is left out: ${reason}.`);
    return [];
  }
  const isNullable = key.columns.every((name) =>
    table.columns.some((column) => column.name === name && column.nullable),
  );
  const action = (requested: ForeignKeyAction): ForeignKeyAction => {
    const supported = ddl.foreignKeyAction(requested, isNullable);
    if (supported === undefined)
      warn(
        `${keyText} is created without ${requested.toUpperCase()}: the database does not support it here.`,
      );
    return supported ?? 'no action';
  };
  const { deferrable, ...rest } = key;
  if (deferrable !== undefined && !ddl.supportsDeferrableKeys)
    warn(`${keyText} is checked immediately: the database cannot defer it to the commit.`);
  return [
    {
      ...rest,
      onUpdate: action(key.onUpdate),
      onDelete: action(key.onDelete),
      ...(deferrable === undefined || !ddl.supportsDeferrableKeys ? {} : { deferrable }),
    },
  ];
}

function unsupportedReason(
  key: ForeignKey,
  tables: ReadonlyMap<string, Table>,
): string | undefined {
  const target = tables.get(key.table);
  if (target === undefined) return `there is no table ${key.table}`;
  const referenced = referencedColumns(key, target);
  if (referenced.length !== key.columns.length)
    return `${key.table} has no key with that many columns`;
  return columnsAreKey(target, referenced)
    ? undefined
    : `${key.table} (${referenced.join(', ')}) is not a key`;
}

/** A key without referenced columns references the primary key. */
export function referencedColumns(key: ForeignKey, target: Table): readonly string[] {
  return key.referencedColumns.length > 0
    ? key.referencedColumns
    : (target.primaryKey?.columns ?? []);
}
