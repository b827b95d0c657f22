import { isDiagram } from '../contract/exports.ts';
import { jsonAnswer } from './answer.ts';
import { apiHeaders, jsonHeaders } from './headers.ts';
import { listQuery, wholeListQuery } from './list-query.ts';
import { readAccount } from './read-account.ts';
import type { Account } from './read-account.ts';
import type { Filter } from '../contract/read-query.ts';
import type { ParamsOf, QueryOf, RouteId, Routes } from '../contract/routes.ts';
import type { PoolStats } from '../model/database.ts';
import type { OperationName } from '../studio/operations.ts';
import type { JobName } from '../studio/job.ts';
import type { Studio } from '../studio/studio.ts';
import type { Answer } from './answer.ts';
import type { Transfers } from './followed-transfers.ts';

/** A request to a route, read and checked. */
export interface Call<Id extends RouteId> {
  readonly studio: Studio;
  readonly params: ParamsOf<Id>;
  readonly query: QueryOf<Routes[Id]['query']>;
  readonly filters: readonly Filter[];
  /** A JSON body's text, unread. */
  readonly body: string;
  readonly ifMatch?: string;
  /** Says that the client has gone. */
  readonly signal: AbortSignal;
  /** Has the studio do it with the body put into a file. */
  readonly performWithFile: (operation: OperationName, input: object) => Promise<Answer>;
  /** Has the studio do it, for as long as the client waits. */
  readonly perform: (operation: OperationName, input: unknown) => Promise<Answer>;
  /** Sends the file that a job makes; followed where the client gave it a name. */
  readonly download: (job: JobName, input: object, transfer?: string) => Promise<Answer>;
  /** Has a job take the files of the request. */
  readonly upload: (job: JobName, input: object) => Promise<Answer>;
  /** The downloads that clients follow. */
  readonly transfers: Transfers;
  /** The cookie of a new session. */
  readonly login: (account: Account) => string;
  /** The cookie that takes the session away. */
  readonly logout: () => string;
  /** The OpenAPI document's text. */
  readonly openApi: () => string;
}

type Handler<Id extends RouteId> = (call: Call<Id>) => Answer | Promise<Answer>;

/** What each route does. */
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
    perform('change-rows', { ...params, ...deletion(query), partial: query.partial, body }),
  'upload-cell': ({ performWithFile, params, query, ifMatch }) =>
    performWithFile('upload-cell', { ...params, showDeleted: query.show_deleted, ifMatch }),
  'run-sql': ({ perform, body }) => perform('run-sql', { body }),
  'get-diagram': async ({ download, query }) =>
    shown(await download('export-diagram', { ...query, format: 'layout' })),
  'export-schema': ({ perform, download, query }) =>
    isDiagram(query.format) ? download('export-diagram', query) : perform('export-schema', query),
  'export-data': ({ download, query: { transfer, ...input } }) =>
    download('export-data', input, transfer),
  'export-table': ({ download, params, query, filters }) => {
    const { format, columns, dialect, formulas, transfer, ...list } = query;
    const file = { ...params, format, columns, dialect, formulas };
    return download('export-table', { ...file, query: wholeListQuery(list, filters) }, transfer);
  },
  'export-models': ({ perform, query }) => perform('export-models', query),
  'get-transfer': ({ transfers, params }) => jsonAnswer(200, transfers.find(params.transfer)),
  'cancel-transfer': ({ transfers, params }) => {
    transfers.cancel(params.transfer);
    return jsonAnswer(200, { message: 'cancelled' });
  },
  'import-schema': ({ upload, query }) => upload('import-schema', query),
  'import-data': ({ upload, query }) => upload('import-data', query),
  'import-models': ({ upload, query }) => upload('import-models', query),
  login: ({ body, login }) => cookieAnswer(login(readAccount(body))),
  logout: ({ logout }) => cookieAnswer(logout()),
  'get-config': ({ studio }) => jsonAnswer(200, configBody(studio)),
  'get-stats': async ({ studio }) => jsonAnswer(200, statsBody(await studio.stats())),
  'get-health': async ({ studio, signal }) => healthAnswer(await studio.ready(signal)),
  'get-openapi': ({ openApi }) => ({ status: 200, headers: jsonHeaders, body: openApi() }),
};

function cookieAnswer(cookie: string): Answer {
  return { status: 204, headers: { ...apiHeaders, 'Set-Cookie': cookie }, body: null };
}

interface Deletion {
  readonly show_deleted: boolean;
  readonly permanent: boolean;
}

function deletion({ show_deleted: showDeleted, permanent }: Deletion): object {
  return { showDeleted, permanent };
}

/** As JSON that is read, not saved. */
function shown(answer: Answer): Answer {
  return { ...answer, headers: jsonHeaders };
}

function created(answer: Answer): Answer {
  return { ...answer, status: 201 };
}

function configBody({ config }: Studio): object {
  return { read_only: config.readOnly, disable_sql: config.disableSql, prefix: config.prefix };
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

function healthAnswer(ready: boolean): Answer {
  return jsonAnswer(ready ? 200 : 503, { live: true, ready });
}
