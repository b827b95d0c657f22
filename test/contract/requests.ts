/** One or more valid requests for every route. */
import type { RouteId } from '../../src/contract/routes.ts';
import type { TestRequest } from './server.ts';

export interface GoodRequest extends TestRequest {
  readonly title: string;
  /** The expected status; 200 by default. */
  readonly status?: number;
}

const users = { table: 'users' };
const user = (id: string) => ({ table: 'users', id });

const boundary = 'the-boundary';

/** A form with one file. */
export function form(fileName: string, text: string): Pick<GoodRequest, 'headers' | 'body'> {
  const head = `Content-Disposition: form-data; name="file"; filename="${fileName}"`;
  return {
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    body: `--${boundary}\r\n${head}\r\n\r\n${text}\r\n--${boundary}--\r\n`,
  };
}

/** The requests are independent: each write has a row of its own. */
export const goodRequests: Readonly<Record<RouteId, readonly [GoodRequest, ...GoodRequest[]]>> = {
  'get-schema': [
    { title: 'with the default counts' },
    { title: 'with exact counts', query: 'counts=exact' },
  ],
  'refresh-schema': [{ title: 'after reading the structure again' }],
  'list-rows': [
    { title: 'of a table', params: users },
    { title: 'of a view', params: { table: 'user_names' } },
    {
      title: 'with every parameter',
      params: users,
      query:
        'page=1&page_size=5&sort_by=age&sort_order=desc&sort_by=name&search=user&show_deleted=1&count=exact&etags=true&labels=true&cells=preview&filter_id__gt=3&filter_name=user%25&any=filter_id__gt%3D3%26filter_name%3Duser%2525',
    },
    { title: 'uncounted', params: users, query: 'count=none' },
    { title: 'estimated', params: users, query: 'count=estimated' },
    { title: 'with labels', params: { table: 'posts' }, query: 'labels=true&etags=1' },
  ],
  'get-row': [
    { title: 'by its key', params: user('1') },
    { title: 'by a composite key', params: { table: 'memberships', id: 'a%2Cb,1' } },
    { title: 'deleted', params: user('40'), query: 'show_deleted=true' },
  ],
  'list-related': [
    { title: 'has_many', params: { ...user('1'), relation: 'Posts' } },
    { title: 'has_one', params: { ...user('1'), relation: 'Profile' } },
    { title: 'belongs_to', params: { table: 'posts', id: '1', relation: 'User' } },
    {
      title: 'many_to_many',
      params: { table: 'posts', id: '1', relation: 'Tags' },
      query: 'page_size=1&sort_by=label',
    },
  ],
  'read-cell': [
    { title: 'text', params: { ...user('1'), column: 'bio' } },
    { title: 'binary', params: { ...user('1'), column: 'avatar' } },
    { title: 'JSON', params: { ...user('1'), column: 'settings' } },
    { title: 'NULL', params: { ...user('2'), column: 'bio' }, status: 204 },
  ],
  'create-row': [
    {
      title: 'with values',
      params: users,
      body: '{"name":"new","score":10.50,"avatar":{"$base64":"AP8="}}',
      status: 201,
    },
    { title: 'of defaults', params: { table: 'typed' }, body: '{}', status: 201 },
    {
      title: 'with a composite key',
      params: { table: 'memberships' },
      body: '{"team":"x/y","user_id":3}',
      status: 201,
    },
  ],
  'update-row': [
    { title: 'changes columns', params: user('11'), body: '{"age":5}' },
    {
      title: 'restores',
      params: user('40'),
      query: 'show_deleted=true',
      body: '{"deleted_at":null}',
    },
    {
      title: 'whatever its version',
      params: user('12'),
      headers: { 'If-Match': '*' },
      body: '{"age":5}',
    },
  ],
  'delete-row': [
    { title: 'by its soft-delete column', params: user('13') },
    { title: 'permanently', params: user('14'), query: 'permanent=true' },
  ],
  'bulk-delete': [
    { title: 'of several rows', params: users, body: '{"ids":["15",16,"999"]}' },
    { title: 'permanently', params: users, query: 'permanent=1', body: '{"ids":["17"]}' },
  ],
  'change-rows': [
    {
      title: 'with inserts, updates and deletions',
      params: users,
      body: '{"create":[{"name":"c"}],"update":[{"id":"18","values":{"age":1}}],"delete":["19"]}',
    },
    {
      title: 'with the cascades of a preview',
      params: users,
      body: '{"create":[{"name":"d"}],"expected_cascades":[]}',
    },
    {
      title: 'as a preview',
      params: users,
      query: 'dry_run=true&permanent=true',
      body: '{"create":[{"name":"c"}],"update":[{"id":"20","values":{"age":1}}],"delete":["1"]}',
    },
  ],
  'upload-cell': [
    { title: 'text', params: { ...user('20'), column: 'bio' }, body: 'hello' },
    { title: 'binary', params: { ...user('20'), column: 'avatar' }, body: Buffer.from([0, 255]) },
  ],
  'run-sql': [
    {
      title: 'reads',
      body: '{"query":"SELECT id, name, score FROM users WHERE id = ?","params":[1],"max_rows":5}',
    },
    { title: 'writes', body: '{"query":"UPDATE users SET age = 1 WHERE id = 21"}' },
  ],
  'get-diagram': [
    { title: 'of all tables' },
    { title: 'of some tables', query: 'columns=keys&tables=users' },
  ],
  'export-schema': ['json', 'sql', 'yaml', 'dbml', 'mermaid', 'svg', 'png', 'pdf'].map(
    (format) => ({
      title: `as ${format}`,
      query: `format=${format}&tables=users,posts`,
    }),
  ) as unknown as [GoodRequest],
  'export-data': ['json', 'csv', 'sql', 'xlsx', 'ndjson', 'parquet'].map((format) => ({
    title: `as ${format}`,
    query: `format=${format}&tables=users,posts&transfer=contract-test`,
  })) as unknown as [GoodRequest],
  'export-dump': [{ title: 'of two tables', query: 'tables=users,posts&transfer=dump-test' }],
  'export-table': [
    { title: 'as JSON', params: users },
    { title: 'of a view, as CSV', params: { table: 'user_names' }, query: 'format=csv' },
    {
      title: 'with columns, order and filters',
      params: users,
      query:
        'format=sql&columns=name,id&delimiter=tab&bom=1&null_text=NULL&date_form=DD.MM.YYYY&decimal=comma&sort_by=name&sort_order=desc&search=user&show_deleted=1&filter_id__gt=3&any=filter_id__gt%3D3',
    },
  ],
  'save-query': [
    {
      title: 'with a name of any characters',
      params: { query: 'a%2Fb%20~' },
      body: '{"statement":"SELECT 1"}',
    },
  ],
  'list-saved-queries': [{ title: 'with the one above' }],
  'remove-saved-query': [{ title: 'the one above', params: { query: 'a%2Fb%20~' } }],
  'save-positions': [
    {
      title: 'of some tables',
      query: 'columns=keys',
      body: '{"positions":{"users":[1.5,-2],"posts":null}}',
    },
  ],
  'get-positions': [{ title: 'with those above', query: 'columns=keys' }],
  'get-transfer': [{ title: 'of the exports above', params: { transfer: 'contract-test' } }],
  'cancel-transfer': [{ title: 'of the exports above', params: { transfer: 'contract-test' } }],
  'export-models': [
    { title: 'of all tables' },
    { title: 'with every parameter', query: 'package=shop&nulls=sql&json=true&tables=users' },
  ],
  'import-dump': [
    {
      title: 'a table and its rows',
      ...form('d.sql', 'CREATE TABLE imported_d (id INTEGER); INSERT INTO imported_d VALUES (1);'),
    },
    {
      title: 'as a dry run',
      query: 'dry_run=true',
      ...form('e.sql', 'CREATE TABLE imported_e (id INTEGER); INSERT INTO imported_e VALUES (1);'),
    },
  ],
  'import-schema': [
    { title: 'SQL', ...form('a.sql', 'CREATE TABLE imported_a (id INTEGER PRIMARY KEY);') },
    {
      title: 'SQL as a dry run',
      query: 'dry_run=true',
      ...form('b.sql', 'CREATE TABLE imported_b (id int);'),
    },
    {
      title: 'JSON',
      ...form(
        'c.json',
        '{"tables":[{"name":"imported_c","columns":[{"name":"id","type":"INTEGER"}]}]}',
      ),
    },
  ],
  'import-data': [
    { title: 'JSON', ...form('a.json', '{"tags":[{"label":"imported a"}]}') },
    { title: 'CSV', query: 'table=tags', ...form('b.csv', 'label\nimported b\n') },
    {
      title: 'with every parameter',
      query:
        'table=tags&on_conflict=update&conflict_columns=label&on_error=skip&mode=append&dry_run=1&delimiter=%3B&encoding=utf-8&formulas=raw&keep_rejected=true',
      ...form('c.csv', 'id;label\n77;taken\nx;other\n'),
    },
  ],
  'get-rejected-rows': [{ title: 'of the import above' }],
  'import-models': [
    { title: 'a struct', ...form('a.go', 'package a\n\ntype Imported struct {\n\tID uint\n}\n') },
  ],
  login: [
    {
      title: 'without required credentials',
      body: '{"user":"a","password":"b"}',
      status: 204,
    },
  ],
  logout: [{ title: 'without a session', status: 204 }],
  'get-config': [{ title: 'without parameters' }],
  'get-stats': [{ title: 'without parameters' }],
  'get-health': [{ title: 'of a working studio' }],
  'get-liveness': [{ title: 'of the process' }],
  'get-metrics': [{ title: 'since the start' }],
  'get-openapi': [{ title: 'with the tables', query: 'tables=true' }, { title: 'without them' }],
};
