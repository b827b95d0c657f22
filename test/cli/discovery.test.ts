import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Sqlite from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { readConfigUrl } from '../../src/cli/discovery/config-files.ts';
import { findEnvFileUrl } from '../../src/cli/discovery/env-files.ts';
import { findDatabase } from '../../src/cli/discovery/find-database.ts';
import { maskCredentials } from '../../src/cli/mask-credentials.ts';
import { makeFolder, run, serve } from './command.ts';

/** How the command finds its database: in .env files, configuration files of other tools, and the folder. */
function makeFiles(files: Readonly<Record<string, string>>): string {
  const folder = makeFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

function makeDatabase(folder: string, name: string): void {
  const database = new Sqlite(join(folder, name));
  database.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY)');
  database.close();
}

async function stderrOf(server: Awaited<ReturnType<typeof serve>>): Promise<string> {
  server.child.kill('SIGTERM');
  return (await server.outcome()).stderr;
}

describe('.env', () => {
  test('names the database, and no other setting', async () => {
    const cwd = makeFiles({
      '.env':
        'DATABASE_URL="file:./dev.db"\nSTUDIO_READ_ONLY=1\nSTUDIO_PREFIX=/evil\nNODE_OPTIONS=--bad\n',
    });
    makeDatabase(cwd, 'dev.db');
    makeDatabase(cwd, 'other.db');
    const server = await serve([], { cwd });
    expect(await (await fetch(`${server.url}/api/config`)).json()).toEqual({
      read_only: false,
      disable_sql: false,
      prefix: '/studio',
    });
    expect(await stderrOf(server)).toBe('database-studio: DATABASE_URL is read from .env.\n');
  });

  test('is overridden by .env.local, the environment and the argument', async () => {
    const cwd = makeFiles({ '.env': 'DATABASE_URL=a.db', '.env.local': 'DATABASE_URL=b.db' });
    for (const name of ['a', 'b', 'c']) makeDatabase(cwd, `${name}.db`);
    expect(findEnvFileUrl(cwd)).toEqual({ value: 'b.db', source: '.env.local' });
    const env = { DATABASE_URL: 'c.db' };
    expect(await run(['schema'], { cwd, env })).toMatchObject({ status: 0, stderr: '' });
    expect(await run(['schema', 'c.db'], { cwd })).toMatchObject({ status: 0, stderr: '' });
  });

  test('is not read if it is a pipe, a device or huge', () => {
    const folder = makeFolder();
    execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', join(folder, '.env.local')]);
    symlinkSync('/dev/zero', join(folder, '.env'));
    expect(findEnvFileUrl(folder)).toBeUndefined();
    const huge = makeFiles({ '.env': 'DATABASE_URL=a.db\n' });
    truncateSync(join(huge, '.env'), 2 ** 30);
    expect(findEnvFileUrl(huge)).toBeUndefined();
  });

  test('with other variables inside is an error without its value', () => {
    const folder = makeFiles({ '.env': 'DATABASE_URL=postgres://u:hunter2@${HOST}/d' });
    expect(() => findEnvFileUrl(folder)).toThrow(/^DATABASE_URL in \.env contains other variables/);
    expect(() => findEnvFileUrl(folder)).toThrow(expect.not.stringContaining('hunter2') as string);
  });

  const byteOrderMark = '\uFEFF';
  const writings: readonly (readonly [string, (line: string) => string | Buffer])[] = [
    ['plain', (line) => line],
    ['export', (line) => `A=1\nexport ${line}\nB=2\n`],
    ['CRLF', (line) => `A=1\r\n${line}\r\nB=2\r\n`],
    ['a byte order mark', (line) => `${byteOrderMark}${line}\n`],
    [
      'UTF-16, as PowerShell writes',
      (line) => Buffer.from(`${byteOrderMark}${line}\r\n`, 'utf16le'),
    ],
    ['big-endian UTF-16', (line) => Buffer.from(`${byteOrderMark}${line}\n`, 'utf16le').swap16()],
    ['after another value', (line) => `DATABASE_URL=x.db\n# DATABASE_URL=y.db\n${line} # note`],
  ];
  const quotes = ['', '"', "'", '`'] as const;

  test.each(writings)('is read in any form: %s', (_, write) => {
    const values = [
      'dev.db',
      'postgres://u:p%23w@[::1]:5432/d?sslmode=require',
      'mysql://u:p$w@h/ü',
      'sqlserver://h:1433;database=d;password={a;b}',
    ];
    for (const value of values) {
      for (const quote of quotes) {
        const folder = makeFolder();
        writeFileSync(join(folder, '.env'), write(`DATABASE_URL=${quote}${value}${quote}`));
        expect(findEnvFileUrl(folder)?.value, `${quote}${value}`).toBe(value);
      }
    }
  });

  test.each([
    ['DATABASE_URL: postgres://u:hunter2@h/d'],
    ['A="\nDATABASE_URL=postgres://u:hunter2@h/d\nB="c"'],
    ['A=1\rDATABASE_URL=postgres://u:hunter2@h/d\r'],
  ])('that cannot be read is an error instead of another database: %j', (text) => {
    const folder = makeFiles({ '.env': text });
    expect(() => findEnvFileUrl(folder)).toThrow(/^DATABASE_URL in \.env cannot be read/);
  });

  test.each([
    'DATABASE_URL=',
    'DATABASE_URL=""',
    "DATABASE_URL='' # none",
    'DATABASE_URL= # none',
    '#DATABASE_URL=a',
  ])('without a value has no database: %s', (text) => {
    expect(findEnvFileUrl(makeFiles({ '.env': text }))).toBeUndefined();
  });

  test.each(['${NAME:-dev}.db', 'NAME=dev\nDATABASE_URL=$NAME.db'])(
    'with a reference in another form is an error: %s',
    (value) => {
      const folder = makeFiles({ '.env': value.includes('=') ? value : `DATABASE_URL=${value}` });
      expect(() => findEnvFileUrl(folder)).toThrow(/contains other variables/);
    },
  );

  test('of Prisma names a file beside the schema', () => {
    const folder = makeFiles({
      '.env': 'DATABASE_URL=file:./dev.db',
      'prisma/schema.prisma': '',
      'prisma/dev.db': '',
    });
    expect(findEnvFileUrl(folder)?.value).toBe('file:prisma/./dev.db');
  });
});

describe('without a URL', () => {
  test('the only SQLite file is opened, and links are not', async () => {
    const cwd = makeFolder();
    makeDatabase(cwd, 'shop.db');
    symlinkSync('shop.db', join(cwd, 'link.db'));
    writeFileSync(join(cwd, 'text.db'), 'no database');
    expect(await stderrOf(await serve([], { cwd }))).toBe(
      'database-studio: "./shop.db" is opened, the only database in this folder.\n',
    );
  });

  test('an empty folder gets the demo', async () => {
    expect(await stderrOf(await serve([]))).toContain('the demo database is served.\n');
  });

  test('several databases are offered, without passwords', async () => {
    const cwd = makeFiles({
      'prisma/schema.prisma': 'datasource db { url = "postgres://u:hunter2@h/d" }',
      'config/database.yml': 'development: { adapter: postgresql, password: hunter2 }',
    });
    makeDatabase(cwd, "it's.db");
    expect(await run([], { cwd })).toEqual({
      status: 1,
      stdout: '',
      stderr: [
        'database-studio: No database was named. These were found in this folder:',
        '  database-studio prisma/schema.prisma    # Prisma',
        '  database-studio config/database.yml    # Rails',
        `  database-studio './it'\\''s.db'`,
        '',
      ].join('\n'),
    });
  });

  test.each([
    [
      'datasource db { provider = "mysql" }',
      `{ datasource: { url: 'mysql://h/d' } }`,
      'prisma.config.ts',
    ],
    [
      'datasource db { url = "mysql://h/d" }',
      `{ schema: 'prisma/schema.prisma' }`,
      'prisma/schema.prisma',
    ],
  ])('of the files of Prisma, the one with a URL is offered: %s', (schema, config, offered) => {
    const files = { 'prisma/schema.prisma': schema, 'prisma.config.ts': config };
    expect(() => findDatabase(makeFiles(files))).toThrow(
      `found in this folder:\n  database-studio ${offered}    # Prisma`,
    );
  });

  test('a huge schema is not offered', () => {
    const folder = makeFiles({ 'schema.prisma': '' });
    truncateSync(join(folder, 'schema.prisma'), 2 ** 30);
    expect(findDatabase(folder)).toBeUndefined();
  });
});

describe('a configuration file', () => {
  const env = { DB: 'postgres://ada@h/env', PASSWORD: 'p@ss', PORT: '5544' };

  test.each([
    ['schema.prisma', '// url = "x"\ndatasource db {\n url = env("DB")\n}', 'postgres://ada@h/env'],
    ['schema.prisma', 'datasource db { url = "mysql://h/d" // y\n}', 'mysql://h/d'],
    [
      'drizzle.config.ts',
      `export default { dialect: 'postgresql', dbCredentials: { url: process.env.DB! } }`,
      'postgres://ada@h/env',
    ],
    [
      'drizzle.config.ts',
      `/* url: 'x' */ { dialect: "mysql", dbCredentials: { host: 'h', port: 3307, user: 'u', password: process.env['PASSWORD'], database: 'd' } }`,
      'mysql://u:p%40ss@h:3307/d',
    ],
    ...["env('DB')", 'env<Env>("DB")', 'process.env.DB!', "process.env['DB'] || 'file:x'"].map(
      (url) => [
        'prisma.config.ts',
        `import 'dotenv/config'\nimport { defineConfig, env } from 'prisma/config'\nexport default defineConfig({\n  schema: 'a.prisma',\n  datasource: { url: ${url}, shadowDatabaseUrl: env('NONE') },\n})`,
        'postgres://ada@h/env',
      ],
    ),
    [
      'prisma.config.mjs',
      `export default { datasource: { /* url: 'x', */ url: "mysql://h/d" } } satisfies PrismaConfig`,
      'mysql://h/d',
    ],
    [
      'ormconfig.json',
      '[{"type":"mssql","host":"h","port":1433,"username":"sa","password":"p","database":"d"}]',
      'sqlserver://sa:p@h:1433/d',
    ],
    [
      'database.yml',
      'default: &default\n  adapter: postgresql\n  pool: <%= ENV.fetch("MAX") { 5 } %>\ndevelopment:\n  <<: *default\n  database: shop\n',
      'postgres://localhost/shop',
    ],
    [
      'schema.prisma',
      `\uFEFFdatasource db {\r\n directUrl = "x"\r\n url = "mysql://u:a}b@h/d"\r\n}`,
      'mysql://u:a}b@h/d',
    ],
    [
      'drizzle.config.ts',
      "const help = `url: 'x' ${1}`; export default { dialect: 'mysql', dbCredentials: { url: process.env.NONE_SET ?? 'x', ...{} } }".replace(
        'NONE_SET',
        'DB',
      ),
      'postgres://ada@h/env',
    ],
    [
      'drizzle.config.json',
      '{"dialect":"postgresql","dbCredentials":{"url":"postgres://h/d","ssl":"verify-full"}}',
      'postgres://h/d?sslmode=verify-full',
    ],
    [
      'drizzle.config.ts',
      `{ dialect: 'postgresql', dbCredentials: { host: 'h', port: Number(process.env.PORT!), database: 'd' as const, ssl: true } }`,
      'postgres://h:5544/d?ssl=true',
    ],
    [
      'ormconfig.json',
      '[{"name":"test","type":"mysql","database":"x"},{"name":"default","type":"mysql","host":"h","database":"d","ssl":{"rejectUnauthorized":false}}]',
      'mysql://h/d?ssl=%7B%22rejectUnauthorized%22%3Afalse%7D',
    ],
    [
      'database.yml',
      'development: {adapter: postgresql, host: h, database: d, sslmode: verify-full}',
      'postgres://h/d?sslmode=verify-full',
    ],
    [
      'database.yml',
      'development: {adapter: mysql2, host: localhost, socket: /run/my.sock, database: d, ssl_mode: :required}',
      'mysql://%2Frun%2Fmy.sock/d?sslmode=required',
    ],
  ])('%s has the URL of its database: %s', (name, text, url) => {
    expect(readConfigUrl(join(makeFiles({ [name]: text }), name), env)).toBe(url);
  });

  test.each([
    ['prisma/schema.prisma', 'datasource db { url = "file:./dev.db" }', 'prisma/dev.db'],
    [
      'config/database.yml',
      'development: {adapter: sqlite3, database: storage/d.db}',
      'storage/d.db',
    ],
    ['a/prisma.config.ts', `{ datasource: { url: 'file:./dev.db' } }`, 'a/dev.db'],
    ['drizzle.config.ts', `{ dialect: 'sqlite', dbCredentials: { url: 'a.db' } }`, 'a.db'],
  ])('%s names a SQLite file', (name, text, path) => {
    const folder = makeFiles({ [name]: text });
    expect(readConfigUrl(join(folder, name), {})).toBe(pathToFileURL(join(folder, path)).href);
  });

  test.each([
    ['schema.prisma', 'datasource db { url = env("NONE") }', /variable NONE, which is not set/],
    ['schema.prisma', 'model A {}', /has no datasource with a url/],
    [
      'prisma.config.ts',
      `import { env } from './env';\nexport default { datasource: { url: env('hunter2') } }`,
      /computes its "url"/,
    ],
    [
      'prisma.config.ts',
      `import { env as e } from 'prisma/config';\nexport default { datasource: { url: env('hunter2') } }`,
      /computes its "url"/,
    ],
    ['prisma.config.ts', `{ datasource: { url: resolveUrl('hunter2') } }`, /computes its "url"/],
    [
      'prisma.config.ts',
      `import { env } from "prisma/config";\n{ datasource: { url: env("NONE") } }`,
      /variable NONE, which is not set/,
    ],
    ['prisma.config.ts', `{ schema: 'hunter2' }`, /has no datasource with a url. Before Prisma 7/],
    ['prisma.config.ts', 'import { '.repeat(20_000), /has no datasource/],
    ['prisma.config.ts', `env<${' '.repeat(100_000)}`, /has no datasource/],
    ['drizzle.config.ts', `{ url: env('hunter2') }`, /computes its "url"/],
    ['drizzle.config.ts', '{ url: `x${hunter2}` }', /computes its "url"/],
    [
      'schema.prisma',
      'datasource a { url = "a" }\ndatasource b { url = "b" }',
      /several datasources/,
    ],
    [
      'drizzle.config.ts',
      `const a = { url: 'file:x' }; const b = { url: 'file:y' }`,
      /has several/,
    ],
    ['drizzle.config.ts', `{ url: 'file:' + hunter2 }`, /computes its "url"/],
    ['drizzle.config.ts', `{ url: 'hunter2'.replace('a', 'b') }`, /computes its "url"/],
    ['drizzle.config.ts', `{ url: process.env.A ? 'hunter2' : 'b' }`, /computes its "url"/],
    ['drizzle.config.ts', `{ url: 'mysql://h/d', ssl: { ca: hunter2 } }`, /computes its "ssl"/],
    [
      'ormconfig.json',
      '[{"name":"a","type":"mysql","database":"hunter2"},{"name":"b","type":"mysql","database":"d"}]',
      /several connections/,
    ],
    ['ormconfig.json', '{"type":"mysql","database":"d","ssl":{"ca":"hunter2"}}', /settings of TLS/],
    ['drizzle.config.ts', '/*'.repeat(100_000), /has no dbCredentials/],
    [
      'database.yml',
      'development: {adapter: mysql2, password: <%= hunter2 %>}',
      /"password" with ERB/,
    ],
    ['database.yml', 'test: {}', /has no section "development"/],
    ['ormconfig.json', '{"type":"oracle","password":"hunter2"}', /names no database/],
    ['ormconfig.json', '{hunter2', /cannot be parsed/],
  ])('%s without a usable URL is an error with the reason: %s', (name, text, reason) => {
    const path = join(makeFiles({ [name]: text }), name);
    expect(() => readConfigUrl(path, {})).toThrow(reason);
    expect(() => readConfigUrl(path, {})).toThrow(expect.not.stringContaining('hunter2') as string);
  });
});

test('a variable of two values in .env.local and .env is an error, and one of one value is not', () => {
  const files = {
    'drizzle.config.ts': '{ url: process.env.URL }',
    '.env.local': 'URL=mysql://h/a',
  };
  const folder = makeFiles({ ...files, '.env': 'URL=mysql://h/b' });
  expect(() => readConfigUrl(join(folder, 'drizzle.config.ts'), {})).toThrow(
    /another one in \.env/,
  );
  expect(readConfigUrl(join(folder, 'drizzle.config.ts'), { URL: 'mysql://h/c' })).toBe(
    'mysql://h/c',
  );
  const same = makeFiles({ ...files, '.env': 'URL=mysql://h/a' });
  expect(readConfigUrl(join(same, 'drizzle.config.ts'), {})).toBe('mysql://h/a');
});

test.each([
  ['ada:hunter2@/d', 'ada:***@/d'],
  ['host=h user=u password=hunter2 dbname=d', 'host=h user=u password=*** dbname=d'],
  [`password='hunter2 \\' x' host=h`, 'password=*** host=h'],
  ['u:hunter2@x@tcp(h:1)/d', 'u:***@tcp(h:1)/d'],
  ['sqlserver://h;password={hunter2;}}x};user=u', 'sqlserver://h;password=***;user=u'],
])('the password of %s is masked', (text, masked) => {
  expect(maskCredentials(text)).toBe(masked);
});
