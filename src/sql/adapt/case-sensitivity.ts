/** Finds columns whose comparisons become case-sensitive or case-insensitive when a schema moves to another database. */
import { referencedColumns } from './adapt-keys.ts';
import type { DdlDialect } from '../../model/ddl-dialect.ts';
import type { Column, Schema, Table } from '../../model/schema.ts';
import type { ExpressionSyntax } from '../expression/syntax.ts';

interface Move {
  readonly from: ExpressionSyntax;
  readonly to: ExpressionSyntax;
  readonly ddl: DdlDialect;
}

/** One sentence for each kind of change, with the columns it affects. */
export function caseSensitivityWarnings(schema: Schema, move: Move): readonly string[] {
  const textColumns = comparedColumns(schema, move);
  const becomingSensitive = textColumns.filter(
    ({ before, after }) => before === true && after === false,
  );
  const becomingInsensitive =
    move.ddl.exactCollation === undefined ? textColumns.filter(isUniqueOnlyByCase) : [];
  const sentences = [
    { effect: 'Text comparisons become case-sensitive', columns: becomingSensitive },
    {
      effect: 'Unique keys on text columns become case-insensitive and accept fewer rows',
      columns: becomingInsensitive,
    },
  ];
  return sentences
    .filter(({ columns }) => columns.length > 0)
    .map(({ effect, columns }) => `${effect}: ${columns.map(({ name }) => name).join(', ')}.`);
}

/**
 * The text columns, by `columnKey`, whose keys would accept fewer rows in the other database, and those
 * that foreign keys connect with them: a foreign key requires the same collation at both ends.
 */
export function exactColumns(schema: Schema, move: Move): ReadonlySet<string> {
  const found = new Set(
    comparedColumns(schema, move)
      .filter(isUniqueOnlyByCase)
      .map(({ key }) => key),
  );
  const neighbors = connectedColumns(schema);
  // Columns that are added here are visited too.
  for (const key of found) for (const next of neighbors.get(key) ?? []) found.add(next);
  return found;
}

export function columnKey({ name }: Pick<Table, 'name'>, column: Pick<Column, 'name'>): string {
  return JSON.stringify([name, column.name]);
}

interface ComparedColumn {
  readonly key: string;
  /** As warnings name it. */
  readonly name: string;
  readonly isUnique: boolean;
  /** Whether comparisons ignore case, in the source and in the target. */
  readonly before: boolean | undefined;
  readonly after: boolean | undefined;
}

function comparedColumns({ tables }: Schema, { from, to }: Move): readonly ComparedColumn[] {
  return tables.flatMap((table) => {
    const unique = uniqueColumns(table);
    return table.columns
      .filter(({ type }) => type.kind === 'text')
      .map((column) => ({
        key: columnKey(table, column),
        name: `${table.name}.${column.name}`,
        isUnique: unique.has(column.name),
        before: from.ignoresCase(column, table.options ?? {}),
        after: to.ignoresCase({ nativeType: '' }, {}),
      }));
  });
}

function isUniqueOnlyByCase({ before, after, isUnique }: ComparedColumn): boolean {
  return isUnique && before === false && after === true;
}

function uniqueColumns({ primaryKey, indexes }: Table): ReadonlySet<string> {
  const unique = indexes.filter((index) => index.unique);
  return new Set([
    ...(primaryKey?.columns ?? []),
    ...unique.flatMap(({ parts }) => parts.flatMap(({ column }) => column ?? [])),
  ]);
}

/** For each text column, those at the other end of its foreign keys. */
function connectedColumns({ tables }: Schema): ReadonlyMap<string, readonly string[]> {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const pairs = tables.flatMap((table) =>
    table.foreignKeys.flatMap((key) => {
      const target = byName.get(key.table);
      if (target === undefined) return [];
      const referenced = referencedColumns(key, target);
      return key.columns.flatMap((name, i) => {
        const other = target.columns.find((column) => column.name === referenced[i]);
        const own = table.columns.find((column) => column.name === name);
        if (own?.type.kind !== 'text' || other?.type.kind !== 'text') return [];
        const [one, two] = [columnKey(table, own), columnKey(target, other)];
        return [
          [one, two],
          [two, one],
        ] as const;
      });
    }),
  );
  return new Map(
    [...Map.groupBy(pairs, ([key]) => key)].map(([key, of]) => [key, of.map(([, next]) => next)]),
  );
}
