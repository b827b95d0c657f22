/** Requests for every route of the contract, on the tables `makers` and `items`. */
import type { RouteId } from '../../src/contract/routes.ts';

/** The SQL that differs between databases. */
export interface DatabaseStatements {
  /** Statements that create and fill the tables. */
  readonly tables: readonly string[];
  /** A statement that runs for many seconds. */
  readonly slow: string;
  readonly slowWrite: string;
}

export interface RequestText {
  readonly method: string;
  /** The path below the prefix of the API. */
  readonly path: string;
  readonly type?: string;
  readonly body?: Buffer;
  /** The beginning of the response if the client does not disconnect. */
  readonly response: RegExp;
}

interface RequestContent {
  readonly type?: string;
  readonly body?: Buffer;
}

const success = /^HTTP\/1\.1 20\d /;
const successOrTimeout = /^HTTP\/1\.1 (504|408|20\d) /;
/** Another client may cancel the download. */
const mayBeBroken = /^(HTTP\/1\.1 20\d |$)/;
const mayBeMissing = /^HTTP\/1\.1 (20\d|404) /;

function request(line: string, content: RequestContent = {}, response = success): RequestText {
  const [method = '', path = ''] = line.split(' ');
  return { method, path, ...content, response };
}

function json(value: unknown): RequestContent {
  return { type: 'application/json', body: Buffer.from(JSON.stringify(value)) };
}

const boundary = 'a-boundary-of-forms';

function file(name: string, content: string): RequestContent {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.from(`${head}${content}\r\n--${boundary}--\r\n`),
  };
}

const note = 'x'.repeat(300);

function lines(from: number, count: number, line: (id: number) => string): string {
  return Array.from({ length: count }, (_, index) => `${line(from + index)}\n`).join('');
}

const csv = `id,maker_id,n,note\n${lines(100_000, 3000, (id) => `${id},1,${id},${note}`)}`;
const ndjson = lines(200_000, 500, (id) =>
  JSON.stringify({ table: 'items', row: { id, maker_id: 2, n: id, note } }),
);
const tablesNamed = (name: string): string =>
  lines(1, 30, (n) => `CREATE TABLE ${name}_${n} (id INTEGER PRIMARY KEY, note VARCHAR(200));`);
const models = `package models\n\ntype Gadget struct {\n\tID uint\n\tName string\n}\n`;

const rows = '/tables/items/rows';

/** The requests of each route. A missing route is a type error. */
function requestsByRoute({
  slow,
  slowWrite,
}: DatabaseStatements): Record<RouteId, readonly RequestText[]> {
  return {
    'get-schema': [request('GET /schema'), request('GET /schema?counts=exact')],
    'refresh-schema': [request('POST /schema/refresh')],
    'list-rows': [
      request(`GET ${rows}?page_size=500`),
      request(`GET ${rows}?count=exact&search=xx&sort_by=note`),
    ],
    'get-row': [request(`GET ${rows}/1`)],
    'list-related': [
      request('GET /tables/makers/rows/1/relations/items'),
      request(`GET ${rows}/1/relations/maker`),
    ],
    'read-cell': [request(`GET ${rows}/2/cells/note`)],
    'create-row': [request(`POST ${rows}`, json({ maker_id: 1, n: 1, note }))],
    'update-row': [request(`PUT ${rows}/1`, json({ n: 5 }))],
    'delete-row': [request(`DELETE ${rows}/3`, {}, mayBeMissing)],
    'bulk-delete': [request(`POST ${rows}/bulk-delete`, json({ ids: ['4', '5', '6'] }))],
    'change-rows': [
      request(
        'POST /tables/items/changes',
        json({
          create: Array.from({ length: 50 }, () => ({ maker_id: 2, n: 2, note })),
          update: [{ id: '2', values: { n: 7 } }],
        }),
      ),
    ],
    'upload-cell': [
      request(`PUT ${rows}/2/cells/note`, {
        type: 'application/octet-stream',
        body: Buffer.from(note.repeat(100)),
      }),
    ],
    'run-sql': [
      request('POST /sql', json({ query: 'SELECT 1' })),
      request('POST /sql', json({ query: 'SELECT * FROM items', max_rows: 10_000 })),
      request('POST /sql', json({ query: 'UPDATE items SET n = n + 1' })),
      request('POST /sql', json({ query: slow }), successOrTimeout),
      request('POST /sql', json({ query: slowWrite }), successOrTimeout),
    ],
    'get-diagram': [request('GET /diagram')],
    'export-schema': ['json', 'sql', 'yaml', 'dbml', 'mermaid', 'svg', 'png', 'pdf'].map((format) =>
      request(`GET /export/schema?format=${format}`),
    ),
    'export-data': ['json', 'csv', 'sql', 'xlsx', 'ndjson', 'parquet'].map((format) =>
      request(`GET /export/data?format=${format}&transfer=export-of-${format}`, {}, mayBeBroken),
    ),
    'export-dump': [request('GET /export/dump?transfer=export-of-dump', {}, mayBeBroken)],
    'export-table': ['json', 'csv', 'sql', 'xlsx', 'ndjson', 'parquet'].map((format) =>
      request(`GET /tables/items/export?format=${format}`),
    ),
    'export-models': [request('GET /export/models')],
    'save-query': [request('PUT /saved-queries/mine', json({ statement: 'SELECT 1' }))],
    'list-saved-queries': [request('GET /saved-queries')],
    'remove-saved-query': [request('DELETE /saved-queries/other', {}, mayBeMissing)],
    'save-positions': [
      request('POST /diagram/positions', json({ positions: { items: [1, 2], other: null } })),
    ],
    'get-positions': [request('GET /diagram/positions')],
    'get-transfer': [request('GET /transfers/export-of-csv')],
    'cancel-transfer': [request('DELETE /transfers/export-of-json', {}, mayBeMissing)],
    'import-dump': [
      request('POST /import/dump?dry_run=true', file('dump.sql', tablesNamed('dumped'))),
    ],
    'import-schema': [
      request('POST /import/schema?if_exists=skip', file('tables.sql', tablesNamed('kept'))),
      request('POST /import/schema?dry_run=true', file('tables.sql', tablesNamed('tried'))),
    ],
    'import-data': [
      request('POST /import/data?table=items&on_conflict=skip', file('items.csv', csv)),
      request('POST /import/data?on_conflict=update&dry_run=true', file('items.ndjson', ndjson)),
    ],
    'get-rejected-rows': [request('GET /import/rejected/none', {}, mayBeMissing)],
    'import-models': [request('POST /import/models', file('models.go', models))],
    login: [request('POST /login', json({ user: 'ada', password: 'secret' }))],
    logout: [request('POST /logout')],
    'get-config': [request('GET /config')],
    'get-stats': [request('GET /stats')],
    'get-health': [request('GET /health')],
    'get-liveness': [request('GET /live')],
    'get-metrics': [request('GET /metrics')],
    'get-openapi': [request('GET /openapi.json'), request('GET /openapi.json?tables=true')],
  };
}

export function everyRequest(statements: DatabaseStatements): readonly RequestText[] {
  return Object.values(requestsByRoute(statements)).flat();
}
