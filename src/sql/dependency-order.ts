import type { Table } from '../model/schema.ts';

/** The items, each after those it depends on, else in the order given; a cycle is cut where it closes. */
function inDependencyOrder<T>(items: readonly T[], dependenciesOf: (item: T) => readonly T[]): T[] {
  const seen = new Set<T>();
  const ordered: T[] = [];
  const visit = (item: T): void => {
    if (seen.has(item)) return;
    seen.add(item);
    dependenciesOf(item).forEach(visit);
    ordered.push(item);
  };
  items.forEach(visit);
  return ordered;
}

/** Referenced tables before those that reference them. */
export function inKeyOrder(tables: readonly Table[]): Table[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  return inDependencyOrder(tables, (table) =>
    table.foreignKeys.flatMap((key) => byName.get(key.table) ?? []),
  );
}

/** Views after those whose names their definitions hold: a view too many costs nothing. */
export function inViewOrder(views: readonly Table[]): Table[] {
  return inDependencyOrder(views, (view) =>
    views.filter((other) => other !== view && leansOn(view, other)),
  );
}

/** Whether a view's definition holds the other's name, as a word. */
export function leansOn(view: Table, { localName }: Table): boolean {
  const definition = view.definition?.toLowerCase() ?? '';
  const name = localName.toLowerCase();
  const isLetter = (sign: string | undefined): boolean =>
    sign !== undefined && /[\p{L}\p{N}_$]/u.test(sign);
  for (let at = definition.indexOf(name); at !== -1; at = definition.indexOf(name, at + 1)) {
    if (!isLetter(definition[at - 1]) && !isLetter(definition[at + name.length])) return true;
  }
  return false;
}
