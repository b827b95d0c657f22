/** Random scripts that create and drop objects behind guards, and what exists at their end. */
import { pickOne } from '../../../databases/altered-ddl/expand.ts';
import type { Pick } from '../../../databases/altered-ddl/expand.ts';

/** What a table consists of. */
export interface ModelTable {
  readonly columns: Set<string>;
  readonly indexes: Set<string>;
  readonly checks: Set<string>;
}

export type Model = Map<string, ModelTable>;

/** What a step creates or drops. A table has no `name` of its own part. */
export interface Target {
  readonly kind: 'table' | 'column' | 'index' | 'check';
  readonly table: string;
  readonly name: string;
}

export interface Step extends Target {
  readonly creates: boolean;
  /** Whether the target exists before the step. */
  readonly isThere: boolean;
  /** Whether its table does. */
  readonly hasTable: boolean;
}

const tables = ['orders', 'lines', 'Order Details'];
const names = { column: ['x', 'y', 'zed'], index: ['ix1', 'ix2'], check: ['ck1', 'ck2'] };
const kinds = ['table', 'column', 'column', 'index', 'check'] as const;

function targetOf(pick: Pick): Target {
  const kind = pickOne(pick, kinds);
  const table = pickOne(pick, tables);
  if (kind === 'table') return { kind, table, name: table };
  const name = pickOne(pick, names[kind]);
  // Names of indexes and checks belong to one table, because a schema has each name once.
  return { kind, table, name: kind === 'column' ? name : `${name}_${table.replace(' ', '_')}` };
}

function partsOf(table: ModelTable, kind: Target['kind']): Set<string> {
  return {
    table: new Set<string>(),
    column: table.columns,
    index: table.indexes,
    check: table.checks,
  }[kind];
}

function isThere(model: Model, { kind, table, name }: Target): boolean {
  const found = model.get(table);
  return found !== undefined && (kind === 'table' || partsOf(found, kind).has(name));
}

function apply(model: Model, { kind, table, name, creates }: Target & { creates: boolean }): void {
  if (kind === 'table') {
    if (creates)
      model.set(table, { columns: new Set(['id']), indexes: new Set(), checks: new Set() });
    else model.delete(table);
    return;
  }
  const found = model.get(table);
  const parts = found && partsOf(found, kind);
  if (creates) parts?.add(name);
  else parts?.delete(name);
}

/** A random step that changes the model if its guard lets it. */
export function nextStep(model: Model, pick: Pick): Step {
  const target = targetOf(pick);
  const creates = pick(3) > 0;
  const step = {
    ...target,
    creates,
    isThere: isThere(model, target),
    hasTable: model.has(target.table),
  };
  if (step.hasTable === (target.kind !== 'table' || !creates) && step.isThere !== creates)
    apply(model, step);
  return step;
}

/** The model as text, to compare it with what was read. */
export function describeModel(model: Model): readonly string[] {
  return [...model]
    .map(([name, { columns, indexes, checks }]) =>
      [
        name,
        [...columns].join(),
        [...indexes].toSorted().join(),
        [...checks].toSorted().join(),
      ].join(' / '),
    )
    .toSorted();
}
