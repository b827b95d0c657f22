/** Tools that read the structure and rows. */
import { z } from 'zod';
import { filterOperators } from '../contract/list-parameters.ts';
import { partsText, rowsText } from './result-text.ts';
import { findTables, readStructure, tableLine, tableNamed, tableText } from './structure.ts';
import { ApiError, idSegment } from './studio-api.ts';
import { defineTool } from './tool.ts';
import type { ApiRequest, JsonObject } from './studio-api.ts';
import type { TableInfo } from './structure.ts';
import type { Tool, ToolContext } from './tool.ts';

const tableName = z.string().describe('The name of a table or view, as search_schema returns it.');

export const rowId = z
  .union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))])
  .describe(
    "The value of the row's key; an array of values, in the order of the key, if it has several.",
  );

const scalar = z.union([z.string(), z.number(), z.boolean()]);

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
    run: async (context, { table, ...input }) =>
      listText(context, { table: await findTable(context, table), path: rowsPath(table), input }),
  }),
  defineTool({
    name: 'read_row',
    title: 'Read one row',
    description: 'One row by its key, with all its values.',
    input: z.object({ table: tableName, id: rowId }),
    writes: false,
    run: async (context, { table: name, id }) => {
      const table = await findTable(context, name);
      mustNotCompare(context, table, table.row_key);
      const path = [...rowsPath(name), idSegment(id)];
      const { json } = await context.reader.request({ path });
      return rowsText({}, context.masks.apply(name, [json]));
    },
  }),
  defineTool({
    name: 'read_related_rows',
    title: 'Read related rows',
    description:
      'The rows that a relation of a row leads to. describe_tables names the relations of a table.',
    input: z.object({ table: tableName, id: rowId, relation: z.string(), ...list }),
    writes: false,
    run: async (context, { table: name, id, relation, ...input }) => {
      const table = await findTable(context, name);
      mustNotCompare(context, table, table.row_key);
      const target = table.relations.find((each) => each.name === relation)?.table;
      if (target === undefined)
        throw new ApiError(`"${name}" has no relation "${relation}".`, 'relation_not_found');
      const path = [...rowsPath(name), idSegment(id), 'relations', encodeURIComponent(relation)];
      return listText(context, { table: await findTable(context, target), path, input });
    },
  }),
];

async function findTable({ reader }: ToolContext, name: string): Promise<TableInfo> {
  return tableNamed((await readStructure(reader)).tables, name);
}

function rowsPath(table: string): readonly string[] {
  return ['tables', encodeURIComponent(table), 'rows'];
}

interface ListCall {
  /** Whose rows are listed. */
  readonly table: TableInfo;
  readonly path: readonly string[];
  readonly input: ListInput;
}

async function listText(context: ToolContext, call: ListCall): Promise<string> {
  const { reader, masks } = context;
  const { table, path, input } = call;
  const { filters = [], sort = [], search } = input;
  mustNotCompare(
    context,
    table,
    [...filters, ...sort].map(({ column }) => column),
  );
  const hasMasks = table.columns.some(({ name }) => masks.hasMask(table.name, name));
  if (search !== undefined && hasMasks)
    throw new ApiError(
      'Columns are masked, so rows cannot be searched: filter a column.',
      'masked',
    );
  const { json } = await reader.request({ path, query: listQuery(input) });
  const { data, total, total_exact, next_cursor } = json as unknown as RowList;
  // A cursor contains values of the last row.
  const next = hasMasks ? {} : { next_cursor };
  return rowsText({ total, total_exact, ...next }, masks.apply(table.name, data));
}

interface RowList {
  readonly data: readonly JsonObject[];
  readonly total: number | null;
  readonly total_exact?: false;
  readonly next_cursor?: string;
}

/** Whether a comparison finds rows would reveal masked values. */
function mustNotCompare(
  { masks }: ToolContext,
  { name }: TableInfo,
  columns: readonly string[],
): void {
  const masked = columns.find((column) => masks.hasMask(name, column));
  if (masked !== undefined)
    throw new ApiError(
      `The column "${masked}" is masked: rows cannot be found, filtered or sorted by it.`,
      'masked',
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
