/** Finds triggers whose writes survive a rollback, because they, or what they call, write to nontransactional tables. */
import { withoutWaiting } from './catalog.ts';
import { createTriggerCatalogs } from './trigger-catalog.ts';
import type { Session } from '../../../model/database.ts';
import type { Body, ReadTriggerCatalog } from './trigger-catalog.ts';
import type { ServerInfo } from '../dialect/server-info.ts';

export interface TriggerContext {
  readonly session: Session;
  readonly server: ServerInfo;
  readonly database: string;
}

/** For each affected table, the reason why a rollback would not undo writes of its triggers. Takes one query if there are no triggers. */
export async function readIncompleteRollbacks(
  { session, server, database }: TriggerContext,
  tables: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const anyStatement =
    'SELECT 1 FROM information_schema.triggers WHERE event_object_schema = DATABASE() LIMIT 1';
  const { rows } = await session.run({ text: withoutWaiting(anyStatement, server), params: [] });
  if (rows.length === 0) return found;
  const catalogOf = await createTriggerCatalogs(session, server);
  for (const table of tables) {
    const reason = await findIncompleteRollback(catalogOf, { schema: database, name: table });
    if (reason !== undefined) found.set(table, reason);
  }
  return found;
}

/** A table or body that a write reaches, and the path to it. */
type Step = TableStep | BodyStep;

interface TableStep {
  readonly kind: 'table';
  readonly table: QualifiedName;
  readonly path: readonly string[];
}

interface BodyStep {
  readonly kind: 'body';
  readonly body: Body;
  readonly path: readonly string[];
  /** For a view: whether it is written to. */
  readonly isWritten?: boolean;
}

interface QualifiedName {
  readonly schema: string;
  readonly name: string;
}

async function findIncompleteRollback(
  catalogOf: ReadTriggerCatalog,
  start: QualifiedName,
): Promise<string | undefined> {
  const seenKeys = new Set<string>();
  const pending: Step[] = [{ kind: 'table', table: start, path: [] }];
  for (let step = pending.pop(); step !== undefined; step = pending.pop()) {
    const { schema, name } = step.kind === 'table' ? step.table : step.body;
    const kind = step.kind === 'table' ? '' : `${step.body.kind}${step.isWritten ?? ''}`;
    const key = JSON.stringify([kind, schema, name]).toLowerCase();
    if (seenKeys.has(key)) continue;
    seenKeys.add(key);
    const next =
      step.kind === 'table' ? await checkTable(catalogOf, step) : await checkBody(catalogOf, step);
    if (typeof next === 'string') return next;
    pending.push(...next);
  }
  return undefined;
}

/** Checks the table's engine, unless it is the first table; returns its triggers and the tables that cascading keys change. */
async function checkTable(
  catalogOf: ReadTriggerCatalog,
  { table, path }: TableStep,
): Promise<string | readonly Step[]> {
  const catalog = await catalogOf(table.schema);
  const name = table.name.toLowerCase();
  const engine = path.length === 0 ? undefined : catalog.nontransactional.get(name);
  if (engine !== undefined)
    return `${describePath(path)} to table "${table.name}" of the storage engine ${engine}, which cannot roll back`;
  const steps: Step[] = (catalog.triggers.get(name) ?? []).map((body) => ({
    kind: 'body',
    body,
    path: [...path, `trigger "${body.name}" of table "${table.name}"`],
  }));
  for (const child of catalog.children.get(name) ?? []) {
    const childPath = [...path, `a foreign key of table "${child}"`];
    steps.push({ kind: 'table', table: { schema: table.schema, name: child }, path: childPath });
  }
  return steps;
}

async function checkBody(
  catalogOf: ReadTriggerCatalog,
  { body, path, isWritten = false }: BodyStep,
): Promise<string | readonly Step[]> {
  const { writes, mayWrite } = body;
  if (writes === undefined && !mayWrite) return [];
  if (writes === undefined)
    return `${describePath(path)} to unknown tables, because this login may not see the definition of ${body.kind} "${body.name}"`;
  const enter = (bodies: readonly Body[] = [], more = {}): Step[] =>
    bodies.map((each) => ({
      kind: 'body',
      body: each,
      path: [...path, `${each.kind} "${each.name}"`],
      ...more,
    }));
  const steps: Step[] = [];
  for (const { schema, name } of isWritten ? writes.mentioned : writes.written) {
    const table = { schema: schema ?? body.schema, name };
    steps.push({ kind: 'table', table, path });
    steps.push(...enter((await catalogOf(table.schema)).views.get(name), { isWritten: true }));
  }
  for (const { schema, name } of writes.called) {
    steps.push(...enter((await catalogOf(schema ?? body.schema)).routines.get(name)));
    // A package is named before its function.
    const packages = schema === undefined ? undefined : (await catalogOf(body.schema)).routines;
    steps.push(...enter(packages?.get(schema ?? '')));
  }
  for (const { schema, name } of writes.mentioned)
    steps.push(...enter((await catalogOf(schema ?? body.schema)).views.get(name)));
  return steps;
}

function describePath(path: readonly string[]): string {
  const [first = '', ...rest] = path;
  const through = rest.length === 0 ? '' : `, through ${rest.join(' and ')},`;
  return `${first[0]?.toUpperCase() ?? ''}${first.slice(1)}${through} writes`;
}
