import { isEndpointOneSide } from '@dbml/parse';
import { columnsAreKey } from '../../sql/key-columns.ts';
import { optionalMember } from '../read-data-type.ts';
import { dbmlError } from './parse-dbml.ts';
import { qualifiedName } from './read-table.ts';
import type { Database, Ref, RefEndpoint } from '@dbml/parse';
import type { Column, ForeignKey, ForeignKeyAction, Table } from '../../model/schema.ts';
import type { ExpandedTable } from './read-table.ts';

/** What a ref can refer to. */
export interface RefContext {
  readonly text: string;
  readonly tables: readonly Table[];
  readonly expandedTables: readonly ExpandedTable[];
}

interface End {
  readonly table: Table;
  readonly columns: readonly string[];
  readonly isOne: boolean;
}

interface Link {
  readonly name?: string;
  readonly ends: readonly [End, End];
  readonly onUpdate: ForeignKeyAction;
  readonly onDelete: ForeignKeyAction;
}

/** Adds a foreign key for each ref, and a join table for each many-to-many ref. */
export function withRefs(
  { refs }: Pick<Database, 'refs'>,
  { text, tables, expandedTables }: RefContext,
): Table[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const links = [
    ...refs.flatMap((ref) => linkOf(ref, byName)),
    ...expandedTables.flatMap((expanded) => linksOfPartials(expanded, byName, text)),
  ];
  const direct = links.filter(({ ends }) => ends.some(({ isOne }) => isOne)).map(directed);
  const joins = links.filter(({ ends }) => !ends.some(({ isOne }) => isOne));
  const names = new Set(byName.keys());
  return [
    ...tables.map((table) => ({
      ...table,
      foreignKeys: direct.filter(({ from }) => from === table.name).map(({ key }) => key),
    })),
    ...joins.map((link) => joinTable(link, names)),
  ];
}

function linkOf(ref: Ref, tables: ReadonlyMap<string, Table>): Link[] {
  const [firstEnd, secondEnd] = ref.endpoints.map((end) => endOf(end, tables));
  if (firstEnd === undefined || secondEnd === undefined) return [];
  return [
    {
      ...optionalMember('name', ref.name ?? undefined),
      ends: [firstEnd, secondEnd],
      onUpdate: actionOf(ref.onUpdate),
      onDelete: actionOf(ref.onDelete),
    },
  ];
}

function endOf(end: RefEndpoint, tables: ReadonlyMap<string, Table>): End | undefined {
  const { name } = qualifiedName({ schemaName: end.schemaName, name: end.tableName });
  const table = tables.get(name);
  if (table === undefined) return undefined;
  return { table, columns: end.fieldNames, isOne: isEndpointOneSide(end.relation) };
}

function actionOf(action: string | undefined): ForeignKeyAction {
  return (action?.toLowerCase() ?? 'no action') as ForeignKeyAction;
}

/** The inline refs of a partial's fields, for each table that includes the partial. */
function linksOfPartials(
  expanded: ExpandedTable,
  tables: ReadonlyMap<string, Table>,
  text: string,
): Link[] {
  const ownTable = tables.get(qualifiedName(expanded.table).name);
  if (ownTable === undefined) return [];
  // DBML calls fields that come from a partial "injected".
  const injected = expanded.fields.filter((each) => each.isInjected).map(({ field }) => field);
  return injected.flatMap((field) =>
    field.inline_refs.flatMap((ref): Link[] => {
      const { name } = qualifiedName({ schemaName: ref.schemaName, name: ref.tableName });
      const table = tables.get(name);
      const operator = ref.relation.replaceAll('?', '');
      if (table === undefined) return [];
      if (table === ownTable && ref.fieldNames.includes(field.name)) {
        const start = ref.token.start.offset;
        throw dbmlError(text, [{ diagnostic: 'Two endpoints are the same', start }]);
      }
      // `<` is one to many, `>` many to one, `-` one to one, `<>` many to many.
      const referenced = { table, columns: ref.fieldNames, isOne: '>-'.includes(operator) };
      const referencing = {
        table: ownTable,
        columns: [field.name],
        isOne: '<-'.includes(operator),
      };
      return [{ ends: [referenced, referencing], onUpdate: 'no action', onDelete: 'no action' }];
    }),
  );
}

interface DirectedKey {
  /** The table that has the key. */
  readonly from: string;
  readonly key: ForeignKey;
}

/** The key references the "one" side. If both are "one", it references the side that is a key, otherwise the first. */
function directed({ ends, name, onUpdate, onDelete }: Link): DirectedKey {
  const [firstEnd, secondEnd] = ends;
  const isFirst =
    firstEnd.isOne &&
    (!secondEnd.isOne ||
      columnsAreKey(firstEnd.table, firstEnd.columns) ||
      !columnsAreKey(secondEnd.table, secondEnd.columns));
  const [target, from] = isFirst ? [firstEnd, secondEnd] : [secondEnd, firstEnd];
  const key = {
    ...optionalMember('name', name),
    columns: from.columns,
    table: target.table.name,
    referencedColumns: target.columns,
    onUpdate,
    onDelete,
  };
  return { from: from.table.name, key };
}

/** Named as DBML's own tools do: the table after both tables, each column after the table and column that it references. */
function joinTable({ ends, onUpdate, onDelete }: Link, names: Set<string>): Table {
  const [firstEnd, secondEnd] = ends;
  const { namespace } = firstEnd.table;
  const localName = freeName(`${firstEnd.table.localName}_${secondEnd.table.localName}`, (name) =>
    names.has(qualified(name, namespace)),
  );
  const name = qualified(localName, namespace);
  names.add(name);
  const first = joinColumns(firstEnd, []);
  const second = joinColumns(secondEnd, first);
  const columns = [...first, ...second];
  const keyTo = (end: End, ownColumns: readonly Column[]): ForeignKey => ({
    columns: ownColumns.map((column) => column.name),
    table: end.table.name,
    referencedColumns: end.columns,
    onUpdate,
    onDelete,
  });
  return {
    name,
    localName,
    ...optionalMember('namespace', namespace),
    kind: 'table',
    columns,
    primaryKey: { columns: columns.map((column) => column.name) },
    indexes: [],
    foreignKeys: [keyTo(firstEnd, first), keyTo(secondEnd, second)],
    checks: [],
  };
}

function qualified(name: string, namespace: string | undefined): string {
  return namespace === undefined ? name : `${namespace}.${name}`;
}

function joinColumns(
  { table, columns }: End,
  referencingColumns: readonly Column[],
): readonly Column[] {
  const usedNames = referencingColumns.map(({ name }) => name);
  return columns.map((column) => {
    const { type, nativeType } = table.columns.find(({ name }) => name === column)!;
    const name = freeName(`${table.localName}_${column}`, (candidate) =>
      usedNames.includes(candidate),
    );
    usedNames.push(name);
    return { name, type, nativeType, nullable: false };
  });
}

function freeName(base: string, isTaken: (name: string) => boolean): string {
  let name = base;
  for (let i = 1; isTaken(name); i++) name = `${base}(${i})`;
  return name;
}
