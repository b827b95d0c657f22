import { childCount } from '../processes/spawn-module.ts';
import { metricsText, metricsType } from './metrics.ts';
import { isDiagram } from '../contract/exports.ts';
import { asOpenApi30 } from '../contract/openapi/openapi-30.ts';
import { openApiDocumentOfTables } from '../contract/openapi/openapi-tables.ts';
import { jsonResponse } from './http-response.ts';
import { apiHeaders, jsonHeaders } from './headers.ts';
import { listQuery, tableExport } from './list-query.ts';
import { readAccount } from './read-account.ts';
import {
  listPositions,
  listQueries,
  removeQuery,
  savePositions,
  saveQuery,
} from './saved-state.ts';
import type { Account } from './read-account.ts';
import type { Filter } from '../contract/read-query.ts';
import type { ParamsOf, QueryOf, RouteId, Routes } from '../contract/routes.ts';
import type { Json } from '../contract/openapi/openapi.ts';
import type { TableDescriptions } from '../model/table-description.ts';
import type { StandbyState } from '../model/server-state.ts';
import type { PoolStats } from '../model/database.ts';
import type { OperationName } from '../studio/execution/operations.ts';
import type { JobName } from '../studio/core/job.ts';
import type { Studio } from '../studio/studio.ts';
import type { HttpResponse } from './http-response.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { RequestMetrics } from './metrics.ts';
import type { Transfers } from './tracked-transfers.ts';

/** A parsed request to a route. */
export interface Call<Id extends RouteId> {
  readonly studio: Studio;
  readonly params: ParamsOf<Id>;
  readonly query: QueryOf<Routes[Id]['query']>;
  readonly filters: readonly Filter[];
  /** The unparsed text of a JSON body. */
  readonly body: string;
  readonly ifMatch?: string;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** Spools the body to a file and performs an operation on it. */
  readonly performWithFile: (operation: OperationName, input: object) => Promise<HttpResponse>;
  /** Performs an operation. It is canceled if the client disconnects. */
  readonly perform: (operation: OperationName, input: unknown) => Promise<HttpResponse>;
  /** Sends the output file of a job. `transfer` is the name under which the client tracks it. */
  readonly download: (job: JobName, input: object, transfer?: string) => Promise<HttpResponse>;
  /** Runs a job on the uploaded files. */
  readonly upload: (job: JobName, input: object) => Promise<HttpResponse>;
  /** Sends a file of rejected rows of an import by the same client. */
  readonly sendRejectedRows: (id: string) => HttpResponse;
  /** Downloads whose progress clients track. */
  readonly transfers: Transfers;
  /** Whether there is an account that browsers log in with. */
  readonly hasLogin: boolean;
  /** Returns the cookie of a new session. */
  readonly login: (account: Account) => string;
  /** Returns the cookie that deletes the session. */
  readonly logout: () => Promise<string>;
  readonly lifecycle: Lifecycle;
  readonly metrics: RequestMetrics;
  /** Returns the OpenAPI document. */
  readonly openApi: () => Json;
}

type Handler<Id extends RouteId> = (call: Call<Id>) => HttpResponse | Promise<HttpResponse>;

/** The implementation of each route. */
export const handlers: { readonly [Id in RouteId]: Handler<Id> } = {
  'get-schema': ({ perform, query }) => perform('get-schema', query),
  'refresh-schema': ({ perform, query }) => perform('refresh-schema', query),
  'list-rows': ({ perform, params, query, filters }) =>
    perform('list-rows', { ...params, query: listQuery(query, filters) }),
  'get-row': ({ perform, params, query }) =>
    perform('get-row', { ...params, showDeleted: query.show_deleted }),
  'list-related': ({ perform, params, query, filters }) =>
    perform('list-related', { ...params, query: listQuery(query, filters) }),
  'read-cell': ({ perform, params, query }) =>
    perform('read-cell', { ...params, showDeleted: query.show_deleted }),
  'create-row': async ({ perform, params, body }) =>
    created(await perform('create-row', { ...params, body })),
  'update-row': ({ perform, params, query, body, ifMatch }) =>
    perform('update-row', { ...params, showDeleted: query.show_deleted, body, ifMatch }),
  'delete-row': ({ perform, params, query, ifMatch }) =>
    perform('delete-row', { ...params, ...deletion(query), ifMatch }),
  'bulk-delete': ({ perform, params, query, body }) =>
    perform('bulk-delete', { ...params, ...deletion(query), partial: query.partial, body }),
  'change-rows': ({ perform, params, query, body }) =>
    perform(query.dry_run ? 'preview-changes' : 'change-rows', {
      ...params,
      ...deletion(query),
      partial: query.partial,
      body,
    }),
  'upload-cell': ({ performWithFile, params, query, ifMatch }) =>
    performWithFile('upload-cell', { ...params, showDeleted: query.show_deleted, ifMatch }),
  'run-sql': ({ perform, body }) => perform('run-sql', { body }),
  'get-diagram': async ({ download, query }) =>
    asJsonResponse(await download('export-diagram', { ...query, format: 'layout' })),
  'list-saved-queries': ({ studio }) => listQueries(studio.saved.queries),
  'save-query': ({ studio, params, body }) => saveQuery(studio.saved.queries, params.query, body),
  'remove-saved-query': ({ studio, params }) => removeQuery(studio.saved.queries, params.query),
  'get-positions': ({ studio, query }) => listPositions(studio.saved.positions[query.columns]),
  'save-positions': ({ studio, query, body }) =>
    savePositions(studio.saved.positions[query.columns], body),
  'export-schema': ({ perform, download, query }) =>
    isDiagram(query.format) ? download('export-diagram', query) : perform('export-schema', query),
  'export-data': ({ download, query: { transfer, ...input } }) =>
    download('export-data', input, transfer),
  'export-dump': ({ download, query: { transfer, ...input } }) =>
    download('export-dump', input, transfer),
  'export-table': ({ download, params, query, filters }) => {
    const { transfer, ...input } = query;
    return download('export-table', { ...params, ...tableExport(input, filters) }, transfer);
  },
  'export-models': ({ perform, query }) => perform('export-models', query),
  'get-transfer': async ({ transfers, params }) =>
    jsonResponse(200, await transfers.find(params.transfer)),
  'cancel-transfer': async ({ transfers, params }) => {
    await transfers.cancel(params.transfer);
    return jsonResponse(200, { message: 'cancelled' });
  },
  'import-schema': ({ upload, query }) => upload('import-schema', query),
  'import-dump': ({ upload, query }) => upload('import-dump', query),
  'import-data': ({ upload, query }) => upload('import-data', query),
  'get-rejected-rows': ({ sendRejectedRows, params }) => sendRejectedRows(params.file),
  'import-models': ({ upload, query }) => upload('import-models', query),
  login: ({ body, login }) => cookieResponse(login(readAccount(body))),
  logout: async ({ logout }) => cookieResponse(await logout()),
  'get-config': async (call) => jsonResponse(200, await configBody(call)),
  'get-stats': async ({ studio }) => jsonResponse(200, statsBody(await studio.stats())),
  'get-health': async ({ studio, lifecycle }) =>
    healthResponse(!lifecycle.isDraining() && (await studio.ready())),
  'get-liveness': () => jsonResponse(200, { live: true }),
  'get-metrics': async ({ studio, metrics }) => {
    const [serverState, standby] = await Promise.all([studio.serverState(), studio.standby()]);
    const state = {
      pool: await studio.stats(),
      jobs: studio.jobs(),
      children: childCount(),
      caches: studio.cacheUses(),
      ...serverState,
      standby,
    };
    const headers = { ...apiHeaders, 'Content-Type': metricsType };
    return { status: 200, headers, body: metricsText(metrics, state) };
  },
  'get-openapi': async (call) => ({
    status: 200,
    headers: jsonHeaders,
    body: await openApiText(call),
  }),
};

async function openApiText({
  studio,
  query,
  signal,
  openApi,
}: Call<'get-openapi'>): Promise<string> {
  const document = query.tables ? await openApiOfTables(studio, signal) : openApi();
  return JSON.stringify(query.version === '3.0' ? asOpenApi30(document) : document);
}

async function openApiOfTables(studio: Studio, signal: AbortSignal): Promise<Json> {
  const { body } = await studio.perform('describe-tables', {}, { signal });
  const tables = JSON.parse(String(body)) as TableDescriptions;
  return openApiDocumentOfTables(studio.config.prefix, tables);
}

function cookieResponse(cookie: string): HttpResponse {
  return { status: 204, headers: { ...apiHeaders, 'Set-Cookie': cookie }, body: null };
}

interface Deletion {
  readonly show_deleted: boolean;
  readonly permanent: boolean;
}

function deletion({ show_deleted: showDeleted, permanent }: Deletion): object {
  return { showDeleted, permanent };
}

/** Replaces the headers of a file download by those of a JSON response. */
function asJsonResponse(response: HttpResponse): HttpResponse {
  return { ...response, headers: jsonHeaders };
}

function created(response: HttpResponse): HttpResponse {
  return { ...response, status: 201 };
}

async function configBody({
  studio,
  hasLogin,
}: Pick<Call<RouteId>, 'studio' | 'hasLogin'>): Promise<object> {
  const { readOnly: isConfigured, disableSql, allowDdl, prefix } = studio.config;
  const { readOnlyReason: reason, lagSeconds } = await studio.serverState();
  const standby = await studio.standby();
  const readOnly = isConfigured || reason !== undefined;
  return {
    read_only: readOnly,
    ...(reason === undefined ? {} : { read_only_reason: reason }),
    ...(lagSeconds === undefined ? {} : { replication_lag_seconds: lagSeconds }),
    ...(standby === undefined ? {} : { standby: standbyBody(standby) }),
    disable_sql: disableSql,
    prefix,
    ...(allowDdl && !readOnly && !disableSql ? { allow_ddl: true } : {}),
    ...(hasLogin ? { login: true } : {}),
  };
}

function standbyBody({ isAway, lagSeconds }: StandbyState): object {
  return {
    available: !isAway,
    ...(lagSeconds === undefined ? {} : { replication_lag_seconds: lagSeconds }),
  };
}

function statsBody(stats: PoolStats): object {
  return {
    max_open_connections: stats.maxOpenConnections,
    open_connections: stats.openConnections,
    in_use: stats.inUse,
    idle: stats.idle,
    wait_count: stats.waitCount,
    wait_duration: stats.waitDurationMs,
  };
}

function healthResponse(ready: boolean): HttpResponse {
  return jsonResponse(ready ? 200 : 503, { live: true, ready });
}
