import type { Table } from '../model/schema.ts';

/** Sorts items after those they depend on and otherwise keeps the order; ignores the dependency that closes a cycle. */
function inDependencyOrder<T>(items: readonly T[], dependenciesOf: (item: T) => readonly T[]): T[] {
  const seenNodes = new Set<T>();
  const ordered: T[] = [];
  const visit = (item: T): void => {
    if (seenNodes.has(item)) return;
    seenNodes.add(item);
    dependenciesOf(item).forEach(visit);
    ordered.push(item);
  };
  items.forEach(visit);
  return ordered;
}

/** Sorts referenced tables before those that reference them. */
export function inKeyOrder(tables: readonly Table[]): Table[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  return inDependencyOrder(tables, (table) =>
    table.foreignKeys.flatMap((key) => byName.get(key.table) ?? []),
  );
}

/** Sorts views after those whose names their definitions contain. A false match only changes the order. */
export function inViewOrder(views: readonly Table[]): Table[] {
  return inDependencyOrder(views, (view) =>
    views.filter((other) => other !== view && dependsOn(view, other)),
  );
}

/** Whether a view's definition contains the other's name as a word. */
export function dependsOn(
  view: Pick<Table, 'definition'>,
  { localName }: Pick<Table, 'localName'>,
): boolean {
  const definition = view.definition?.toLowerCase() ?? '';
  const name = localName.toLowerCase();
  const isLetter = (sign: string | undefined): boolean =>
    sign !== undefined && /[\p{L}\p{N}_$]/u.test(sign);
  for (let at = definition.indexOf(name); at !== -1; at = definition.indexOf(name, at + 1)) {
    if (!isLetter(definition[at - 1]) && !isLetter(definition[at + name.length])) return true;
  }
  return false;
}
