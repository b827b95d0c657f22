/** Reproducible schemas of any size: hubs, chains, join tables, self-references, unrelated tables. */
import type { Column, ForeignKey, Schema, Table } from '../../src/model/schema.ts';

const nouns =
  'account order item product invoice payment customer address session token role grant team project task comment file label event log metric report widget plan coupon cart shipment stock supplier category review rating message thread channel member lead deal stage note page version campaign segment'.split(
    ' ',
  );

/** Columns that are no keys. */
const plainColumns: readonly (readonly [name: string, type: string])[] = [
  ['name', 'varchar(120)'],
  ['description', 'text'],
  ['amount', 'numeric(12,2)'],
  ['currency', 'char(3)'],
  ['created_at', 'timestamp with time zone'],
  ['deleted_at', 'timestamp with time zone'],
  ['is_active', 'boolean'],
  ['position', 'integer'],
  ['metadata', 'jsonb'],
  ['email', 'varchar(254)'],
  ['starts_on', 'date'],
];

export interface GeneratedOptions {
  readonly tables: number;
  readonly namespaces?: readonly string[];
}

export function generatedSchema({ tables: count, namespaces = [] }: GeneratedOptions): Schema {
  const random = randomNumbers(count);
  const tables: Table[] = [];
  for (let i = 0; i < count; i++) {
    const namespace = namespaces[Math.floor((i * namespaces.length) / count)];
    tables.push(generatedTable(nameOf(i), { namespace, others: tables, random }));
  }
  return schemaOf(tables);
}

export function schemaOf(tables: readonly Table[], views: readonly Table[] = []): Schema {
  return { database: 'press', serverVersion: '17.2', tables, views, enums: [] };
}

function nameOf(i: number): string {
  const [first, second] = [nouns[i % nouns.length], nouns[Math.floor(i / nouns.length) - 1]];
  return second === undefined ? `${first}s` : `${second}_${first}s`;
}

interface TableContext {
  readonly namespace: string | undefined;
  readonly others: readonly Table[];
  readonly random: () => number;
}

function generatedTable(localName: string, { namespace, others, random }: TableContext): Table {
  const targets = new Map<string, Column>();
  const draw = random();
  const keyCount = draw < 0.12 ? 0 : draw < 0.7 ? 1 : draw < 0.92 ? 2 : 3;
  for (let i = 0; i < keyCount && others.length > 0; i++) {
    // Some keys reference one of the first tables, which become hubs.
    const candidates = random() < 0.35 ? Math.ceil(others.length / 60) : others.length;
    const target = others[Math.floor(random() * candidates)];
    if (target)
      targets.set(target.name, column(`${target.localName}_id`, 'bigint', random() < 0.3));
  }
  const name = namespace === undefined ? localName : `${namespace}.${localName}`;
  if (random() < 0.05) targets.set(name, column('parent_id', 'bigint', true));
  const first = Math.floor(random() * plainColumns.length);
  const rest = Array.from({ length: 2 + Math.floor(random() * 9) }, (_, i) => {
    const [plain, type] = plainColumns[(first + i) % plainColumns.length] ?? ['name', 'text'];
    return column(plain, type, random() < 0.4);
  });
  const foreignKeys = [...targets].map(([table, { name: from }]) => keyTo(table, from));
  return {
    ...tableOf(name, [column('id', 'bigint'), ...targets.values(), ...rest], foreignKeys),
    localName,
    ...(namespace === undefined ? {} : { namespace }),
  };
}

export function column(name: string, nativeType: string, nullable = false): Column {
  return { name, nativeType, nullable, type: { kind: 'text' } };
}

export function keyTo(table: string, from: string, to = 'id'): ForeignKey {
  return {
    columns: [from],
    table,
    referencedColumns: [to],
    onUpdate: 'no action',
    onDelete: 'no action',
  };
}

/** The first column is the key. */
export function tableOf(
  name: string,
  columns: readonly Column[],
  foreignKeys: readonly ForeignKey[] = [],
): Table {
  return {
    name,
    localName: name,
    kind: 'table',
    columns,
    primaryKey: { columns: columns.slice(0, 1).map((first) => first.name) },
    indexes: [],
    foreignKeys,
    checks: [],
  };
}

export function viewOf(name: string, columns: readonly Column[]): Table {
  return { name, localName: name, kind: 'view', columns, indexes: [], foreignKeys: [], checks: [] };
}

function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
