/** Divides the tables of a large schema into groups: by namespace, by prefix, or by what they reference. */
import type { Table } from '../model/schema.ts';
import { communitiesOf } from './communities.ts';
import type { RelationLine } from './relation-line.ts';

export interface TableGroup {
  /** The name of the namespace, a prefix such as `order_*`, or a sentence. */
  readonly name: string;
  readonly tables: readonly Table[];
  /** Tables that have nothing in common. */
  readonly isRest: boolean;
}

/** Drawings of fewer tables have no groups. Prefixes are groups that people know, so they help earlier. */
const minTables = 80;
const minTablesOfPrefixes = 50;
/** Larger groups are divided again, and smaller ones joined. */
const maxGroup = 80;
const minGroup = 3;
/** Prefixes are used if they put this share of the tables into groups, and the lines within them (`modularity`). */
const minShare = 0.6;
const minModularity = 0.2;

const otherTables = 'Other tables';

/** Returns no groups for schemas that are small enough to be seen as a whole. */
export function groupTables(
  tables: readonly Table[],
  lines: readonly RelationLine[],
): readonly TableGroup[] {
  if (tables.length < minTablesOfPrefixes) return [];
  const byNamespace = Map.groupBy(tables, ({ namespace }) => namespace ?? '');
  if (tables.length < minTables)
    return byNamespace.size > 1 ? [] : (prefixGroups(tables, lines) ?? []);
  if (byNamespace.size === 1) return divide(tables, lines);
  return [...byNamespace].flatMap(([namespace, members]) => {
    const name = namespace === '' ? 'default' : namespace;
    if (members.length <= maxGroup) return [{ name, tables: members, isRest: false }];
    return divide(members, lines).map((part) => ({ ...part, name: `${name} · ${part.name}` }));
  });
}

function divide(tables: readonly Table[], lines: readonly RelationLine[]): readonly TableGroup[] {
  const byPrefix = prefixGroups(tables, lines);
  return byPrefix === undefined
    ? connectedGroups(tables, lines)
    : byPrefix.flatMap((group) =>
        group.tables.length <= maxGroup ? [group] : divideGroup(group, lines),
      );
}

/** Divides a group by what its tables reference. The parts keep its name. */
function divideGroup(group: TableGroup, lines: readonly RelationLine[]): readonly TableGroup[] {
  const parts = connectedGroups(group.tables, lines);
  return parts.length === 1
    ? [group]
    : parts.map((part) => ({ ...part, name: `${group.name} · ${part.name}` }));
}

// Prefixes

/** Undefined if the prefixes say little about the tables. */
function prefixGroups(
  tables: readonly Table[],
  lines: readonly RelationLine[],
): readonly TableGroup[] | undefined {
  const prefixes = prefixesOf(tables);
  const groups = new Map<string, Table[]>();
  for (const table of tables) {
    const prefix = prefixes.get(table.name) ?? '';
    groups.set(prefix, [...(groups.get(prefix) ?? []), table]);
  }
  const named = [...groups].filter(([prefix]) => prefix !== '');
  const grouped = tables.length - (groups.get('')?.length ?? 0);
  if (named.length < 2 || grouped < minShare * tables.length) return undefined;
  if (modularity(linesWithin(lines, tables), prefixes) < minModularity) return undefined;
  return attachRest(
    named.map(([prefix, members]) => ({ name: `${prefix}_*`, tables: members, isRest: false })),
    { rest: groups.get('') ?? [], lines },
  );
}

/** The share of lines within groups, less the share that would be expected without any connection to the groups. */
function modularity(lines: readonly RelationLine[], groupOf: ReadonlyMap<string, string>): number {
  const count = Math.max(1, lines.length);
  const degrees = new Map<string, number>();
  let within = 0;
  for (const { child, parent } of lines) {
    const [from, to] = [groupOf.get(child.table) ?? '', groupOf.get(parent.table) ?? ''];
    if (from === to) within += 1;
    for (const group of [from, to]) degrees.set(group, (degrees.get(group) ?? 0) + 1);
  }
  const expected = [...degrees.values()].map((degree) => (degree / (2 * count)) ** 2);
  return within / count - expected.reduce((sum, share) => sum + share, 0);
}

/** The prefix of each table that shares it with others. A prefix that all tables have says nothing. */
function prefixesOf(tables: readonly Table[]): ReadonlyMap<string, string> {
  const words = tables.map(({ localName }) => localName.split('_').filter((word) => word !== ''));
  const common = words.every(([first]) => first === words[0]?.[0]) ? 1 : 0;
  const word = (at: number): string => words[at]?.[common] ?? '';
  const prefix = (at: number): string => singular(word(at));
  const shown =
    words[0]
      ?.slice(0, common)
      .map((part) => `${part}_`)
      .join('') ?? '';
  const groups = Map.groupBy(tables.keys(), prefix);
  return new Map(
    tables.flatMap(({ name }, i) => {
      const members = groups.get(prefix(i)) ?? [];
      if (members.length < minGroup || prefix(i) === '') return [];
      // `cms` is no plural, unless there is a `cm` too.
      const isOneWord = members.every((member) => word(member) === word(i));
      return [[name, `${shown}${isOneWord ? word(i) : prefix(i)}`] as const];
    }),
  );
}

/** So that `orders` is with `order_items`. */
function singular(word: string): string {
  if (/[^aeiou]ies$/i.test(word)) return `${word.slice(0, -3)}y`;
  return /[^su]s$/i.test(word) ? word.slice(0, -1) : word;
}

// Connectedness

/** Groups of tables that reference each other more than others, each named by its most referenced table. */
function connectedGroups(
  tables: readonly Table[],
  lines: readonly RelationLine[],
): readonly TableGroup[] {
  const within = linesWithin(lines, tables);
  const communities = communitiesOf(
    tables.map(({ name }) => name),
    within.map(({ child, parent }) => [child.table, parent.table] as const),
  );
  const byName = new Map(tables.map((table) => [table.name, table]));
  const degrees = new Map<string, number>();
  for (const { child, parent } of within)
    for (const { table } of [child, parent]) degrees.set(table, (degrees.get(table) ?? 0) + 1);
  const groups = communities.map((names) => {
    const center = names.reduce((best, name) =>
      (degrees.get(name) ?? 0) > (degrees.get(best) ?? 0) ? name : best,
    );
    const members = names.flatMap((name) => byName.get(name) ?? []);
    const name = `Around ${byName.get(center)?.localName ?? center}`;
    return { name, tables: members, isRest: false };
  });
  const large = groups.filter((group) => group.tables.length >= minGroup);
  const rest = groups.filter((group) => group.tables.length < minGroup);
  return attachRest(large, { rest: rest.flatMap((group) => group.tables), lines });
}

interface Rest {
  readonly rest: readonly Table[];
  readonly lines: readonly RelationLine[];
}

/** Puts tables without a group where most of their lines go, and all others into a group of their own. */
function attachRest(groups: readonly TableGroup[], { rest, lines }: Rest): readonly TableGroup[] {
  const groupOf = new Map(groups.flatMap((group, i) => group.tables.map(({ name }) => [name, i])));
  const added = groups.map((): Table[] => []);
  const others = rest.filter((table) => {
    const counts = groups.map(() => 0);
    for (const other of relatedTo(table.name, lines)) {
      const index = groupOf.get(other);
      if (index !== undefined) counts[index] = (counts[index] ?? 0) + 1;
    }
    const most = Math.max(0, ...counts);
    if (most > 0) added[counts.indexOf(most)]?.push(table);
    return most === 0;
  });
  return [
    ...groups.map((group, i) => ({ ...group, tables: [...group.tables, ...(added[i] ?? [])] })),
    ...(others.length === 0 ? [] : [{ name: otherTables, tables: others, isRest: true }]),
  ];
}

function relatedTo(name: string, lines: readonly RelationLine[]): readonly string[] {
  return lines.flatMap(({ child, parent }) =>
    child.table === name ? [parent.table] : parent.table === name ? [child.table] : [],
  );
}

function linesWithin(
  lines: readonly RelationLine[],
  tables: readonly Table[],
): readonly RelationLine[] {
  const names = new Set(tables.map(({ name }) => name));
  return lines.filter(
    ({ child, parent }) =>
      child.table !== parent.table && names.has(child.table) && names.has(parent.table),
  );
}
