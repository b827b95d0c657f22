/**
 * The test harness of the kit: runs the tests of a feature once per database, each on a database of
 * its own.
 */
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { StudioError } from '../../../src/model/errors.ts';
import { parseExactJson } from '../../../src/model/values/exact-json.ts';
import { createSchema } from '../../../src/sql/create-schema.ts';
import { createStudio } from '../../../src/studio/studio.ts';
import { schemaOf } from '../../sql/neutral-schema.ts';
import { databasesUnderTest } from './databases-under-test.ts';
import type { ErrorCode, ErrorDetails } from '../../../src/model/errors.ts';
import type { EnumType, Table } from '../../../src/model/schema.ts';
import type { OperationName } from '../../../src/studio/execution/operations.ts';
import type { ListQuery } from '../../../src/studio/rows/read/page-plan.ts';
import type { Reply } from '../../../src/studio/core/reply.ts';
import type { Studio, StudioOptions } from '../../../src/studio/studio.ts';
import type { RunnerTask, RunnerTestCase } from 'vitest';
import type { KitDatabase, Skip, DatabaseUnderTest } from './database-under-test.ts';

export type JsonRow = Readonly<Record<string, unknown>>;

export interface Page {
  readonly data: readonly JsonRow[];
  readonly total: number | null;
  readonly page: number;
  readonly page_size: number;
  readonly next_cursor?: string;
  readonly paging?: string;
  readonly etags?: readonly string[];
  readonly labels?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly relation?: JsonRow;
}

/** The values of a row, or the exact text of the body. */
export type Body = object | string;

export interface RowOptions {
  readonly showDeleted?: boolean;
  readonly permanent?: boolean;
  readonly ifMatch?: string;
}

/** An empty database with a studio on it, and calls of the studio's operations. Each test creates tables under names of its own. */
export interface Harness {
  readonly underTest: DatabaseUnderTest;
  /** Accesses the database directly, without the studio. */
  readonly database: KitDatabase;
  readonly studio: Studio;
  /** Runs before the tests of a group, unless the database is not available. */
  beforeTests(prepare: () => Promise<void>): void;
  /** A second studio on the same database. */
  openStudio(options?: Partial<StudioOptions>): Promise<Studio>;
  /** Creates tables in the SQL of the database and refreshes the schema of each studio. */
  createTables(tables: readonly Table[], views?: readonly Table[]): Promise<void>;
  /** Drops tables, for tests that create many. */
  dropTables(tables: readonly string[]): Promise<void>;
  refresh(): Promise<void>;
  /** Inserts rows directly, without the studio. */
  insertRows(table: string, rows: readonly JsonRow[]): Promise<void>;
  perform(operation: OperationName, input: object): Promise<Reply>;
  table(
    name: string,
  ): Promise<
    JsonRow & { readonly columns: readonly JsonRow[]; readonly relations: readonly JsonRow[] }
  >;
  list(table: string, query?: Partial<ListQuery>): Promise<Page>;
  related(
    table: string,
    record: readonly [id: string, relation: string],
    query?: Partial<ListQuery>,
  ): Promise<Page>;
  get(table: string, id: string, options?: RowOptions): Promise<Reply>;
  create(table: string, body: Body): Promise<Reply>;
  update(table: string, id: string, change: RowOptions & { readonly body: Body }): Promise<Reply>;
  remove(table: string, id: string, options?: RowOptions): Promise<Reply>;
  bulkDelete(table: string, body: Body, options?: RowOptions): Promise<Reply>;
  changeRows(table: string, body: Body, options?: RowOptions): Promise<Reply>;
  sql(
    query: string,
    params?: readonly unknown[],
  ): Promise<JsonRow & { readonly rows: readonly JsonRow[] }>;
}

/**
 * Runs the tests of a feature on each database. Skips a database that is not available, except in
 * CI.
 */
export function describeOnEachDatabase(feature: string, define: (harness: Harness) => void): void {
  describe.each(databasesUnderTest)(`$name: ${feature}`, (underTest) => {
    const { harness, setUp, tearDown } = createHarness(underTest);
    const skips = underTest.skip.filter((entry) => entry.feature === feature);
    let unavailableReason: string | undefined;
    beforeAll(async () => {
      unavailableReason = await setUp();
    });
    beforeEach((context) => {
      if (unavailableReason !== undefined)
        context.skip(`no ${underTest.name}: ${unavailableReason}`);
      expectSkippedTestsExist(skips, context.task);
      const skip = skips.find(({ tests }) => tests.includes(context.task.name));
      if (skip !== undefined) context.skip(`${underTest.name}: ${skip.reason}`);
    });
    afterAll(tearDown);
    define(harness);
  });
}

/** Fails if a skip list names a test that no longer exists. */
function expectSkippedTestsExist(skips: readonly Skip[], { file }: RunnerTestCase): void {
  const names = new Set(file.tasks.flatMap(testNames));
  const lost = skips.flatMap(({ tests }) => tests.filter((name) => !names.has(name)));
  if (lost.length > 0) throw new Error(`Tests to be skipped do not exist: ${lost.join('; ')}`);
}

function testNames(task: RunnerTask): readonly string[] {
  return task.type === 'suite' ? task.tasks.flatMap(testNames) : [task.name];
}

export const listDefaults: ListQuery = {
  page: 1,
  pageSize: 50,
  sort: [],
  showDeleted: false,
  filters: [],
  count: 'auto',
  etags: false,
  labels: false,
  cells: 'full',
};

interface OpenDatabase {
  readonly database: KitDatabase;
  readonly studios: Studio[];
}

interface HarnessLifecycle {
  readonly harness: Harness;
  /** Returns the reason if the database is not available. */
  setUp(): Promise<string | undefined>;
  tearDown(): Promise<void>;
}

function createHarness(underTest: DatabaseUnderTest): HarnessLifecycle {
  let opened: OpenDatabase | undefined;
  const current = (): OpenDatabase => {
    if (opened === undefined) throw new Error('The harness is not set up yet.');
    return opened;
  };
  const openStudio: Harness['openStudio'] = async (options = {}) => {
    const studio = await createStudio({ url: current().database.url, ...options });
    current().studios.push(studio);
    return studio;
  };
  return {
    harness: {
      underTest,
      beforeTests: (prepare) =>
        beforeAll(async () => (opened === undefined ? undefined : prepare())),
      get database() {
        return current().database;
      },
      get studio() {
        return current().studios[0]!;
      },
      openStudio,
      ...structureTools(underTest, current),
      ...studioTools((operation, input) => current().studios[0]!.perform(operation, input)),
    },
    setUp: async () => {
      const database = await makeDatabaseOrReason(underTest);
      if (typeof database === 'string') return database;
      opened = { database, studios: [] };
      await openStudio();
      return undefined;
    },
    tearDown: async () => {
      for (const studio of opened?.studios ?? []) await studio.close();
      await opened?.database.drop();
    },
  };
}

/** The tables as DDL of the database. */
export function createTablesSql(
  { dialect }: DatabaseUnderTest,
  tables: readonly Table[],
  views: readonly Table[] = [],
): string {
  const schema = schemaOf(tables, { views, enums: enumsOf(tables) });
  return createSchema(schema, dialect.ddl, { native: false }).statements.join(';\n');
}

/** The rows as one INSERT statement. */
export function insertSql(
  { dialect, binaryLiteral }: DatabaseUnderTest,
  table: string,
  rows: readonly JsonRow[],
): string {
  const literal = (value: unknown): string => {
    if (typeof value === 'string') return dialect.ddl.quoteText(value);
    if (value instanceof Uint8Array) return binaryLiteral(Buffer.from(value).toString('hex'));
    return value === null ? 'NULL' : String(value);
  };
  const names = Object.keys(rows[0] ?? {});
  const tuples = rows.map(
    (row) => `(${names.map((name) => literal(row[name] ?? null)).join(', ')})`,
  );
  const target = dialect.ddl.tableName({ name: table, localName: table });
  return `INSERT INTO ${target} (${names.map(dialect.quoteName).join(', ')}) VALUES ${tuples.join(', ')}`;
}

function structureTools(
  underTest: DatabaseUnderTest,
  current: () => OpenDatabase,
): Pick<Harness, 'createTables' | 'dropTables' | 'insertRows' | 'refresh'> {
  const refresh = async (): Promise<void> => {
    for (const studio of current().studios) await studio.perform('refresh-schema', {});
  };
  return {
    refresh,
    createTables: async (tables, views) => {
      await current().database.run(createTablesSql(underTest, tables, views));
      await refresh();
    },
    dropTables: async (tables) => {
      const { tableName } = underTest.dialect.ddl;
      const names = tables.map((name) => tableName({ name, localName: name }));
      await current().database.run(names.map((name) => `DROP TABLE ${name}`).join(';\n'));
      await refresh();
    },
    insertRows: (table, rows) => current().database.run(insertSql(underTest, table, rows)),
  };
}

/** The named enum types, each once. */
function enumsOf(tables: readonly Table[]): readonly EnumType[] {
  const types = tables.flatMap(({ columns }) => columns.map(({ type }) => type));
  const namedEnums = types.flatMap((type) =>
    type.kind === 'enum' && type.name !== undefined
      ? [{ name: type.name, values: type.values }]
      : [],
  );
  return [...new Map(namedEnums.map((type) => [type.name, type])).values()];
}

/** Returns the reason instead of a database if there is none; fails in CI. */
export async function makeDatabaseOrReason(
  underTest: DatabaseUnderTest,
): Promise<KitDatabase | string> {
  try {
    return await underTest.makeDatabase();
  } catch (error) {
    if (process.env['CI']) throw error;
    return error instanceof Error ? error.message : String(error);
  }
}

type StudioTools = Omit<
  Harness,
  | 'underTest'
  | 'database'
  | 'studio'
  | 'openStudio'
  | 'beforeTests'
  | 'createTables'
  | 'dropTables'
  | 'insertRows'
  | 'refresh'
>;

function studioTools(perform: Harness['perform']): StudioTools {
  const flags = ({ showDeleted = false, permanent = false, ifMatch }: RowOptions = {}): object => ({
    showDeleted,
    permanent,
    ifMatch,
  });
  return {
    perform,
    table: async (name) => {
      const schema = readBody(await perform('get-schema', {})) as {
        readonly tables: readonly JsonRow[];
        readonly views: readonly JsonRow[];
      };
      const found = [...schema.tables, ...schema.views].find((table) => table['name'] === name);
      if (found === undefined) throw new Error(`The schema has no table ${name}.`);
      return found as Awaited<ReturnType<Harness['table']>>;
    },
    list: async (table, query) =>
      readBody(await perform('list-rows', { table, query: { ...listDefaults, ...query } })) as Page,
    related: async (table, [id, relation], query) =>
      readBody(
        await perform('list-related', {
          table,
          id,
          relation,
          query: { ...listDefaults, ...query },
        }),
      ) as Page,
    get: (table, id, options) => perform('get-row', { table, id, ...flags(options) }),
    create: (table, body) => perform('create-row', { table, body: jsonTextOf(body) }),
    update: (table, id, { body, ...options }) =>
      perform('update-row', { table, id, ...flags(options), body: jsonTextOf(body) }),
    remove: (table, id, options) => perform('delete-row', { table, id, ...flags(options) }),
    bulkDelete: (table, body, options) =>
      perform('bulk-delete', { table, body: jsonTextOf(body), ...flags(options) }),
    changeRows: (table, body, options) =>
      perform('change-rows', { table, body: jsonTextOf(body), ...flags(options) }),
    sql: async (query, params = []) =>
      readBody(await perform('run-sql', { body: JSON.stringify({ query, params }) })) as Awaited<
        ReturnType<Harness['sql']>
      >,
  };
}

function jsonTextOf(body: Body): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

export function bodyText({ body }: Reply): string {
  return typeof body === 'string' ? body : Buffer.from(body).toString();
}

export function readBody(reply: Reply): unknown {
  return JSON.parse(bodyText(reply));
}

/** The `data` of a response to a write, or the row itself. */
export function rowOf(reply: Reply): JsonRow {
  const body = readBody(reply) as JsonRow;
  return (body['data'] ?? body) as JsonRow;
}

/** The members of a row as their JSON text, with every digit. */
export function jsonTextsOf(reply: Reply): Readonly<Record<string, string>> {
  const text = bodyText(reply);
  const parsedBody = parseExactJson(text);
  const data =
    parsedBody.kind === 'object'
      ? parsedBody.members.find(({ name }) => name === 'data')?.value
      : undefined;
  const row = data ?? parsedBody;
  if (row.kind !== 'object') throw new Error('The response is not a row.');
  return Object.fromEntries(
    row.members.map(({ name, value }) => [name, text.slice(value.start, value.end)]),
  );
}

export interface FailureDetails extends ErrorDetails {
  readonly code: ErrorCode;
  readonly message: string;
}

/** The error of work that must fail with a StudioError. */
export async function failureOf(work: Promise<unknown>): Promise<FailureDetails> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    return { ...error.details, code: error.code, message: error.message };
  }
  throw new Error('The operation succeeded; this test expects an error.');
}

export function idsOf(page: Page, column = 'id'): readonly unknown[] {
  return page.data.map((row) => row[column]);
}
