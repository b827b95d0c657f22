import type { ForeignKey, Table } from '../../model/schema.ts';
import type { Adaptation } from './adaptation.ts';

type TableGraph = Map<string, Set<string>>;

interface Cascades {
  /** For each table, the tables whose rows its cascading keys change. */
  readonly cascadesTo: TableGraph;
  readonly cascadesFrom: TableGraph;
}

/**
 * Removes the actions of foreign keys that would form a cycle or a second cascade path to a table.
 * SQL Server rejects both: https://learn.microsoft.com/sql/relational-databases/errors-events/mssqlserver-1785-database-engine-error
 */
export function adaptCascades(
  tables: readonly Table[],
  { ddl, warn }: Pick<Adaptation, 'ddl' | 'warn'>,
): readonly Table[] {
  if (ddl.allowsMultipleCascadePaths) return tables;
  const cascades: Cascades = { cascadesTo: new Map(), cascadesFrom: new Map() };
  const adapt = (table: Table, key: ForeignKey): ForeignKey => {
    if (key.onDelete === 'no action' && key.onUpdate === 'no action') return key;
    if (!createsSecondPath(cascades, key.table, table.name)) {
      addEdge(cascades.cascadesTo, key.table, table.name);
      addEdge(cascades.cascadesFrom, table.name, key.table);
      return key;
    }
    const columns = key.columns.join(', ');
    warn(
      `${table.name}: the foreign key (${columns}) is created without ON UPDATE and ON DELETE actions, which would form a cycle or a second cascade path to a table.`,
    );
    return { ...key, onDelete: 'no action', onUpdate: 'no action' };
  };
  return tables.map((table) => ({
    ...table,
    foreignKeys: table.foreignKeys.map((key) => adapt(table, key)),
  }));
}

/** Whether one more edge would form a cycle or a second path between two tables. */
function createsSecondPath(
  { cascadesTo, cascadesFrom }: Cascades,
  from: string,
  to: string,
): boolean {
  const downstream = reachable(cascadesTo, [to]);
  if (downstream.has(from)) return true;
  const upstreamOfTarget = reachable(cascadesFrom, downstream);
  return [...reachable(cascadesFrom, [from])].some((start) => upstreamOfTarget.has(start));
}

/** The tables that can be reached, including those it starts from. */
function reachable(graph: TableGraph, from: Iterable<string>): Set<string> {
  const found = new Set(from);
  for (const table of found) for (const next of graph.get(table) ?? []) found.add(next);
  return found;
}

function addEdge(graph: TableGraph, from: string, to: string): void {
  const targets = graph.get(from);
  if (targets === undefined) graph.set(from, new Set([to]));
  else targets.add(to);
}
