/** How to cause each error that a route declares, or why it cannot be caused here. */
import { routes } from '../../src/contract/routes.ts';
import type { Route } from '../../src/contract/route.ts';
import type { RouteId } from '../../src/contract/routes.ts';
import type { ErrorCode } from '../../src/model/errors.ts';
import { form, goodRequests } from './requests.ts';
import type { TestRequest } from './server.ts';

/** The state of the studio when the request arrives. */
export type StudioState =
  | 'plain'
  /** Requires credentials. */
  | 'guarded'
  /** Requires credentials, and has rejected too many attempts to log in. */
  | 'throttled'
  | 'read-only'
  | 'without SQL'
  /** Has a table and a view that take forever to read. */
  | 'endless'
  /** The database file has been deleted. */
  | 'removed'
  /** Another connection holds an exclusive lock. */
  | 'locked';

export interface FailingRequest extends TestRequest {
  readonly on?: StudioState;
}

/** Error codes that no request on a SQLite file can cause. */
export const untestable: Readonly<Partial<Record<ErrorCode, string>>> = {
  internal: 'a defect; test/http has a studio that is broken',
  database_error:
    'a broken view or trigger; test/databases/kit/database-errors.ci.test.ts has them',
  permission_denied: 'SQLite has no roles; the tests of the servers have them',
  table_unreadable:
    'needs a table that SQLite cannot read; test/databases/kit/unreadable.test.ts has them',
  structure_changed:
    'the structure has to change while a request is answered; test/databases/kit/freshness.test.ts does it',
  unsupported: 'SQLite has every capability; capabilities.test.ts removes some',
  state_unavailable: 'needs a folder that cannot be used; test/studio/saved-items.test.ts has one',
  write_conflict: 'SQLite has one writer at a time; the tests of the servers have several',
};

type ByCode = Partial<Record<ErrorCode, FailingRequest>>;

/** The valid request with one change. */
type Change = (good: TestRequest, route: Route) => FailingRequest;

const withParams =
  (params: Readonly<Record<string, string>>): Change =>
  (good) => ({ ...good, params: { ...good.params, ...params } });
const withHeaders =
  (headers: Readonly<Record<string, string>>): Change =>
  (good) => ({ ...good, headers: { ...good.headers, ...headers } });
const on =
  (state: StudioState): Change =>
  (good) => ({ ...good, on: state });

/** The same for every route that declares the code, unless the route has an entry of its own. */
const changes: Readonly<Partial<Record<ErrorCode, Change>>> = {
  invalid_parameter: (good) => ({ ...good, query: 'nonsense=1' }),
  forbidden_host: withHeaders({ Host: 'attacker.example' }),
  forbidden_origin: withHeaders({ Origin: 'http://attacker.example' }),
  unauthorized: on('guarded'),
  too_many_requests: (good) => ({
    ...good,
    on: 'throttled',
    headers: { Authorization: basic('ada', 'wrong') },
  }),
  read_only: on('read-only'),
  too_large: (good) => ({ ...good, announcedBytes: 100_000_000 }),
  unsupported_media_type: withHeaders({ 'Content-Type': 'text/plain' }),
  invalid_body: (good) => ({ ...good, body: '{' }),
  database_unavailable: on('removed'),
  database_busy: on('locked'),
  table_not_found: withParams({ table: 'user' }),
  row_not_found: withParams({ id: '999' }),
  invalid_id: withParams({ id: 'x' }),
  relation_not_found: withParams({ relation: 'Nothing' }),
  not_found: withParams({
    transfer: 'unknown-transfer',
    query: 'unknown-query',
    file: 'unknown-file',
  }),
  row_changed: withHeaders({ 'If-Match': '"other"' }),
  outcome_unknown: withHeaders({ 'Idempotency-Key': '"unknown";age=3600' }),
};

function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

const json = (value: unknown): string => JSON.stringify(value);
const sql = (query: string): FailingRequest => ({ body: json({ query }) });
const rejecting = (code: ErrorCode) => ({ table: `rejecting_${code}`, id: '1' });
const ambiguous = { table: 'ambiguous', id: '1' };
const frozen = { table: 'frozen', id: '1' };

const rowOfView = { table: 'user_names', id: '1' };

const endlessRow = { table: 'endless', id: '1' };

/** Each reads the row that takes forever to read, or the view that takes forever to count. */
const endless: Readonly<Partial<Record<RouteId, TestRequest>>> = {
  'get-schema': { query: 'counts=exact' },
  'refresh-schema': { query: 'counts=exact' },
  'list-rows': { params: endlessRow },
  'get-row': { params: endlessRow },
  'list-related': { params: { ...endlessRow, relation: 'User' } },
  'read-cell': { params: { ...endlessRow, column: 'slow' } },
  'create-row': { params: endlessRow, body: '{}' },
  'update-row': { params: endlessRow, body: '{"user_id":2}' },
  'delete-row': { params: endlessRow },
  'bulk-delete': { params: endlessRow, body: '{"ids":[1]}' },
  'change-rows': { params: endlessRow, body: '{"delete":[1]}' },
  'upload-cell': { params: { ...endlessRow, column: 'text' }, body: 'x' },
  'run-sql': sql('SELECT slow FROM endless'),
};

const unknownTable = { table_not_found: { query: 'tables=user' } };
const longText = 'format=xlsx&tables=long_texts';

const requestsByRoute: Readonly<Partial<Record<RouteId, ByCode>>> = {
  'get-diagram': unknownTable,
  'export-schema': unknownTable,
  'export-data': { ...unknownTable, invalid_value: { query: longText } },
  'export-dump': unknownTable,
  'export-table': {
    invalid_value: { params: { table: 'long_texts' }, query: 'format=xlsx' },
    unknown_column: { params: { table: 'users' }, query: 'sort_by=nmae' },
  },
  'export-models': unknownTable,
  'import-schema': {
    parse_failed: form('a.sql', 'CREATE TABLE ('),
    import_failed: form('a.sql', "INSERT INTO tags (label) VALUES ('x');"),
    table_exists: form('a.sql', 'CREATE TABLE users (id INTEGER);'),
  },
  'import-dump': {
    parse_failed: form('a.sql', 'CREATE TABLE ('),
    import_failed: form(
      'a.sql',
      'CREATE TABLE a (b INTEGER NOT NULL); INSERT INTO a VALUES (NULL);',
    ),
    table_exists: form('a.sql', 'CREATE TABLE users (id INTEGER);'),
    table_not_found: form('a.sql', "INSERT INTO missing_table (label) VALUES ('x');"),
  },
  'import-data': {
    parse_failed: form('a.json', '{"tags":[{]}'),
    import_failed: form('a.json', '{"tags":[{"label":"taken"}]}'),
    table_not_found: form('a.json', '{"tag":[]}'),
    not_writable: { query: 'table=user_names', ...form('a.csv', 'id,name\n1,x\n') },
    foreign_key_violation: { query: 'mode=replace', ...form('a.json', '{"parents":[]}') },
    table_exists: { query: 'create_table=true', ...form('users.csv', 'id\n1\n') },
  },
  'import-models': {
    parse_failed: form('a.go', 'package a\n\ntype A struct {'),
    import_failed: form('a.go', 'package a\n\ntype A struct {\n\tID uint\n\tB []string\n}\n'),
  },
  'list-rows': { unknown_column: { params: { table: 'users' }, query: 'filter_nmae=x' } },
  'get-row': { no_row_identity: { params: rowOfView } },
  'list-related': {
    unknown_column: {
      params: { table: 'users', id: '1', relation: 'Posts' },
      query: 'sort_by=titel',
    },
    no_row_identity: { params: { ...ambiguous, relation: 'User' } },
  },
  'read-cell': {
    unknown_column: { params: { table: 'users', id: '1', column: 'boi' } },
    no_row_identity: { params: { ...ambiguous, column: 'k' } },
  },
  'create-row': {
    unknown_column: { params: { table: 'users' }, body: '{"nmae":"x"}' },
    not_writable: { params: { table: 'user_names' }, body: '{"name":"x"}' },
    unique_violation: { params: { table: 'users' }, body: '{"name":"taken"}' },
    foreign_key_violation: { params: { table: 'posts' }, body: '{"user_id":999}' },
    write_suppressed: { params: { table: 'frozen' }, body: '{"note":"x"}' },
    not_null_violation: { params: { table: 'posts' }, body: '{"title":"x"}' },
    check_violation: { params: { table: 'users' }, body: '{"name":"x","age":-1}' },
    invalid_value: { params: { table: 'users' }, body: '{"name":"x","age":true}' },
  },
  'update-row': {
    unknown_column: { params: { table: 'users', id: '1' }, body: '{"nmae":"x"}' },
    not_writable: { params: rowOfView, body: '{"name":"x"}' },
    unique_violation: { params: { table: 'users', id: '2' }, body: '{"name":"taken"}' },
    foreign_key_violation: { params: { table: 'posts', id: '1' }, body: '{"user_id":999}' },
    write_suppressed: { params: frozen, body: '{"note":"y"}' },
    not_null_violation: { params: { table: 'users', id: '1' }, body: '{"name":null}' },
    check_violation: { params: { table: 'users', id: '1' }, body: '{"age":-1}' },
    invalid_value: { params: { table: 'users', id: '1' }, body: '{"age":true}' },
    no_row_identity: { params: ambiguous, body: '{"user_id":1}' },
  },
  'delete-row': {
    not_writable: { params: rowOfView },
    unique_violation: { params: rejecting('unique_violation') },
    foreign_key_violation: { params: { table: 'users', id: '1' }, query: 'permanent=true' },
    write_suppressed: { params: frozen },
    not_null_violation: { params: rejecting('not_null_violation') },
    check_violation: { params: rejecting('check_violation') },
    invalid_value: { params: rejecting('invalid_value') },
    no_row_identity: { params: ambiguous },
  },
  'bulk-delete': {
    invalid_id: { params: { table: 'users' }, body: '{"ids":["x"]}' },
    not_writable: { params: { table: 'user_names' }, body: '{"ids":["1"]}' },
    unique_violation: { params: rejecting('unique_violation'), body: '{"ids":[1]}' },
    foreign_key_violation: {
      params: { table: 'users' },
      query: 'permanent=true',
      body: '{"ids":["1"]}',
    },
    write_suppressed: { params: frozen, body: '{"ids":[1]}' },
    not_null_violation: { params: rejecting('not_null_violation'), body: '{"ids":[1]}' },
    check_violation: { params: rejecting('check_violation'), body: '{"ids":[1]}' },
    invalid_value: { params: rejecting('invalid_value'), body: '{"ids":[1]}' },
    no_row_identity: { params: ambiguous, body: '{"ids":["1"]}' },
  },
  'change-rows': {
    invalid_id: { params: { table: 'users' }, body: '{"delete":["x"]}' },
    row_not_found: { params: { table: 'users' }, body: '{"delete":["999"]}' },
    cascades_changed: {
      params: { table: 'parents' },
      body: '{"delete":[1],"expected_cascades":[]}',
    },
    row_changed: {
      params: { table: 'users' },
      body: '{"update":[{"id":1,"if_match":"\\"x\\"","values":{"age":1}}]}',
    },
    unknown_column: { params: { table: 'users' }, body: '{"create":[{"nmae":"x"}]}' },
    not_writable: { params: { table: 'user_names' }, body: '{"create":[{"name":"x"}]}' },
    unique_violation: { params: { table: 'users' }, body: '{"create":[{"name":"taken"}]}' },
    foreign_key_violation: { params: { table: 'posts' }, body: '{"create":[{"user_id":999}]}' },
    write_suppressed: { params: { table: 'frozen' }, body: '{"delete":[1]}' },
    not_null_violation: {
      params: { table: 'users' },
      body: '{"update":[{"id":1,"values":{"name":null}}]}',
    },
    check_violation: {
      params: { table: 'users' },
      body: '{"update":[{"id":1,"values":{"age":-1}}]}',
    },
    invalid_value: {
      params: { table: 'users' },
      body: '{"update":[{"id":1,"values":{"age":true}}]}',
    },
    no_row_identity: { params: { table: 'ambiguous' }, body: '{"delete":["1"]}' },
  },
  'upload-cell': {
    invalid_body: { params: { table: 'users', id: '1', column: 'settings' }, body: 'no JSON' },
    unknown_column: { params: { table: 'users', id: '1', column: 'boi' }, body: 'x' },
    not_writable: { params: { ...rowOfView, column: 'name' }, body: 'x' },
    unique_violation: { params: { table: 'users', id: '2', column: 'name' }, body: 'taken' },
    foreign_key_violation: {
      params: { table: 'mentions', id: '1', column: 'label' },
      body: 'nowhere',
    },
    write_suppressed: { params: { ...frozen, column: 'note' }, body: 'y' },
    not_null_violation: {
      params: { ...rejecting('not_null_violation'), column: 'note' },
      body: 'y',
    },
    check_violation: { params: { table: 'users', id: '1', column: 'bio' }, body: 'x'.repeat(100) },
    invalid_value: { params: { table: 'users', id: '1', column: 'age' }, body: '1' },
    no_row_identity: { params: { ...ambiguous, column: 'k' }, body: 'x' },
  },
  'run-sql': {
    sql_disabled: { on: 'without SQL', ...sql('SELECT 1') },
    ddl_disabled: sql('DROP TABLE users'),
    statement_refused: sql('BEGIN'),
    read_only: { on: 'read-only', ...sql('DELETE FROM users') },
    unique_violation: sql("INSERT INTO users (name) VALUES ('taken')"),
    foreign_key_violation: sql('INSERT INTO posts (user_id) VALUES (999)'),
    not_null_violation: sql('INSERT INTO posts (title) VALUES (1)'),
    check_violation: sql("INSERT INTO users (name, age) VALUES ('x', -1)"),
    invalid_value: sql("INSERT INTO typed (n) VALUES ('x')"),
  },
  login: {
    unauthorized: { on: 'guarded', body: '{"user":"ada","password":"wrong"}' },
    too_many_requests: { on: 'throttled', body: '{"user":"ada","password":"wrong"}' },
  },
};

export function failingRequestOf(id: RouteId, code: ErrorCode): FailingRequest | undefined {
  const { title: _title, status: _status, ...good } = goodRequests[id][0];
  const slow = code === 'statement_timeout' ? endless[id] : undefined;
  if (slow !== undefined) return { ...slow, on: 'endless' };
  return requestsByRoute[id]?.[code] ?? changes[code]?.(good, routes[id]);
}
