import type { ForeignKey, Table } from '../model/schema.ts';
import type { Adaptation } from './adaptation.ts';

type Ways = Map<string, Set<string>>;

interface Cascades {
  /** Tables that a change goes on to, by the table it begins at. */
  readonly onward: Ways;
  readonly back: Ways;
}

/**
 * The tables with keys of which no two carry a change to the same table by different ways, or back
 * to where it began, where the database refuses that: the key that would is left without actions.
 */
export function adaptCascades(
  tables: readonly Table[],
  { ddl, warn }: Pick<Adaptation, 'ddl' | 'warn'>,
): readonly Table[] {
  if (ddl.allowsMultipleCascadePaths) return tables;
  const cascades: Cascades = { onward: new Map(), back: new Map() };
  const adapt = (table: Table, key: ForeignKey): ForeignKey => {
    if (key.onDelete === 'no action' && key.onUpdate === 'no action') return key;
    if (!wouldMeet(cascades, key.table, table.name)) {
      addWay(cascades.onward, key.table, table.name);
      addWay(cascades.back, table.name, key.table);
      return key;
    }
    const columns = key.columns.join(', ');
    warn(
      `${table.name}: the foreign key (${columns}) has no actions: the database would come to a table by two ways.`,
    );
    return { ...key, onDelete: 'no action', onUpdate: 'no action' };
  };
  return tables.map((table) => ({
    ...table,
    foreignKeys: table.foreignKeys.map((key) => adapt(table, key)),
  }));
}

/** Whether with one more way some table would be come to twice. */
function wouldMeet({ onward, back }: Cascades, from: string, to: string): boolean {
  const behind = reachable(onward, [to]);
  if (behind.has(from)) return true;
  const leadThere = reachable(back, behind);
  return [...reachable(back, [from])].some((start) => leadThere.has(start));
}

/** With the tables themselves. */
function reachable(ways: Ways, from: Iterable<string>): Set<string> {
  const found = new Set(from);
  for (const table of found) for (const next of ways.get(table) ?? []) found.add(next);
  return found;
}

function addWay(ways: Ways, from: string, to: string): void {
  const known = ways.get(from);
  if (known === undefined) ways.set(from, new Set([to]));
  else known.add(to);
}
