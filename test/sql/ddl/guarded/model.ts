/**
 * Random steps that create and drop objects, each behind an existence check, and a model of what
 * exists after them.
 */
import { pickOne } from '../../../databases/altered-ddl/expand.ts';
import type { RandomBelow } from '../../../databases/altered-ddl/expand.ts';

/** The names of what a table consists of. */
export interface ModelTable {
  readonly columns: Set<string>;
  readonly indexes: Set<string>;
  readonly checks: Set<string>;
}

export type ScriptModel = Map<string, ModelTable>;

/** What a step creates or drops. If it is a table, `name` is that of the table. */
export interface Target {
  readonly kind: 'table' | 'column' | 'index' | 'check';
  readonly table: string;
  readonly name: string;
}

export interface Step extends Target {
  readonly creates: boolean;
  /** Whether the target exists before the step. */
  readonly exists: boolean;
  /** Whether the table of the target exists before the step. */
  readonly tableExists: boolean;
}

const tables = ['orders', 'lines', 'Order Details'];
const names = { column: ['x', 'y', 'zed'], index: ['ix1', 'ix2'], check: ['ck1', 'ck2'] };
const kinds = ['table', 'column', 'column', 'index', 'check'] as const;

function randomTarget(randomBelow: RandomBelow): Target {
  const kind = pickOne(randomBelow, kinds);
  const table = pickOne(randomBelow, tables);
  if (kind === 'table') return { kind, table, name: table };
  const name = pickOne(randomBelow, names[kind]);
  // Names of indexes and checks belong to one table, because a schema has each name once.
  return { kind, table, name: kind === 'column' ? name : `${name}_${table.replace(' ', '_')}` };
}

function namesOfKind(table: ModelTable, kind: Target['kind']): Set<string> {
  return {
    table: new Set<string>(),
    column: table.columns,
    index: table.indexes,
    check: table.checks,
  }[kind];
}

function exists(model: ScriptModel, { kind, table, name }: Target): boolean {
  const found = model.get(table);
  return found !== undefined && (kind === 'table' || namesOfKind(found, kind).has(name));
}

function applyStep(
  model: ScriptModel,
  { kind, table, name, creates }: Target & { creates: boolean },
): void {
  if (kind === 'table') {
    if (creates)
      model.set(table, { columns: new Set(['id']), indexes: new Set(), checks: new Set() });
    else model.delete(table);
    return;
  }
  const found = model.get(table);
  const parts = found && namesOfKind(found, kind);
  if (creates) parts?.add(name);
  else parts?.delete(name);
}

/** A random step. Changes the model if the step's existence check holds. */
export function nextStep(model: ScriptModel, randomBelow: RandomBelow): Step {
  const target = randomTarget(randomBelow);
  const creates = randomBelow(3) > 0;
  const step = {
    ...target,
    creates,
    exists: exists(model, target),
    tableExists: model.has(target.table),
  };
  if (step.tableExists === (target.kind !== 'table' || !creates) && step.exists !== creates)
    applyStep(model, step);
  return step;
}

/** The model as text, to compare it with what was read. */
export function describeModel(model: ScriptModel): readonly string[] {
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
