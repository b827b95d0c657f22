/** The capabilities that each request needs, and the expected response if the database lacks them. */
import { expect } from 'vitest';
import { routes } from '../../src/contract/routes.ts';
import type { Route } from '../../src/contract/route.ts';
import type { RouteId } from '../../src/contract/routes.ts';
import type { StudioCapability } from '../../src/model/capabilities.ts';
import type { GoodRequest } from './requests.ts';
import type { TestResponse } from './server.ts';

const writes: readonly StudioCapability[] = ['write'];

const needed: Readonly<Partial<Record<RouteId, readonly StudioCapability[]>>> = {
  'create-row': writes,
  'update-row': writes,
  'delete-row': writes,
  'bulk-delete': writes,
  'change-rows': writes,
  'upload-cell': writes,
  'save-query': writes,
  'remove-saved-query': writes,
  'save-positions': writes,
  'import-data': ['write', 'load'],
  'get-rejected-rows': ['write', 'load'],
  'import-schema': ['write', 'ddl'],
  'export-dump': ['ddl', 'script'],
  'import-dump': ['write', 'load', 'ddl', 'script'],
  'import-models': ['write', 'ddl', 'gorm'],
  'export-models': ['ddl', 'gorm'],
  'run-sql': ['sql'],
};

/** The capability that SQL as a format needs. */
const neededForSql: Readonly<Partial<Record<RouteId, StudioCapability>>> = {
  'export-schema': 'ddl',
  'export-data': 'script',
  'export-table': 'script',
};

const codes: Readonly<Partial<Record<StudioCapability, string>>> = {
  write: 'read_only',
  sql: 'sql_disabled',
};

/** Undefined if the database can do what the request asks for. */
export function missingFor(
  id: RouteId,
  { query = '', body = '' }: GoodRequest,
  has: (capability: StudioCapability) => boolean,
): { readonly code: string; readonly capability?: StudioCapability } | undefined {
  const ofFormat = query.includes('format=sql') ? (neededForSql[id] ?? []) : [];
  const capability = [...(needed[id] ?? []), ofFormat].flat().find((name) => !has(name));
  if (capability !== undefined) return { code: codes[capability] ?? 'unsupported', capability };
  // A studio whose database takes no writes is read-only, also for raw SQL.
  const isWrite = id === 'run-sql' && String(body).includes('UPDATE');
  return isWrite && !has('write') ? { code: 'read_only' } : undefined;
}

/** Expects the response of a database with all capabilities, or the error of the missing one. */
export function expectOutcome(
  id: RouteId,
  request: GoodRequest,
  {
    response,
    missing,
  }: { readonly response: TestResponse; readonly missing: ReturnType<typeof missingFor> },
): void {
  const route: Route = routes[id];
  const { status, text } = response;
  if (missing === undefined) {
    expect({ status, text: status < 400 ? '' : text }).toEqual({
      status: request.status ?? 200,
      text: '',
    });
    const body = route.responses[status]?.json;
    if (body !== undefined) expect(body.schema.parse(JSON.parse(text))).toEqual(JSON.parse(text));
    return;
  }
  const error = JSON.parse(text) as Record<string, unknown>;
  expect({ status, ...error }).toMatchObject({ status: 403, ...missing });
  expect(error['error']).toMatch(/^The studio (?:cannot|is read-only).*\.$/);
}
