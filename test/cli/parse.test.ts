import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readValue } from '../../src/cli/read-value.ts';
import { commandNames, commandOf, commandSyntax, commandTable } from '../../src/cli/commands.ts';
import { ExitError } from '../../src/cli/exit-error.ts';
import { optionNames, optionOf, optionsOf, variableOf } from '../../src/cli/options.ts';
import type { OptionName } from '../../src/cli/options.ts';
import { misspelledVariables, parseCommandLine } from '../../src/cli/parse.ts';
import type { Environment } from '../../src/cli/parse.ts';

/** The parser of the command line and its environment variables. */
function parse(args: string, env: Environment = {}) {
  const line = parseCommandLine(args.split(' ').filter(Boolean), env);
  if (line.kind !== 'run') throw new Error(`not run but ${line.kind}`);
  return line;
}

function errorOf(args: string | readonly string[], env: Environment = {}): string {
  try {
    parseCommandLine(typeof args === 'string' ? args.split(' ').filter(Boolean) : args, env);
  } catch (error) {
    if (error instanceof ExitError && error.status === 2) return error.message;
    throw error;
  }
  throw new Error(`${String(args)} was not rejected`);
}

/** A valid value of each option, as text and as parsed. */
const samples: Record<Exclude<OptionName, 'help' | 'version'>, readonly [string, unknown]> = {
  host: ['localhost', 'localhost'],
  port: ['0', 0],
  prefix: ['/admin/db', '/admin/db'],
  'read-only': ['true', true],
  'disable-sql': ['1', true],
  'allow-ddl': ['true', true],
  models: ['./models', ['./models']],
  font: ['./a.ttf', ['./a.ttf']],
  auth: ['ada:pass:word', 'ada:pass:word'],
  token: ['s3cr-et_=', 's3cr-et_='],
  secret: ['x'.repeat(32), 'x'.repeat(32)],
  'no-auth': ['TRUE', true],
  'allow-origin': ['https://example.org:8443', ['https://example.org:8443']],
  'allow-host': ['studio.internal', ['studio.internal']],
  'proxy-header': ['X-Forwarded-For', 'X-Forwarded-For'],
  'trusted-proxy': ['10.0.0.0/8', ['10.0.0.0/8']],
  'statement-timeout': ['500ms', 500],
  'read-url': ['postgres://ada@standby/shop', 'postgres://ada@standby/shop'],
  'read-your-writes': ['true', true],
  'shutdown-timeout': ['3s', 3000],
  'shutdown-delay': ['5s', 5000],
  'wait-for-database': ['1m', 60_000],
  'max-upload': ['10kb', 10_240],
  'state-dir': ['/srv/state', '/srv/state'],
  out: ['dump.sql', 'dump.sql'],
  rejected: ['rejected.csv', 'rejected.csv'],
  json: ['true', true],
  filter: ['role=admin', ['role=admin']],
  param: ['[1]', ['[1]']],
  'max-rows': ['10', 10],
  http: ['true', true],
  'allow-writes': ['true', true],
  mask: ['users.email', ['users.email']],
  create: ['true', true],
  'no-mmap': ['true', true],
  open: ['true', true],
  'trace-sql': ['true', true],
  'log-level': ['debug', 'debug'],
};
const sampleNames = Object.keys(samples) as (keyof typeof samples)[];

describe('options', () => {
  test('every option has a sample value in this test', () => {
    expect([...sampleNames, 'help', 'version']).toEqual(optionNames);
  });

  test.each(sampleNames)(
    '--%s is accepted as two arguments, as one, and from its variable',
    (name) => {
      const [text, value] = samples[name];
      const command = optionOf(name).commands[0] ?? 'serve';
      const operand = commandOf(command).operand === undefined ? '' : ' x';
      const line = (flags: string, env: Environment = {}) =>
        parse(`${command} a.db${operand} ${flags}`, env).values[name];
      expect(line(`--${name}=${text}`)).toEqual(value);
      const isSwitch = optionOf(name).kind === 'boolean';
      expect(line(isSwitch ? `--${name}` : `--${name} ${text}`)).toEqual(value);
      const variable = variableOf(name);
      if (variable === undefined) return;
      expect(variable).toMatch(/^STUDIO_[A-Z_]+$/);
      expect(line('', { [variable]: text })).toEqual(value);
    },
  );

  test('every sample has the type of its option', () => {
    for (const name of sampleNames) {
      const [text, value] = samples[name];
      expect([readValue(optionOf(name), text, name)].flat()).toEqual([value].flat());
    }
  });

  test('have the defaults of the documentation', () => {
    expect(parse('').values).toEqual({
      host: '127.0.0.1',
      port: 4555,
      prefix: '/studio',
      'read-only': false,
      'disable-sql': false,
      'allow-ddl': false,
      font: [],
      models: [],
      auth: undefined,
      token: undefined,
      'no-auth': false,
      'allow-origin': [],
      'allow-host': [],
      'proxy-header': undefined,
      'trusted-proxy': [],
      'statement-timeout': 30_000,
      'read-your-writes': false,
      'shutdown-timeout': 10_000,
      'shutdown-delay': 0,
      'max-upload': 2 ** 30,
      'state-dir': undefined,
      out: undefined,
      param: [],
      'max-rows': 1000,
      json: false,
      filter: [],
      http: false,
      'allow-writes': false,
      mask: [],
      create: false,
      'no-mmap': false,
      open: false,
      'trace-sql': false,
      'log-level': 'warn',
      help: false,
      version: false,
    });
  });

  test('on the command line have precedence over the environment, also lists', () => {
    const env = { STUDIO_READ_ONLY: '1', STUDIO_PORT: '1', STUDIO_ALLOW_HOST: 'a, b,,c' };
    const { values } = parse('--read-only=false --port 2 --allow-host d', env);
    expect([values['read-only'], values.port, values['allow-host']]).toEqual([false, 2, ['d']]);
    expect(parse('', env).values['allow-host']).toEqual(['a', 'b', 'c']);
  });

  test('given twice use the last value, and lists accumulate', () => {
    const { values } = parse('--port 1 --port 2 --allow-host a --allow-host b');
    expect([values.port, values['allow-host']]).toEqual([2, ['a', 'b']]);
  });

  test('ignore an empty variable', () => {
    const env = Object.fromEntries(sampleNames.map((name) => [variableOf(name) ?? '', '']));
    expect(parse('', { ...env, DATABASE_URL: '' })).toEqual(parse(''));
  });

  test('of other commands are not read from the environment', () => {
    expect(parse('schema a.db', { STUDIO_PORT: 'nonsense' }).values.port).toBe(4555);
  });
});

describe('a wrong value is rejected, and the error', () => {
  test('names its flag and the expected values', () => {
    const sentence = '--port takes a whole number from 0 to 65535, not "-1".';
    expect(errorOf('--port -1')).toBe(sentence);
  });

  test('names its variable if it comes from the environment', () => {
    const env = { STUDIO_PORT: 'x' };
    expect(errorOf('', env)).toBe('STUDIO_PORT takes a whole number from 0 to 65535, not "x".');
  });

  test('does not show it if it is a credential', () => {
    expect(errorOf('--allow-host postgres://ada:hunter2@db')).not.toContain('hunter2');
  });

  test('says so if it is missing', () => {
    expect(errorOf('--port')).toBe('--port requires a value: a whole number from 0 to 65535.');
    expect(errorOf('--host --port 1')).toBe('--host requires a value: an address or a host name.');
    expect(errorOf('--state-dir=')).toMatch(/^--state-dir requires a value/);
  });
});

describe('unknown flags', () => {
  test.each([
    ['--prot 1', 'There is no option "--prot". Did you mean "--port"?'],
    ['--readonly', 'There is no option "--readonly". Did you mean "--read-only"?'],
    ['-port 1', 'There is no option "-port". Did you mean "--port"?'],
    ['--xylophone-quartet', 'There is no option "--xylophone-quartet".'],
    ['--tokn=hunter2', 'There is no option "--tokn". Did you mean "--token"?'],
    ['--hasOwnProperty', 'There is no option "--hasOwnProperty".'],
  ])('%s is an error that suggests a similar one', (args, sentence) =>
    expect(errorOf(args)).toBe(sentence),
  );

  test('a flag of another command is named as such', () => {
    expect(errorOf('schema a.db --port 1')).toBe(
      'schema takes no --port; it is an option of: serve, mcp.',
    );
  });
});

describe('commands and the URL', () => {
  test('serve is the default, with or without a URL', () => {
    expect(parse('')).toMatchObject({ command: 'serve', url: undefined });
    expect(parse('./some.db')).toMatchObject({ command: 'serve', url: './some.db' });
    expect(parse('serve postgres://h/d')).toMatchObject({
      command: 'serve',
      url: 'postgres://h/d',
    });
    expect(parse('--log-level debug schema a.db')).toMatchObject({
      command: 'schema',
      url: 'a.db',
    });
    expect(parse('-- --odd.db').url).toBe('--odd.db');
  });

  test('DATABASE_URL is used if the argument is missing', () => {
    const env = { DATABASE_URL: 'b.db' };
    expect([parse('', env).url, parse('a.db', env).url, parse('schema', env).url]).toEqual([
      'b.db',
      'a.db',
      'b.db',
    ]);
  });

  test('a missing URL is rejected if it is required', () => {
    for (const command of commandNames.filter((name) => commandTable[name].url === 'required')) {
      expect(errorOf(command)).toBe(
        `${commandSyntax(command)}: the URL is missing, and DATABASE_URL is not set.`,
      );
    }
  });

  test('a second URL is rejected, without its password', () => {
    const sentence = errorOf('a.db postgres://ada:hunter2@db/x');
    expect(sentence).toBe(
      '"postgres://ada:***@db/x" is one argument too many: serve takes one URL.',
    );
  });

  test('a word that is neither a command nor a file is an error that suggests both', () => {
    expect(errorOf('shcema')).toBe(
      `"shcema" is neither a command (${commandNames.join(', ')}) nor a file that exists. Did you mean "schema"?` +
        ' To create a SQLite file of that name, add --create.',
    );
    expect(parse('shcema --create')).toMatchObject({ command: 'serve', url: 'shcema' });
    expect(parse('serve shcema').url).toBe('shcema');
  });

  test('a command of two words accepts arguments after its URL', () => {
    expect(parse('import models a.db x.go y.go')).toMatchObject({
      command: 'import models',
      url: 'a.db',
      operands: ['x.go', 'y.go'],
    });
    expect(parse('import data x.csv', { DATABASE_URL: 'b.db' })).toMatchObject({
      url: 'b.db',
      operands: ['x.csv'],
    });
    expect(errorOf('import data a.db')).toBe('import data URL FILE: the FILE is missing.');
    expect(errorOf('import data a.db x.csv y.csv')).toBe(
      '"y.csv" is one argument too many: import data takes one URL and one FILE.',
    );
    expect(errorOf('export')).toBe(
      '"export" is the beginning of a command: export schema, export data, export dump, export table, export models.',
    );
  });

  test("a command's flags are the parameters of its route", () => {
    const line = parse(
      'import data a.db x.csv --on-conflict update --conflict-columns a,b%2Cc --dry-run',
    );
    expect(line.parameters).toMatchObject({
      on_conflict: 'update',
      conflict_columns: ['a', 'b,c'],
      dry_run: true,
      mode: 'append',
    });
    expect(parse('export table a.db t --sort-by x --sort-by y').parameters).toMatchObject({
      sort_by: ['x', 'y'],
      format: 'json',
    });
    expect(errorOf('export data a.db --format xml')).toBe(
      '--format takes json, csv, sql, xlsx, ndjson or parquet, not "xml".',
    );
    expect(errorOf('schema a.db --dry-run')).toBe(
      'schema takes no --dry-run; it is an option of: import schema, import dump, import data, import models.',
    );
    expect(errorOf('export data a.db --format csv --format json')).toBe(
      '--format is given more than once.',
    );
  });

  test('the extension of an output file names a format that the command writes', () => {
    expect(parse('export data a.db --out x.JSONL').parameters).toMatchObject({ format: 'ndjson' });
    expect(parse('export data a.db --out x').parameters).toMatchObject({ format: 'json' });
    expect(parse('export data a.db --out x.foo --format csv').parameters).toMatchObject({
      format: 'csv',
    });
    expect(errorOf('export data a.db --out x.foo')).toBe(
      'export data writes no file with the extension ".foo": use one of .csv, .json, .jsonl, .ndjson, .parquet, .sql, .xlsx, .zip, or name the format with --format.',
    );
    expect(errorOf('export schema a.db --out x.xlsx')).toContain('.dbml');
    expect(errorOf('export table a.db t --out x.dbml')).toContain('.csv');
    expect(parse('export dump a.db --out x.txt').command).toBe('export dump');
  });

  test('a word that is a file is served', () => {
    const dir = mkdtempSync(join(tmpdir(), 'studio-parse-'));
    const before = process.cwd();
    onTestFinished(() => {
      process.chdir(before);
      rmSync(dir, { recursive: true });
    });
    process.chdir(dir);
    writeFileSync('data', '');
    expect(parse('data').url).toBe('data');
  });

  test('--help and --version have precedence over any error', () => {
    expect(parseCommandLine(['--help', '--port', 'x', 'a', 'b'], { STUDIO_HOST: '' })).toEqual({
      kind: 'help',
      command: undefined,
    });
    expect(parseCommandLine(['schema', '-h'], {})).toEqual({ kind: 'help', command: 'schema' });
    expect(parseCommandLine(['--version', 'nosuch'], { STUDIO_PORT: 'x' })).toEqual({
      kind: 'version',
    });
  });

  test('each command accepts the general options', () => {
    for (const command of commandNames) {
      expect(optionsOf(command)).toEqual(expect.arrayContaining(['help', 'version', 'log-level']));
    }
  });
});

describe('misspelled variables', () => {
  test('are reported, unlike correct and unrelated ones', () => {
    const env = {
      STUDIO_READONLY: '1',
      STUDIO_PORT: '1',
      STUDIO_TEST_SEED: '1',
      STUDIOS: 'x',
      HOME: '/',
    };
    expect(misspelledVariables(env)).toEqual([
      'STUDIO_READONLY is not a setting. Did you mean STUDIO_READ_ONLY?',
    ]);
  });
});
