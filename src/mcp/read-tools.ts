/** Tools that read the structure and rows. */
import { z } from 'zod';
import { filterOperators } from '../contract/list-parameters.ts';
import { partsText, rowsText } from './result-text.ts';
import { findTables, readStructure, tableLine, tableText } from './structure.ts';
import { ApiError, idSegment } from './studio-api.ts';
import { defineTool } from './tool.ts';
import type { ApiRequest, JsonObject } from './studio-api.ts';
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
  cursor: z.string().optional().describe('The `next_cursor` of the previous result.'),
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
      listText(context, { table, path: ['tables', encodeURIComponent(table), 'rows'], input }),
  }),
  defineTool({
    name: 'read_row',
    title: 'Read one row',
    description: 'One row by its key, with all its values.',
    input: z.object({ table: tableName, id: rowId }),
    writes: false,
    run: async ({ reader, masks }, { table, id }) => {
      const path = ['tables', encodeURIComponent(table), 'rows', idSegment(id)];
      const { json } = await reader.request({ path });
      return rowsText({}, masks.apply(table, [json]));
    },
  }),
  defineTool({
    name: 'read_related_rows',
    title: 'Read related rows',
    description:
      'The rows that a relation of a row leads to. describe_tables names the relations of a table.',
    input: z.object({ table: tableName, id: rowId, relation: z.string(), ...list }),
    writes: false,
    run: async (context, { table, id, relation, ...input }) => {
      const { tables } = await readStructure(context.reader);
      const target = tables
        .find(({ name }) => name === table)
        ?.relations.find(({ name }) => name === relation)?.table;
      const row = ['tables', encodeURIComponent(table), 'rows', idSegment(id)];
      const path = [...row, 'relations', encodeURIComponent(relation)];
      return listText(context, { table: target ?? table, path, input });
    },
  }),
];

interface ListCall {
  /** Whose rows are listed. */
  readonly table: string;
  readonly path: readonly string[];
  readonly input: ListInput;
}

async function listText({ reader, masks }: ToolContext, call: ListCall): Promise<string> {
  const { table, path, input } = call;
  mustNotCompareMasked({ reader, masks }, table, input);
  if (input.search !== undefined && !masks.isEmpty) throw searchOfMasked();
  const { json } = await reader.request({ path, query: listQuery(input) });
  const { data, ...rest } = json as JsonObject & { readonly data: readonly JsonObject[] };
  const { total, total_exact, next_cursor } = rest;
  return rowsText({ total, total_exact, next_cursor }, masks.apply(table, data));
}

/** The results of filters and sorting would reveal masked values. */
function mustNotCompareMasked({ masks }: ToolContext, table: string, input: ListInput): void {
  const compared = [...(input.filters ?? []), ...(input.sort ?? [])].map(({ column }) => column);
  const masked = compared.find((column) => masks.hasMask(table, column));
  if (masked !== undefined)
    throw new ApiError(
      `The column "${masked}" is masked: rows cannot be filtered or sorted by it.`,
      'masked',
    );
}

function searchOfMasked(): ApiError {
  return new ApiError('Columns are masked, so rows cannot be searched: filter a column.', 'masked');
}

function listQuery({
  filters = [],
  sort = [],
  search,
  limit,
  cursor,
}: ListInput): NonNullable<ApiRequest['query']> {
  return {
    cells: 'preview',
    page_size: limit,
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
