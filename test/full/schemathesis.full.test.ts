/** Tests the running studio against its OpenAPI document with Schemathesis: https://schemathesis.readthedocs.io */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { beforeAll, expect, test } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { listen } from '../../src/http/node.ts';
import { createStudio } from '../../src/studio/studio.ts';
import { createSchema } from '../../src/sql/create-schema.ts';
import { makeScratchDatabase } from '../contract/database.ts';
import { databasesUnderTest } from '../databases/kit/databases-under-test.ts';
import {
  bigint,
  columnOf,
  int,
  foreignKeyTo,
  name,
  tableWithId,
  optional,
  tableOf,
} from '../databases/kit/tables.ts';
import { schemaOf } from '../sql/neutral-schema.ts';
import type { Table } from '../../src/model/schema.ts';
import type { DatabaseUnderTest } from '../databases/kit/database-under-test.ts';

const version = '4.32.5';
const minutes = 60_000;
const cache = join(
  process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
  'database-studio',
  `schemathesis-${version}`,
);
const command = join(cache, 'bin', 'schemathesis');

interface Outcome {
  readonly status: number | null;
  readonly output: string;
}

function run(program: string, args: readonly string[], cwd = cache): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, NO_COLOR: '1', COLUMNS: '120' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', (error) => resolve({ status: null, output: error.message }));
    child.on('close', (status) => resolve({ status, output }));
  });
}

/** Why Schemathesis is not available. Undefined if it is. */
async function install(): Promise<string | undefined> {
  if (existsSync(command)) return undefined;
  mkdirSync(cache, { recursive: true });
  const steps: readonly (readonly [string, readonly string[]])[] = [
    ['python3', ['-m', 'venv', cache]],
    [
      join(cache, 'bin', 'pip'),
      ['install', '--quiet', '--disable-pip-version-check', `schemathesis==${version}`],
    ],
  ];
  for (const [program, args] of steps) {
    const { status, output } = await run(program, args);
    if (status !== 0) return output.trim().split('\n').at(-1) ?? `${program} ended with ${status}`;
  }
  return undefined;
}

const fixture = new URL('../fixtures/sql-classification.json', import.meta.url);
const texts = (JSON.parse(readFileSync(fixture, 'utf8')) as { items: readonly { sql: string }[] })
  .items;

/** Existing names and values, for most of the generated requests. */
const dictionaries: Readonly<
  Record<string, readonly [parameter: string, values: readonly string[]]>
> = {
  tables: [
    'path.table',
    [
      'users',
      'posts',
      'tags',
      'memberships',
      'typed',
      'ambiguous',
      'frozen',
      'user_names',
      'profiles',
    ],
  ],
  ids: ['path.id', ['1', '2', '3', '5', 'a%2Cb,1', 'a,2', '40', 'x']],
  relations: ['path.relation', ['Posts', 'User', 'Tags', 'Profile']],
  columns: ['path.column', ['name', 'avatar', 'bio', 'settings', 'label', 'title', 'k']],
  sorts: ['query.sort_by', ['id', 'name', 'age', 'label', 'nothing']],
  queries: [
    'body.query',
    [
      'SELECT * FROM users',
      'SELECT 1 AS a, 2 AS a',
      'INSERT INTO typed (n) VALUES (1)',
      ...texts.map(({ sql }) => sql),
    ],
  ],
};

/** https://schemathesis.readthedocs.io/en/stable/reference/configuration/ */
function writeConfig(): string {
  const entries = Object.entries(dictionaries);
  const lines = [
    ...entries.flatMap(([title, [, values]]) => [
      `[dictionaries.${title}]`,
      `values = ${JSON.stringify(values)}`,
    ]),
    '[parameters]',
    ...entries.map(
      ([title, [parameter]]) => `"${parameter}" = { dictionary = "${title}", probability = 0.8 }`,
    ),
  ];
  const path = join(cache, 'schemathesis.toml');
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

let missing: string | undefined;

beforeAll(async () => {
  missing = await install();
}, 10 * minutes);

/**
 * All checks except six. `allow_header_conformance`: `rows/bulk-delete` is also the row with that
 * id, which supports more methods. `positive_data_acceptance` and `negative_data_rejection`: the
 * document does not describe which tables, columns and values exist. `missing_required_header`: no
 * route requires a header. `ignored_auth`, `object_level_authorization`: this studio has no
 * credentials; test/security/08-every-route.test.ts covers them.
 */
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'unsupported_method',
  'ensure_resource_availability',
  'use_after_free',
];

/** The database of a studio, and a function that removes it. */
interface TestedDatabase {
  readonly url: string;
  drop(): Promise<void> | void;
}

/**
 * Without the text that is too long for XLSX: the download would be truncated, which the document
 * describes but Schemathesis cannot know.
 */
function scratchFile(): TestedDatabase {
  const database = makeScratchDatabase();
  const file = new BetterSqlite3(database.path);
  file.exec('DELETE FROM long_texts');
  file.close();
  return { url: database.path, drop: () => database.drop() };
}

/** The main tables of the scratch file, in the SQL of each database. */
async function scratchServer(underTest: DatabaseUnderTest): Promise<TestedDatabase> {
  const database = await underTest.makeDatabase();
  const { statements } = createSchema(schemaOf(tables, { views }), underTest.dialect.ddl, {
    native: false,
  });
  await database.run([...statements, ...rows].join(';\n'));
  return database;
}

const tables: readonly Table[] = [
  tableWithId('users', [
    columnOf('name', name),
    optional('age', int),
    optional('score', { kind: 'decimal', precision: 10, scale: 2 }),
    optional('avatar', { kind: 'binary' }),
    optional('bio', { kind: 'text' }),
    optional('settings', { kind: 'json' }),
    optional('deleted_at', { kind: 'timestamp' }),
  ]),
  tableWithId('profiles', [columnOf('user_id', bigint)], {
    foreignKeys: [foreignKeyTo('users', ['user_id'])],
  }),
  tableWithId('posts', [columnOf('user_id', bigint), optional('title', { kind: 'text' })], {
    foreignKeys: [foreignKeyTo('users', ['user_id'])],
  }),
  tableWithId('tags', [columnOf('label', name)]),
  tableOf(
    'memberships',
    [columnOf('team', name), columnOf('user_id', bigint), optional('since', { kind: 'date' })],
    {
      primaryKey: { columns: ['team', 'user_id'] },
      foreignKeys: [foreignKeyTo('users', ['user_id'])],
    },
  ),
  tableWithId('typed', [optional('n', int)]),
];

const views: readonly Table[] = [
  tableOf('user_names', [optional('name', name)], {
    kind: 'view',
    definition: 'SELECT name FROM users',
  }),
];

const rows = [
  "INSERT INTO users (name) VALUES ('taken'), ('free'), ('third')",
  "INSERT INTO posts (user_id, title) VALUES (1, 'One'), (2, 'Two')",
  "INSERT INTO tags (label) VALUES ('taken'), ('other')",
  "INSERT INTO memberships VALUES ('a,b', 1, '2026-01-31'), ('a', 2, NULL)",
  'INSERT INTO typed (n) VALUES (1)',
];

const servers = databasesUnderTest.filter(({ name }) => name !== 'sqlite');
const databases: readonly (readonly [string, () => Promise<TestedDatabase> | TestedDatabase])[] = [
  ['sqlite', scratchFile],
  ...servers.map((underTest) => [underTest.name, () => scratchServer(underTest)] as const),
];

test.for(databases)(
  '%s: every response matches the OpenAPI document, and none is an internal error',
  { timeout: 20 * minutes },
  async ([, open], context) => {
    if (missing !== undefined) context.skip(`no Schemathesis: ${missing}`);
    const database = await open();
    const studio = await createStudio({ url: database.url, statementTimeoutMs: 5000 });
    const server = await listen({ app: createApp(studio), host: '127.0.0.1', port: 0 });
    try {
      const { status, output } = await run(command, [
        ...['--config-file', writeConfig()],
        'run',
        `${server.address}/studio/api/openapi.json`,
        ...['--checks', checks.join(',')],
        ...['--max-examples', process.env['STUDIO_TEST_EXAMPLES'] ?? '150'],
        ...['--seed', process.env['STUDIO_TEST_SEED'] ?? '1'],
        '--no-shrink',
        '--continue-on-failure',
      ]);
      expect(status, output).toBe(0);
    } finally {
      await server.close();
      await studio.close();
      await database.drop();
    }
  },
);
