import { encodeSegment } from '../../model/row-id.ts';
import { openApiDocument, operation, refTo } from './openapi.ts';
import { routes } from '../routes.ts';
import type { TableDescription, TableDescriptions } from '../../model/table-description.ts';
import type { Json } from './openapi.ts';
import type { Route } from '../route.ts';
import type { RouteId } from '../routes.ts';

/** Generates the OpenAPI document with paths and schemas for the rows of each table. */
export function openApiDocumentOfTables(
  prefix: string,
  { tables, omitted }: TableDescriptions,
): Json {
  const document = openApiDocument(prefix) as unknown as BaseDocument;
  const names = componentNames(tables);
  const namedTables = tables.map((table, index) => ({ table, component: names[index] ?? '' }));
  return {
    ...document,
    info: { ...document.info, description: descriptionOf(document.info.description, omitted) },
    tags: [
      ...document.tags,
      ...tables.map(({ name, comment }) => ({ name: tagOf(name), description: comment || name })),
    ],
    paths: { ...document.paths, ...Object.fromEntries(namedTables.flatMap(pathsOf)) },
    components: {
      ...document.components,
      schemas: { ...document.components.schemas, ...rowSchemas(namedTables) },
      ...sharedComponents(usedRoutes(tables)),
    },
  };
}

function rowSchemas(namedTables: readonly NamedTable[]): Json {
  const schemas = namedTables.map(({ table, component }) => [component, rowSchema(table)] as const);
  const isDynamic = namedTables.some(({ table }) =>
    Object.values(table.columns).some((column) => 'anyOf' in column),
  );
  return { ...(isDynamic ? { OtherValue: otherValue } : {}), ...Object.fromEntries(schemas) };
}

interface BaseDocument extends Json {
  readonly info: { readonly description: string };
  readonly tags: readonly Json[];
  readonly paths: Json;
  readonly components: { readonly schemas: Json };
}

function descriptionOf(description: string, omitted: number): string {
  if (omitted === 0) return description;
  return `${description} The document leaves out ${omitted} tables and views, whose rows have the same routes.`;
}

function tagOf(table: string): string {
  return `Rows of ${table}`;
}

const otherValue: Json = {
  description:
    'SQLite: a value of another storage class than that of the column: a number, a text, binary (`{"$base64": "…"}`) or NULL.',
  type: ['number', 'string', 'object', 'null'],
  format: 'double',
};

/** Names of components have few characters, and tables any. */
function componentNames(tables: readonly TableDescription[]): readonly string[] {
  const usedNames = new Map<string, number>();
  return tables.map(({ name }) => {
    const component = `rows.${name.replaceAll(/[^\w-]/g, '_')}`;
    const count = (usedNames.get(component) ?? 0) + 1;
    usedNames.set(component, count);
    // No table's component ends in a dot and a number.
    return count === 1 ? component : `${component}.${count}`;
  });
}

function rowSchema({ name, comment, columns }: TableDescription): Json {
  return {
    type: 'object',
    description: comment || `A row of ${name}.`,
    properties: columns,
  };
}

interface NamedTable {
  readonly table: TableDescription;
  /** The name of its schema. */
  readonly component: string;
}

/** The routes of rows whose documents name the columns. */
const listRoutes: readonly RouteId[] = ['list-rows', 'create-row'];
const rowRoutes: readonly RouteId[] = ['get-row', 'update-row', 'delete-row'];

/** The routes of a table, for lists of rows and for single rows. */
function routesOf({
  hasIds,
  isWritable,
}: TableDescription): Readonly<Record<'list' | 'row', readonly RouteId[]>> {
  const isAvailable = (id: RouteId): boolean => isWritable || routes[id].access === 'read';
  return { list: listRoutes.filter(isAvailable), row: hasIds ? rowRoutes.filter(isAvailable) : [] };
}

function usedRoutes(tables: readonly TableDescription[]): readonly RouteId[] {
  return [...new Set(tables.flatMap((table) => Object.values(routesOf(table)).flat()))];
}

function pathsOf(namedTables: NamedTable): readonly (readonly [path: string, item: Json])[] {
  const path = `/tables/${encodeSegment(namedTables.table.name)}/rows`;
  const { list, row } = routesOf(namedTables.table);
  return [
    [path, pathItem(namedTables, list)],
    ...(row.length === 0 ? [] : ([[`${path}/{id}`, pathItem(namedTables, row)]] as const)),
  ];
}

function pathItem(namedTables: NamedTable, ids: readonly RouteId[]): Json {
  return Object.fromEntries(
    ids.map((id) => [routes[id].method.toLowerCase(), tableOperation(namedTables, id)]),
  );
}

function tableOperation({ table, component }: NamedTable, id: RouteId): Json {
  const route: Route = routes[id];
  const shared = sharedOperation(id);
  const row = { $ref: refTo(component) };
  const body = { 'application/json': { schema: row } };
  const parameters = shared.parameters
    .filter(isShared)
    .map((parameter) => (isInline(table, parameter) ? parameter : parameterRef(id, parameter)));
  return {
    operationId: `${id}.${component.slice('rows.'.length)}`,
    tags: [tagOf(table.name)],
    summary: `${route.summary}: ${table.name}`,
    description: `As \`${id}\`.`,
    parameters,
    ...(route.body === undefined ? {} : { requestBody: { required: true, content: body } }),
    responses: {
      ...Object.fromEntries(
        Object.keys(shared.responses).map((status) => [status, { $ref: responseRef(id, status) }]),
      ),
      ...successResponses(id, row),
    },
  };
}

interface Operation {
  readonly parameters: readonly Parameter[];
  readonly responses: Json;
}

interface Parameter extends Json {
  readonly name: string;
  readonly in: string;
}

const sharedOperations = new Map<RouteId, Operation>();

/** The operation of a route for any table. Cached, since those of hundreds of tables refer to it. */
function sharedOperation(id: RouteId): Operation {
  const shared = sharedOperations.get(id) ?? (operation(id, routes[id]) as unknown as Operation);
  sharedOperations.set(id, shared);
  return shared;
}

/** The path contains the table, and `cells=preview` truncates values, so that they are of other types. */
function isShared({ name }: Parameter): boolean {
  return name !== 'table' && name !== 'cells';
}

/** Spectral does not resolve references of path parameters below a path with percent-encoding. */
function isInline({ name }: TableDescription, parameter: Parameter): boolean {
  return parameter.in === 'path' && encodeSegment(name) !== name;
}

/** The success response, if it has rows. */
function successResponses(id: RouteId, row: Json): Json {
  const { responses }: Route = routes[id];
  return Object.fromEntries(
    Object.entries(responses).flatMap(([status, { description, json }]) => {
      if (json === undefined || id === 'delete-row') return [];
      const schema = successSchema(id, { row, response: { $ref: refTo(json.name) } });
      return [[status, { description, content: { 'application/json': { schema } } }]];
    }),
  );
}

function successSchema(
  id: RouteId,
  { row, response }: { readonly row: Json; readonly response: Json },
): Json {
  if (id === 'get-row') return row;
  const data = id === 'list-rows' ? { type: 'array', items: row } : row;
  return { allOf: [response, { type: 'object', properties: { data } }] };
}

/** Parameters and responses that the operations of all tables share, of the given routes. */
function sharedComponents(ids: readonly RouteId[]): Json {
  const operations = ids.map((id) => [id, sharedOperation(id)] as const);
  const parameters = operations.flatMap(([id, shared]) =>
    shared.parameters
      .filter(isShared)
      .map((parameter) => [parameterName(id, parameter), parameter] as const),
  );
  const responses = operations.flatMap(([id, shared]) =>
    Object.entries(shared.responses)
      .filter(([status]) => !(status in successResponses(id, {})))
      .map(([status, response]) => [`${id}.${status}`, response] as const),
  );
  return {
    parameters: Object.fromEntries(parameters),
    responses: Object.fromEntries(responses),
  };
}

function parameterName(id: RouteId, { name }: Parameter): string {
  return `${id}.${name}`;
}

function parameterRef(id: RouteId, parameter: Parameter): Json {
  return { $ref: `#/components/parameters/${parameterName(id, parameter)}` };
}

function responseRef(id: RouteId, status: string): string {
  return `#/components/responses/${id}.${status}`;
}
