/** Tools that read the structure and rows. */
import { z } from 'zod';
import { filterOperators } from '../contract/list-parameters.ts';
import { partsText, rowsText } from './result-text.ts';
import { findTables, readStructure, tableLine, tableNamed, tableText } from './structure.ts';
import { ApiError, idSegment } from './studio-api.ts';
import { relationKeys } from './relation-keys.ts';
import { defineTool, exactNumber } from './tool.ts';
import type { RelationKeys } from './relation-keys.ts';
import type { ApiRequest, JsonObject } from './studio-api.ts';
import type { Masks } from './masks.ts';
import type { TableInfo } from './structure.ts';
import type { Tool, ToolContext } from './tool.ts';

const tableName = z.string().describe('The name of a table or view, as search_schema returns it.');

export const rowId = z
  .union([z.string(), exactNumber, z.array(z.union([z.string(), exactNumber]))])
  .describe(
    "The value of the row's key; an array of values, in the order of the key, if it has several.",
  );

const scalar = z.union([z.string(), exactNumber, z.boolean()]);

const filter = z.object({
  column: z.string(),
  operator: z.enum(Object.keys(filterOperators) as [string, ...string[]]).describe(
    Object.entries(filterOperators)
      .map(([name, meaning]) => `${name}: ${meaning}`)
      .join('; '),
  ),
  value: z.union([scalar, z.array(scalar)]),
});

const list = {
  filters: z.array(filter).optional().describe('All must hold.'),
  sort: z
    .array(z.object({ column: z.string(), order: z.enum(['asc', 'desc']).default('asc') }))
    .optional(),
  search: z.string().optional().describe('Only rows with this text in a text column.'),
  limit: z.int().min(1).max(100).default(20),
  page: z.int().min(1).default(1),
  cursor: z
    .string()
    .optional()
    .describe('The `next_cursor` of the previous result, if it has one: instead of `page`.'),
};

type ListInput = z.output<z.ZodObject<typeof list>>;

export const readTools: readonly Tool<ToolContext>[] = [
  defineTool({
    name: 'search_schema',
    title: 'Find tables',
    description:
      'Lists tables and views with their columns and row counts, one a line: all of them, or those whose names, ' +
      'columns or comments contain every word of the query. Begin here.',
    input: z.object({ query: z.string().default('').describe('Words; empty for all tables.') }),
    writes: false,
    run: async ({ reader }, { query }) => {
      const { driver, server_version, tables } = await readStructure(reader);
      const found = query.trim() === '' ? tables : findTables(tables, query);
      const head = `${driver} ${server_version}: ${found.length} of ${tables.length} tables and views`;
      return partsText([head, ...found.map(tableLine)], '\n');
    },
  }),
  defineTool({
    name: 'describe_tables',
    title: 'Describe tables',
    description:
      'The columns with types, defaults and references, the key, indexes, checks and relations of tables or views.',
    input: z.object({ tables: z.array(tableName).min(1).max(30) }),
    writes: false,
    run: async ({ reader }, input) => {
      const { tables } = await readStructure(reader);
      const described = input.tables.map((name) => {
        const table = tables.find((each) => each.name === name);
        return table === undefined ? `There is no table "${name}".` : tableText(table);
      });
      return partsText(described, '\n\n');
    },
  }),
  defineTool({
    name: 'read_rows',
    title: 'Read rows',
    description:
      'Rows of a table or view, filtered, sorted and paged. Long values are shortened. Use it rather than SQL ' +
      'where it suffices.',
    input: z.object({ table: tableName, ...list }),
    writes: false,
    run: async (context, { table: name, ...input }) =>
      listText(context, { ...(await findTable(context, name)), path: rowsPath(name), input }),
  }),
  defineTool({
    name: 'read_row',
    title: 'Read one row',
    description: 'One row by its key, with all its values.',
    input: z.object({ table: tableName, id: rowId }),
    writes: false,
    run: async (context, { table: name, id }) => {
      const { table, masks } = await findTable(context, name);
      mustNotFindByKey(masks, table);
      const path = [...rowsPath(name), idSegment(id)];
      const { json } = await context.reader.request({ path });
      return rowsText({}, masks.apply(name, [json]));
    },
  }),
  defineTool({
    name: 'read_related_rows',
    title: 'Read related rows',
    description:
      'The rows that a relation of a row leads to. describe_tables names the relations of a table.',
    input: z.object({ table: tableName, id: rowId, relation: z.string(), ...list }),
    writes: false,
    run: async (context, { table: name, id, relation: relationName, ...input }) => {
      const { tables, table, masks } = await findTable(context, name);
      const relation = table.relations.find((each) => each.name === relationName);
      if (relation === undefined)
        throw new ApiError(`"${name}" has no relation "${relationName}".`, 'relation_not_found');
      mustNotFindByKey(masks, table);
      // Which rows are related shows the values by which they are.
      mustNotCompare(masks, relationKeys(name, relation).compared);
      const segment = encodeURIComponent(relationName);
      const path = [...rowsPath(name), idSegment(id), 'relations', segment];
      return listText(context, { table: tableNamed(tables, relation.table), masks, path, input });
    },
  }),
];

interface FoundTable {
  readonly tables: readonly TableInfo[];
  readonly table: TableInfo;
  readonly masks: Masks;
}

export async function findTable({ reader, masks }: ToolContext, name: string): Promise<FoundTable> {
  const { tables } = await readStructure(reader);
  return { tables, table: tableNamed(tables, name), masks: masks.within(tables) };
}

function rowsPath(table: string): readonly string[] {
  return ['tables', encodeURIComponent(table), 'rows'];
}

interface ListCall {
  /** Whose rows are listed. */
  readonly table: TableInfo;
  readonly masks: Masks;
  readonly path: readonly string[];
  readonly input: ListInput;
}

async function listText({ reader }: ToolContext, call: ListCall): Promise<string> {
  const { table, masks, path, input } = call;
  const { filters = [], sort = [], search, cursor } = input;
  const compared = [
    ...[...filters, ...sort].map(({ column }) => column),
    // The API reads this as the name of a column if there is one.
    ...filters.map(({ column, operator }) => `${column}__${operator}`),
  ];
  mustNotCompare(
    masks,
    compared.map((column) => ({ table: table.name, column })),
  );
  const hasMasks = table.columns.some(({ name }) => masks.hasMask(table.name, name));
  if (search !== undefined && hasMasks)
    throw new ApiError(
      'Columns are masked, so rows cannot be searched: filter a column.',
      'masked',
    );
  if (cursor !== undefined && hasMasks)
    throw new ApiError(
      'Columns are masked, and a cursor could compare them with any value: use page.',
      'masked',
    );
  const ordered = hasMasks ? { ...input, sort: visibleSort(call) } : input;
  const { json } = await reader.request({ path, query: listQuery(ordered) });
  const { data, total, total_exact, next_cursor } = json as unknown as RowList;
  // A cursor contains values of the last row.
  const next = hasMasks ? {} : { next_cursor };
  return rowsText({ total, total_exact, ...next }, masks.apply(table.name, data));
}

const sortableKinds: readonly string[] = [
  ...['integer', 'decimal', 'float', 'boolean', 'text', 'enum', 'uuid'],
  ...['date', 'time', 'timestamp'],
];

/**
 * The API sorts rows that are equal in the requested order by their key, or else by all their values. That
 * would show how masked values compare. So this adds all columns that are not masked to the order.
 */
function visibleSort({ table, masks, input: { sort = [] } }: ListCall): ListInput['sort'] {
  const { name, row_key: key, columns } = table;
  const isVisible = (column: string): boolean => !masks.hasMask(name, column);
  if (key.length > 0 && key.every(isVisible)) return sort;
  const others = columns.filter(
    (column) =>
      isVisible(column.name) &&
      sortableKinds.includes(column.kind) &&
      !sort.some((term) => term.column === column.name),
  );
  return [...sort, ...others.map((column) => ({ column: column.name, order: 'asc' as const }))];
}

interface RowList {
  readonly data: readonly JsonObject[];
  readonly total: number | null;
  readonly total_exact?: false;
  readonly next_cursor?: string;
}

/** Whether a comparison finds rows would reveal masked values. */
export function mustNotCompare(masks: Masks, columns: RelationKeys['compared']): void {
  const masked = columns.find(({ table, column }) => masks.hasMask(table, column));
  if (masked !== undefined)
    throw new ApiError(
      `The column "${masked.column}" of "${masked.table}" is masked: rows cannot be found, filtered or sorted by it.`,
      'masked',
    );
}

/** Whether a row with some key exists would reveal a masked key. */
export function mustNotFindByKey(masks: Masks, { name, row_key: key }: TableInfo): void {
  mustNotCompare(
    masks,
    key.map((column) => ({ table: name, column })),
  );
}

function listQuery({
  filters = [],
  sort = [],
  search,
  limit,
  page,
  cursor,
}: ListInput): NonNullable<ApiRequest['query']> {
  return {
    cells: 'preview',
    page_size: limit,
    page: cursor === undefined ? page : undefined,
    search,
    cursor,
    sort_by: sort.map(({ column }) => column),
    sort_order: sort.map(({ order }) => order),
    ...filterQuery(filters),
  };
}

/** Several filters with one column and operator repeat the parameter. */
function filterQuery(
  filters: readonly z.output<typeof filter>[],
): NonNullable<ApiRequest['query']> {
  const query: Record<string, (string | number | boolean)[]> = {};
  for (const { column, operator, value } of filters)
    (query[`filter_${column}__${operator}`] ??= []).push(...[value].flat());
  return query;
}
