/**
 * Random schemas of many tables as people have them: parts with a common prefix or in a namespace, tables that all
 * others reference, composite keys, a table of many columns, and long names that differ in the middle or at the end.
 */
import type { Column, ForeignKey, Schema, Table } from '../../src/model/schema.ts';
import { column, schemaOf, tableOf } from './schemas.ts';

export interface LargeOptions {
  readonly tables: number;
  readonly seed: number;
  /** What tables of one part have in common. */
  readonly parts: 'prefix' | 'namespace' | 'nothing';
}

const parts = ['billing', 'catalog', 'crm', 'hr', 'stock', 'support', 'shipping', 'audit', 'media'];
const nouns =
  'account order item product invoice payment customer address session token role grant team project task comment file label event log metric report widget plan coupon cart shipment supplier category review rating message thread channel member lead deal stage note page version campaign segment'.split(
    ' ',
  );
const types = ['bigint', 'varchar(120)', 'text', 'numeric(12,2)', 'timestamp with time zone'];

interface Draft {
  readonly part: string;
  readonly table: Table;
}

export function largeSchema({ tables: count, seed, parts: style }: LargeOptions): Schema {
  const random = randomNumbers(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const drafts: Draft[] = [];
  for (let i = 0; i < count; i++) {
    const part = parts[Math.floor((i * parts.length) / count)] ?? '';
    const own = drafts.filter((draft) => draft.part === part).map(({ table }) => table);
    const targets = keyTargets({ own, drafts, index: i, random });
    const localName = localNameOf(i, { style, part, nouns });
    const name = style === 'namespace' ? `${part}.${localName}` : localName;
    const isCompositeTarget = random() < 0.15;
    const keyColumns = isCompositeTarget
      ? ['tenant_id', 'id', 'region', 'version'].slice(0, 2 + Math.floor(random() * 3))
      : ['id'];
    const columns: Column[] = keyColumns.map((key) => column(key, 'bigint'));
    const foreignKeys = targets.map((target) => keyInto(target, columns, random() < 0.3));
    const plainCount = i === 7 ? 150 : 2 + Math.floor(random() * 9);
    for (let j = 0; j < plainCount; j++)
      columns.push(column(`${pick(nouns)}_${j}`, pick(types), random() < 0.4));
    drafts.push({
      part,
      table: {
        ...tableOf(name, columns, foreignKeys),
        localName,
        primaryKey: { columns: keyColumns },
        ...(style === 'namespace' ? { namespace: part } : {}),
      },
    });
  }
  return schemaOf(drafts.map(({ table }) => table));
}

interface NameOptions {
  readonly style: LargeOptions['parts'];
  readonly part: string;
  readonly nouns: readonly string[];
}

/** Every eleventh name is long, and differs from the others in the middle or at the end only. */
function localNameOf(i: number, { style, part }: NameOptions): string {
  const prefix = style === 'prefix' ? `${part}_` : '';
  const noun = nouns[i % nouns.length] ?? '';
  if (i % 11 !== 10) return `${prefix}${noun}_${nouns[(i * 7) % nouns.length]}_${i}`;
  const isLate = i % 2 === 0;
  return isLate
    ? `${prefix}aggregated_monthly_statistics_of_all_regional_subsidiaries_${i}`
    : `${prefix}aggregated_monthly_statistics_${i}_of_all_regional_subsidiaries_and_partners`;
}

interface TargetContext {
  readonly own: readonly Table[];
  readonly drafts: readonly Draft[];
  readonly index: number;
  readonly random: () => number;
}

/** Every sixth table references the first one. Other keys mostly stay within the part. */
function keyTargets({ own, drafts, index, random }: TargetContext): readonly Table[] {
  const all = drafts.map(({ table }) => table);
  const draw = random();
  const keyCount = draw < 0.08 ? 0 : draw < 0.6 ? 1 : draw < 0.9 ? 2 : 3;
  const targets = Array.from({ length: keyCount }, () => {
    const candidates = random() < 0.85 && own.length > 0 ? own : all;
    return candidates[Math.floor(random() * candidates.length)];
  });
  const hub = index % 6 === 5 ? all[0] : undefined;
  return [...new Set([...targets, hub].filter((table) => table !== undefined))];
}

/** Adds the columns of a key to the target. */
function keyInto(target: Table, columns: Column[], isNullable: boolean): ForeignKey {
  const referencedColumns = target.primaryKey?.columns ?? [];
  const names = referencedColumns.map((name) =>
    name === 'tenant_id' ? name : `${target.localName.slice(0, 24)}_${columns.length}_${name}`,
  );
  for (const name of names)
    if (!columns.some((other) => other.name === name))
      columns.push(column(name, 'bigint', isNullable));
  return {
    columns: names,
    table: target.name,
    referencedColumns,
    onUpdate: 'no action',
    onDelete: 'no action',
  };
}

function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
