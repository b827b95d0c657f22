import { columnsAreKey } from '../../sql/key-columns.ts';
import { quoteName, formatSettings } from './syntax.ts';
import type { ForeignKey, Table } from '../../model/schema.ts';
import type { WriteContext } from './write-table.ts';

/** Writes a ref for each foreign key. DBML rejects a second ref between the same columns. */
export function writeRefs(tables: readonly Table[], context: WriteContext): string[] {
  const writtenRefs = new Set<string>();
  const byName = new Map(tables.map((table) => [table.name, table]));
  return tables.flatMap((table) =>
    table.foreignKeys.flatMap((key) => {
      const target = byName.get(key.table);
      const reason = reasonAgainst({ table, key, target }, writtenRefs, context);
      if (reason === undefined) return [refLine({ table, key, target }, context)];
      context.warnings.push(
        `The foreign key ${table.name} (${key.columns.join(', ')}) is left out: ${reason}.`,
      );
      return [];
    }),
  );
}

interface Link {
  readonly table: Table;
  readonly key: ForeignKey;
  readonly target: Table | undefined;
}

function reasonAgainst(
  { table, key, target }: Link,
  writtenRefs: Set<string>,
  { names }: WriteContext,
): string | undefined {
  if (target === undefined || !names.has(key.table)) return `${key.table} is not in this file`;
  const hasColumns = key.referencedColumns.every((name) =>
    target.columns.some((column) => column.name === name),
  );
  if (!hasColumns || key.columns.length !== key.referencedColumns.length)
    return `${key.table} has no such columns`;
  const ends = [
    JSON.stringify([table.name, key.columns]),
    JSON.stringify([key.table, key.referencedColumns]),
  ];
  if (ends[0] === ends[1]) return 'it references itself';
  const endpoints = ends.toSorted().join(' ');
  if (writtenRefs.has(endpoints)) return 'there is another one between the same columns';
  writtenRefs.add(endpoints);
  return undefined;
}

/** In a one-to-one ref, the first side is the referenced one. */
function refLine({ table, key, target }: Link, { names }: WriteContext): string {
  const ownEnd = endText(names.get(table.name) ?? '', key.columns);
  const referenced = endText(names.get(key.table) ?? '', key.referencedColumns);
  const isOneToOne =
    columnsAreKey(table, key.columns) &&
    target !== undefined &&
    columnsAreKey(target, key.referencedColumns);
  const link = isOneToOne ? `${referenced} - ${ownEnd}` : `${ownEnd} > ${referenced}`;
  const name = key.name === undefined ? '' : ` ${quoteName(key.name)}`;
  const list = [
    ...(key.onDelete === 'no action' ? [] : [`delete: ${key.onDelete}`]),
    ...(key.onUpdate === 'no action' ? [] : [`update: ${key.onUpdate}`]),
  ];
  return `Ref${name}: ${link}${formatSettings(list)}`;
}

function endText(table: string, columns: readonly string[]): string {
  const [only = '', ...otherColumns] = columns.map(quoteName);
  return otherColumns.length === 0
    ? `${table}.${only}`
    : `${table}.(${[only, ...otherColumns].join(', ')})`;
}
