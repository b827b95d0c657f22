import { StudioError } from '../../model/errors.ts';
import { join, raw, sql } from '../../model/fragment.ts';
import { didYouMean, nearest } from '../../model/nearest.ts';
import { aliveCondition } from '../../sql/conditions.ts';
import { Deferred } from '../core/context.ts';
import { readsOf } from '../core/connection-use.ts';
import { findRow } from './find-row.ts';
import { findTable } from '../core/find-table.ts';
import { mustOnlyRead } from '../core/judge-reads.ts';
import { listPage } from './list-page.ts';
import { isEqualTo } from '../../sql/compare-column.ts';
import { columnOf } from './page-plan.ts';
import { relationObject } from '../../formats/schema-document.ts';
import { selectAll } from './selection.ts';
import type { Session } from '../../model/database.ts';
import type { Fragment } from '../../model/fragment.ts';
import type { Relation } from '../../model/relations.ts';
import type { Table } from '../../model/schema.ts';
import type { Row } from '../../model/values.ts';
import type { Context, Turn } from '../core/context.ts';
import type { ListRowsInput } from './list-rows.ts';
import type { RowSource } from './page-plan.ts';
import type { Reply } from '../core/reply.ts';
import type { KnownSchema } from '../core/schema-cache.ts';

export interface ListRelatedInput extends ListRowsInput {
  /** The raw path segment of the record's id. */
  readonly id: string;
  readonly relation: string;
}

/**
 * A page of the rows that a record's relation leads to. Reads of the record and of the rows count
 * towards the shares of their own tables, so that one that never answers does not block the other.
 */
export async function listRelated(
  context: Context,
  input: ListRelatedInput,
  turn: Turn,
): Promise<Reply> {
  const { database } = context;
  const record = await database.read(
    (session) => findRecord(context, session, input),
    readsOf(input.table),
  );
  const { relation } = record;
  if (turn.boundedOnly && relation.type === 'many_to_many') throw new Deferred();
  const list = {
    source: relatedRows(context, record),
    query: input.query,
    extra: { relation: JSON.stringify(relationObject(relation)) },
  };
  return database.read(
    (session) => listPage({ context, turn, session }, list),
    readsOf(relation.table),
  );
}

async function findRecord(
  context: Context,
  session: Session,
  input: ListRelatedInput,
): Promise<RelatedRecord> {
  const known = await context.schemas.current();
  const table = findTable(known.schema, input.table);
  const relation = findRelation(table, known.relationsOf(table.name), input.relation);
  await mustOnlyRead(context, [table]);
  const selection = selectAll(context.database.dialect, table);
  const { showDeleted } = input.query;
  const address = { table, id: input.id, showDeleted };
  const row = await findRow(context, session, { address, selection });
  const valueOf = (column: string) => row[selection.indexOf(column)] ?? null;
  return { known, table, relation, showDeleted, valueOf };
}

/** By its exact name, else by the only one that differs in case. */
function findRelation(table: Table, relations: readonly Relation[], name: string): Relation {
  const exact = relations.find((relation) => relation.name === name);
  if (exact !== undefined) return exact;
  const alike = relations.filter((relation) => relation.name.toLowerCase() === name.toLowerCase());
  if (alike.length === 1 && alike[0] !== undefined) return alike[0];
  const names = relations.map((relation) => relation.name);
  const near = nearest(name, names);
  throw new StudioError(
    'relation_not_found',
    `Table "${table.name}" has no relation "${name}".${didYouMean(name, names)}`,
    near === undefined ? {} : { nearest: near },
  );
}

interface RelatedRecord {
  readonly known: KnownSchema;
  readonly table: Table;
  readonly relation: Relation;
  readonly showDeleted: boolean;
  valueOf(column: string): Row[number];
}

function relatedRows(context: Context, record: RelatedRecord): RowSource {
  const { relation, known } = record;
  const related = findTable(known.schema, relation.table);
  if (relation.type === 'many_to_many') {
    const through = findTable(known.schema, relation.joinTable ?? '');
    const where = [throughJoinTable(context, record, { related, joinTable: through })];
    return { table: related, through, where };
  }
  const [own, theirs] =
    relation.type === 'belongs_to'
      ? [relation.foreignKeys, relation.referenceKeys]
      : [relation.referenceKeys, relation.foreignKeys];
  return {
    table: related,
    where: [
      ...own.map((column, i) =>
        hasValue(context, record, { related, theirs: theirs[i]!, own: column }),
      ),
      ...ofThisOwner(context, relation, related),
    ],
  };
}

/** A polymorphic relation's rows say whose they are. */
function ofThisOwner(
  { database: { dialect } }: Context,
  { polymorphic }: Relation,
  related: Table,
): Fragment[] {
  if (polymorphic === undefined) return [];
  const column = columnOf(related, polymorphic.column);
  return [isEqualTo(dialect, column, polymorphic.value)];
}

/** NULL leads nowhere. */
function hasValue(
  { database: { dialect } }: Context,
  record: RelatedRecord,
  columns: { readonly related: Table; readonly theirs: string; readonly own: string },
): Fragment {
  const value = record.valueOf(columns.own);
  if (value === null) return raw('1 = 0');
  const column = columnOf(columns.related, columns.theirs);
  return isEqualTo(dialect, column, value);
}

/** `key IN (SELECT …)` lets the database start from the join table; several columns need EXISTS. */
function throughJoinTable(
  context: Context,
  record: RelatedRecord,
  { related, joinTable }: { readonly related: Table; readonly joinTable: Table },
): Fragment {
  const { dialect } = context.database;
  const { relation, showDeleted } = record;
  const here = relation.foreignKeys.map((theirs, i) =>
    hasValue(context, record, { related: joinTable, theirs, own: relation.referenceKeys[i]! }),
  );
  const where = [...here, ...(showDeleted ? [] : aliveCondition(dialect, joinTable))];
  const from = dialect.tableName(joinTable);
  const pairs = (relation.joinForeignKeys ?? []).map((column, i) => ({
    inJoin: dialect.quoteName(column),
    there: dialect.quoteName(relation.joinReferenceKeys?.[i] ?? ''),
  }));
  const [only] = pairs;
  if (pairs.length === 1 && only !== undefined) {
    return sql`${only.there} IN (SELECT ${only.inJoin} FROM ${from} WHERE ${join(where, ' AND ')})`;
  }
  const target = dialect.tableName(related);
  const same = pairs.map(({ inJoin, there }) => raw(`${from}.${inJoin} = ${target}.${there}`));
  return sql`EXISTS (SELECT 1 FROM ${from} WHERE ${join([...same, ...where], ' AND ')})`;
}
