/**
 * The OpenAPI documents of the demo in the tools of their users. Linters find no error. Generated clients compile,
 * and read and write the demo. The message of a skipped test says which tool could not be installed, and why.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve } from '../cli/command.ts';
import { installJava, installNpm, installPython, run, versions } from './openapi-tools.ts';
import type { TestContext } from 'vitest';

const minutes = 60_000;
const fixtures = join(import.meta.dirname, '..', 'fixtures', 'openapi-clients');
const typescriptFolder = join(import.meta.dirname, '..', '..', 'node_modules');

type Json = Readonly<Record<string, unknown>>;

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'studio-openapi-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Waits for the installation of a tool. Skips the test if it fails. */
async function installed<T>(context: TestContext, name: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    return context.skip(`no ${name}: ${(error as Error).message.split('\n').at(-1)}`);
  }
}

const documents = {
  'plain-3.0': 'version=3.0',
  'plain-3.1': 'version=3.1',
  'tables-3.0': 'version=3.0&tables=true',
  'tables-3.1': 'version=3.1&tables=true',
} as const;

/** Serves a separate demo, and writes its documents to files. */
async function serveDemo(name: string) {
  const cwd = join(folder, name);
  mkdirSync(cwd);
  const { url } = await serve(['--state-dir', join(cwd, 'state')]);
  const api = `${url}/api`;
  for (const [file, query] of Object.entries(documents)) {
    const response = await fetch(`${api}/openapi.json?${query}`);
    expect(response.status).toBe(200);
    writeFileSync(join(cwd, `${file}.json`), await response.text());
  }
  const get = async (path: string): Promise<unknown> => (await fetch(`${api}${path}`)).json();
  return { api, cwd, get };
}

const files = Object.keys(documents).map((name) => `${name}.json`);

describe('the documents have no error for', () => {
  test('Redocly', { timeout: 10 * minutes }, async (context) => {
    const { cwd } = await serveDemo('redocly');
    await installed(context, 'Redocly', installNpm(cwd, [`@redocly/cli@${versions.redocly}`]));
    const flags = ['--extends=recommended', '--format=json'];
    for (const file of files) {
      const output = await run('node_modules/.bin/redocly', ['lint', ...flags, file], { cwd });
      const { totals, problems } = JSON.parse(output) as {
        readonly totals: object;
        readonly problems: readonly { readonly ruleId: string }[];
      };
      expect(totals).toMatchObject({ errors: 0 });
      // `rows/bulk-delete` is also the path of a row with that id.
      const rules = problems.map(({ ruleId }) => ruleId);
      expect(rules.filter((rule) => rule !== 'no-ambiguous-paths')).toEqual([]);
    }
  });

  test('Spectral', { timeout: 10 * minutes }, async (context) => {
    const { cwd } = await serveDemo('spectral');
    const spec = `@stoplight/spectral-cli@${versions.spectral}`;
    await installed(context, 'Spectral', installNpm(cwd, [spec]));
    writeFileSync(join(cwd, 'ruleset.yaml'), 'extends: ["spectral:oas"]\n');
    const flags = ['--ruleset', 'ruleset.yaml', '--format', 'json', '--quiet'];
    const output = await run('node_modules/.bin/spectral', ['lint', ...flags, ...files], { cwd });
    const results = JSON.parse(output) as readonly { readonly code: string }[];
    expect(new Set(results.map(({ code }) => code))).toEqual(new Set(['info-contact']));
  });
});

/** Optional members of types in Go are either missing or NULL. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

test(
  'oapi-codegen: clients in Go read and write the demo',
  { timeout: 15 * minutes },
  async (context) => {
    const { api, cwd, get } = await serveDemo('go');
    const project = join(cwd, 'client');
    cpSync(join(fixtures, 'go'), project, { recursive: true });
    const tool = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v${versions.oapiCodegen}`;
    await installed(
      context,
      'oapi-codegen',
      run('go', ['run', tool, '-version'], { cwd: project }),
    );
    for (const [name, file] of [
      ['api', 'plain-3.0.json'],
      ['tables', 'tables-3.0.json'],
    ] as const) {
      mkdirSync(join(project, name));
      const flags = ['-generate', 'types,client', '-package', name, '-o', `${name}/client.go`];
      await run('go', ['run', tool, ...flags, join('..', file)], { cwd: project });
    }
    const runtime = `github.com/oapi-codegen/runtime@v${versions.oapiCodegenRuntime}`;
    await installed(context, 'runtime', run('go', ['get', runtime], { cwd: project }));
    await run('go', ['mod', 'tidy'], { cwd: project });

    const schema = await get('/schema');
    const output = JSON.parse(await run('go', ['run', '.', api], { cwd: project })) as Json;
    expect(output['schema']).toEqual(schema);
    await expectReads(output, get);
    await expectWrites(output, get);
  },
);

type Get = (path: string) => Promise<unknown>;

/** Three pages of books, which the programs read too. */
async function pagesOfBooks(get: Get): Promise<readonly unknown[]> {
  const query =
    'page_size=7&count=exact&etags=true&sort_by=language&sort_by=id&sort_order=asc&sort_order=desc' +
    '&filter_page_count__gte=300&filter_title=%25a%25';
  const pages: unknown[] = [];
  for (let cursor = ''; pages.length < 3;) {
    const page = (await get(`/tables/books/rows?${query}${cursor}`)) as { next_cursor: string };
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
    pages.push(page);
  }
  return pages;
}

async function expectReads(output: Json, get: Get): Promise<void> {
  expect(output['pages']).toEqual(await pagesOfBooks(get));
  expect(output['related']).toEqual(await get('/tables/users/rows/1/relations/Posts'));
  const csv = 'name,id\nreview,1\ninterview,2\ntranslation,3\nnews,4\nessay,5\n';
  expect(output['csv']).toBe(csv);
  expect(output['sql']).toMatchObject({ type: 'read', rows: [{ n: 90, best: 4.85 }] });

  const books = (await get(
    '/tables/books/rows?page_size=5&sort_by=rating&filter_rating__gt=0.1',
  )) as {
    readonly data: readonly Json[];
  };
  expect(output['books']).toEqual({ ...books, data: books.data.map(withoutNulls) });
  for (const [list, column] of [
    ['ratings', 'rating'],
    ['titles', 'title'],
    ['ids', 'id'],
  ] as const)
    expect(output[list]).toEqual(books.data.map((row) => row[column]));
}

async function expectWrites(output: Json, get: Get): Promise<void> {
  const row = { id: 901, name: 'made in Go', color: '#00add8' };
  expect(output['created']).toMatchObject({ status: 201, body: { message: 'created', data: row } });
  const changed = { ...row, name: 'changed in Go' };
  expect(output['updated']).toMatchObject({ status: 200, body: { data: changed } });
  expect(await get('/tables/tags/rows/901')).toEqual(changed);
  expect(output['deleted']).toEqual({
    status: 200,
    body: { message: 'deleted', rows_affected: 1 },
  });
  const typed = { id: 904, name: 'typed in Go', color: '#00add8' };
  expect(output['typed']).toEqual({ status: 201, body: { message: 'created', data: typed } });
  expect(await get('/tables/tags/rows/904')).toEqual(typed);

  for (const [name, status, code] of [
    ['unknown', 404, 'table_not_found'],
    ['stale', 412, 'row_changed'],
    ['invalid', 400, 'unknown_column'],
    ['duplicate', 409, 'unique_violation'],
    ['gone', 404, 'row_not_found'],
  ] as const)
    expect(output[name], name).toMatchObject({ status, body: { code } });
  for (const [name, path] of [
    ['unknown', '/tables/book/rows'],
    ['gone', '/tables/tags/rows/903'],
  ] as const)
    expect(withoutNulls((output[name] as Json)['body'])).toEqual(await get(path));
}

test(
  'openapi-typescript: calls with the generated types compile in strict mode',
  { timeout: 10 * minutes },
  async (context) => {
    const { api, cwd, get } = await serveDemo('typescript');
    const packages = [
      `openapi-typescript@${versions.openapiTypescript}`,
      `openapi-fetch@${versions.openapiFetch}`,
    ];
    await installed(context, 'openapi-typescript', installNpm(cwd, packages));
    cpSync(join(fixtures, 'typescript'), cwd, { recursive: true });
    const generator = join('node_modules', '.bin', 'openapi-typescript');
    await run(generator, ['plain-3.1.json', '-o', 'api.ts'], { cwd });
    await run(generator, ['tables-3.1.json', '-o', 'tables.ts'], { cwd });
    const types = ['--typeRoots', join(typescriptFolder, '@types')];
    await run(join(typescriptFolder, '.bin', 'tsc'), ['-p', '.', ...types], { cwd });

    const output = JSON.parse(await run(process.execPath, ['use.ts', api], { cwd })) as Json;
    const query =
      'page_size=3&sort_by=id&sort_order=desc&count=exact&filter_role=author&filter_id__lt=150';
    const page = await get(`/tables/users/rows?${query}`);
    expect(output).toMatchObject({ page, total: (page as Json)['total'], code: 'table_not_found' });
    expect(output['name']).toBe('typed in TypeScript');
    expect(await get('/tables/tags/rows/911')).toMatchObject({ name: 'typed in TypeScript' });
  },
);

test(
  'openapi-python-client: every module loads, and calls work',
  { timeout: 10 * minutes },
  async (context) => {
    const { api, cwd, get } = await serveDemo('python');
    const requirement = `openapi-python-client==${versions.openapiPythonClient}`;
    const programs = await installed(
      context,
      'openapi-python-client',
      installPython(cwd, requirement),
    );
    cpSync(join(fixtures, 'python'), cwd, { recursive: true });
    for (const [name, file] of [
      ['generic', 'plain-3.1.json'],
      ['tables', 'tables-3.1.json'],
    ] as const) {
      const flags = ['--path', file, '--output-path', name, '--meta', 'none'];
      await run(join(programs, 'openapi-python-client'), ['generate', ...flags], { cwd });
    }
    const output = JSON.parse(
      await run(join(programs, 'python'), ['use.py', api], { cwd }),
    ) as Json;
    const pages: unknown[] = [];
    for (let cursor = ''; pages.length < 3;) {
      const query = `page_size=4&sort_by=family_name&filter_role=author${cursor}`;
      const page = (await get(`/tables/users/rows?${query}`)) as { next_cursor: string };
      cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
      pages.push(page);
    }
    expect(output['pages']).toEqual(pages);
    const created = (await get('/tables/tags/rows/921')) as Json;
    expect(created).toMatchObject({ name: 'made in Python' });
    expect(output['created']).toEqual([201, { message: 'created', data: created }]);
    expect(output['missing']).toEqual([404, 'table_not_found']);
    expect(output['tags']).toMatchObject({ data: [{ id: 1 }, { id: 2 }, { id: 3 }], page_size: 3 });
  },
);

test(
  'openapi-generator: clients in Java read and write the demo',
  { timeout: 15 * minutes },
  async (context) => {
    const { api, cwd, get } = await serveDemo('java');
    const archive = await installed(
      context,
      'openapi-generator',
      installJava(cwd, 'org.openapitools', 'openapi-generator-cli'),
    );
    /** Generates a client, compiles it with a program that uses it, and returns what the program prints. */
    const use = async (document: string, program: string): Promise<Json> => {
      const flags = ['-g', 'java', '--library', 'native', '-i', `${document}.json`, '-o', document];
      await run('java', ['-jar', archive, 'generate', ...flags], { cwd });
      const project = join(cwd, document);
      const file = join(project, 'src', 'main', 'java', 'use', `${program}.java`);
      cpSync(join(fixtures, 'java', `${program}.java`), file);
      const goals = ['compile', 'dependency:build-classpath', '-Dmdep.outputFile=classpath'];
      await run('mvn', ['--batch-mode', '--quiet', '-DskipTests', ...goals], { cwd: project });
      const packages = readFileSync(join(project, 'classpath'), 'utf8').trim();
      const classpath = [join('target', 'classes'), packages].join(delimiter);
      const flagsOfProgram = ['-classpath', classpath, `use.${program}`, api];
      return JSON.parse(await run('java', flagsOfProgram, { cwd: project })) as Json;
    };
    const item = await get('/tables/order_items/rows/9007199254778289,2');
    const cheap = await get(
      '/tables/order_items/rows?page_size=20&etags=true&filter_unit_price__lt=10',
    );
    // Models in Java have empty maps instead of members that are absent.
    expect(await use('tables-3.1', 'UseTables')).toMatchObject({ page: cheap, row: item });

    const output = await use('plain-3.1', 'Use');
    expect(output['pages']).toMatchObject(await pagesOfBooks(get));
    expect(output['read']).toEqual(item);
    const changed = (await get('/tables/order_items/rows/9007199254778289,2')) as Json;
    expect(changed).toMatchObject({ order_id: '9007199254778289', unit_price: 30.01 });
    expect(output['updated']).toEqual({ message: 'updated', rows_affected: 1, data: changed });
    expect(output['created']).toMatchObject({ message: 'created', data: { id: 931 } });
    expect(output['deleted']).toEqual({ message: 'deleted', rows_affected: 1 });
    for (const [name, status, code] of [
      ['stale', 412, 'row_changed'],
      ['duplicate', 409, 'unique_violation'],
      ['gone', 404, 'row_not_found'],
    ] as const) {
      const [returned, body] = output[name] as readonly [number, string];
      expect([returned, JSON.parse(body)], name).toMatchObject([status, { code }]);
    }
  },
);
