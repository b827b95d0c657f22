import { StudioError } from '../../../model/errors.ts';
import { join, raw, sql } from '../../../model/fragment.ts';
import { didYouMean, closestName } from '../../../model/nearest.ts';
import { notDeletedCondition } from '../../../sql/conditions.ts';
import { DeferToOtherLane } from '../../core/context.ts';
import { readUse } from '../../core/connection-use.ts';
import { findRow } from './find-row.ts';
import { findTable } from '../../core/find-table.ts';
import { mustOnlyRead } from '../../core/check-reads.ts';
import { listPage } from './list-page.ts';
import { isEqualTo } from '../../../sql/compare-column.ts';
import { columnOf } from './page-plan.ts';
import { relationObject } from '../../../formats/schema-document.ts';
import { selectAll } from './selection.ts';
import type { Session } from '../../../model/database.ts';
import type { Fragment } from '../../../model/fragment.ts';
import type { Relation } from '../../../model/relations.ts';
import type { Table } from '../../../model/schema.ts';
import type { Row } from '../../../model/values.ts';
import type { Context, Invocation } from '../../core/context.ts';
import type { ListRowsInput } from './list-rows.ts';
import type { ListSource } from './page-plan.ts';
import type { Reply } from '../../core/reply.ts';
import type { CachedSchema } from '../../core/schema-cache.ts';

export interface ListRelatedInput extends ListRowsInput {
  /** The raw path segment of the record's id. */
  readonly id: string;
  readonly relation: string;
}

/**
 * A page of the rows that a relation of a record references. Reads of the record and of the rows each
 * count towards the connections of their own table, so that one that hangs does not block the other.
 */
export async function listRelated(
  context: Context,
  input: ListRelatedInput,
  invocation: Invocation,
): Promise<Reply> {
  const { database } = context;
  const record = await database.read(
    (session) => findRecord(context, session, input),
    readUse(input.table),
  );
  const { relation } = record;
  if (invocation.boundedOnly && relation.type === 'many_to_many') throw new DeferToOtherLane();
  const list = {
    source: relatedRows(context, record),
    query: input.query,
    extra: { relation: JSON.stringify(relationObject(relation)) },
  };
  return database.read(
    (session) => listPage({ context, invocation, session }, list),
    readUse(relation.table),
  );
}

async function findRecord(
  context: Context,
  session: Session,
  input: ListRelatedInput,
): Promise<SourceRecord> {
  const cached = await context.schemas.current();
  const table = findTable(cached.schema, input.table);
  const relation = findRelation(table, cached.relationsOf(table.name), input.relation);
  await mustOnlyRead(context, [table]);
  const selection = selectAll(context.database.dialect, table);
  const { showDeleted } = input.query;
  const address = { table, id: input.id, showDeleted };
  const row = await findRow(context, session, { address, selection });
  const valueOf = (column: string) => row[selection.indexOf(column)] ?? null;
  return { cached, table, relation, showDeleted, valueOf };
}

/** Finds a relation by its exact name, or else by the only name that differs in case. */
function findRelation(table: Table, relations: readonly Relation[], name: string): Relation {
  const exact = relations.find((relation) => relation.name === name);
  if (exact !== undefined) return exact;
  const sameIgnoringCase = relations.filter(
    (relation) => relation.name.toLowerCase() === name.toLowerCase(),
  );
  if (sameIgnoringCase.length === 1 && sameIgnoringCase[0] !== undefined)
    return sameIgnoringCase[0];
  const names = relations.map((relation) => relation.name);
  const closest = closestName(name, names);
  throw new StudioError(
    'relation_not_found',
    `Table "${table.name}" has no relation "${name}".${didYouMean(name, names)}`,
    closest === undefined ? {} : { nearest: closest },
  );
}

interface SourceRecord {
  readonly cached: CachedSchema;
  readonly table: Table;
  readonly relation: Relation;
  readonly showDeleted: boolean;
  valueOf(column: string): Row[number];
}

function relatedRows(context: Context, record: SourceRecord): ListSource {
  const { relation, cached } = record;
  const related = findTable(cached.schema, relation.table);
  if (relation.type === 'many_to_many') {
    const through = findTable(cached.schema, relation.joinTable ?? '');
    const where = [throughJoinTable(context, record, { related, joinTable: through })];
    return { table: related, through, where };
  }
  const [ownColumns, relatedColumns] =
    relation.type === 'belongs_to'
      ? [relation.foreignKeys, relation.referenceKeys]
      : [relation.referenceKeys, relation.foreignKeys];
  return {
    table: related,
    where: [
      ...ownColumns.map((column, i) =>
        columnCondition(context, record, {
          related,
          relatedColumn: relatedColumns[i]!,
          ownColumn: column,
        }),
      ),
      ...polymorphicConditions(context, relation, related),
    ],
  };
}

/** Rows of a polymorphic relation have a column that names the type of their owner. */
function polymorphicConditions(
  { database: { dialect } }: Context,
  { polymorphic }: Relation,
  related: Table,
): Fragment[] {
  if (polymorphic === undefined) return [];
  const column = columnOf(related, polymorphic.column);
  return [isEqualTo(dialect, column, polymorphic.value)];
}

/** The related column equals the record's value. NULL references no row. */
function columnCondition(
  { database: { dialect } }: Context,
  record: SourceRecord,
  columns: { readonly related: Table; readonly relatedColumn: string; readonly ownColumn: string },
): Fragment {
  const value = record.valueOf(columns.ownColumn);
  if (value === null) return raw('1 = 0');
  const column = columnOf(columns.related, columns.relatedColumn);
  return isEqualTo(dialect, column, value);
}

/** `key IN (SELECT …)` lets the database start from the join table. Keys of several columns need EXISTS. */
function throughJoinTable(
  context: Context,
  record: SourceRecord,
  { related, joinTable }: { readonly related: Table; readonly joinTable: Table },
): Fragment {
  const { dialect } = context.database;
  const { relation, showDeleted } = record;
  const ofRecord = relation.foreignKeys.map((relatedColumn, i) =>
    columnCondition(context, record, {
      related: joinTable,
      relatedColumn,
      ownColumn: relation.referenceKeys[i]!,
    }),
  );
  const where = [...ofRecord, ...(showDeleted ? [] : notDeletedCondition(dialect, joinTable))];
  const from = dialect.tableName(joinTable);
  const pairs = (relation.joinForeignKeys ?? []).map((column, i) => ({
    joinColumn: dialect.quoteName(column),
    relatedColumn: dialect.quoteName(relation.joinReferenceKeys?.[i] ?? ''),
  }));
  const [only] = pairs;
  if (pairs.length === 1 && only !== undefined) {
    return sql`${only.relatedColumn} IN (SELECT ${only.joinColumn} FROM ${from} WHERE ${join(where, ' AND ')})`;
  }
  const target = dialect.tableName(related);
  const same = pairs.map(({ joinColumn, relatedColumn }) =>
    raw(`${from}.${joinColumn} = ${target}.${relatedColumn}`),
  );
  return sql`EXISTS (SELECT 1 FROM ${from} WHERE ${join([...same, ...where], ' AND ')})`;
}
