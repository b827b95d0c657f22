/** Database URLs in the configuration files of other tools. The files are read as text and never run. */
import { basename, dirname, join, resolve } from 'node:path';
import { parse } from 'yaml';

import { failed } from '../exit-error.ts';
import type { Environment } from '../parse.ts';
import { findToolVariable } from './env-files.ts';
import { codeOf, findSetting, withEnvCalls, withoutComments } from './object-settings.ts';
import { sqliteUrl, tlsParameter, urlOfSettings } from './settings-url.ts';
import { readSmallFile } from './small-file.ts';
import type { Code } from './object-settings.ts';

interface ConfigText {
  readonly text: string;
  readonly path: string;
  readonly env: Environment;
}

interface ConfigFormat {
  readonly tool: string;
  /** Matches the name of the file, without its folder. */
  readonly name: RegExp;
  /** Where the tool expects it, below the working folder. */
  readonly paths: readonly string[];
  /** Throws an ExitError with the reason if the file has no URL that can be read. */
  readUrl(config: ConfigText): string;
  /** For a tool with several files, of which one has the URL. */
  namesUrl?(text: string): boolean;
}

const scriptExtensions = ['ts', 'js', 'mts', 'mjs', 'cts', 'cjs'];

const formats: readonly ConfigFormat[] = [
  {
    tool: 'Prisma',
    name: /^schema\.prisma$/,
    paths: ['prisma/schema.prisma', 'schema.prisma'],
    readUrl: readPrisma,
    namesUrl: namesPrismaUrl,
  },
  {
    tool: 'Prisma',
    name: /^prisma\.config\.[cm]?[jt]s$/,
    paths: scriptExtensions.map((extension) => `prisma.config.${extension}`),
    readUrl: readPrismaConfig,
    namesUrl: (text) => findSetting(codeOf(text), 'url') !== undefined,
  },
  {
    tool: 'Drizzle',
    name: /^drizzle\.config\.(?:[cm]?[jt]s|json)$/,
    paths: [...scriptExtensions, 'json'].map((extension) => `drizzle.config.${extension}`),
    readUrl: readDrizzle,
  },
  { tool: 'TypeORM', name: /^ormconfig\.json$/, paths: ['ormconfig.json'], readUrl: readTypeorm },
  {
    tool: 'Rails',
    name: /^database\.yml$/,
    paths: ['config/database.yml'],
    readUrl: readRails,
  },
];

/**
 * The tool and path of each configuration file in its usual position below a folder. If the files of a tool
 * are several, those with a URL.
 */
export function findConfigFiles(folder: string): readonly { tool: string; path: string }[] {
  const found = formats.flatMap(({ tool, paths, namesUrl = () => true }) =>
    paths.flatMap((path) => {
      const text = readSmallFile(join(folder, path));
      return text === undefined ? [] : [{ tool, path, hasUrl: namesUrl(text) }];
    }),
  );
  const withUrl = new Set(found.flatMap(({ tool, hasUrl }) => (hasUrl ? [tool] : [])));
  return found
    .filter(({ tool, hasUrl }) => hasUrl || !withUrl.has(tool))
    .map(({ tool, path }) => ({ tool, path }));
}

/** Returns the URL in a configuration file, or undefined if the argument does not name one that exists. */
export function readConfigUrl(argument: string, env: Environment): string | undefined {
  const format = formats.find(({ name }) => name.test(basename(argument)));
  const text = format && readSmallFile(argument);
  return text === undefined ? undefined : format?.readUrl({ text, path: argument, env });
}

function unreadable({ path }: ConfigText, reason: string): Error {
  return failed(`${path} ${reason} Pass the URL of the database instead.`);
}

/** Braces within strings do not end the datasource. */
const datasource = /\bdatasource\s+\w+\s*\{((?:[^"}]|"(?:[^"\\\n]|\\.)*")*)\}/g;

const prismaUrl = /\burl\s*=\s*(?:("(?:[^"\\\n]|\\.)*")|env\(\s*"(\w+)"\s*\))/;

function namesPrismaUrl(text: string): boolean {
  const blocks = withoutComments(text).matchAll(datasource);
  return [...blocks].some(([, block = '']) => prismaUrl.test(block));
}

function readPrisma(config: ConfigText): string {
  const blocks = [...withoutComments(config.text).matchAll(datasource)];
  if (blocks.length > 1) throw unreadable(config, 'has several datasources.');
  const [, literal, variable] = prismaUrl.exec(blocks[0]?.[1] ?? '') ?? [];
  const url =
    variable !== undefined
      ? valueOfVariable(config, variable)
      : literal && parseText(config, () => JSON.parse(literal) as string);
  if (url === undefined)
    throw unreadable(
      config,
      'has no datasource with a url. Since Prisma 7, prisma.config.ts has it.',
    );
  return /^file:/i.test(url) ? sqliteUrl(url, resolve(dirname(config.path))) : url;
}

/** Prisma 7 resolves the path of a SQLite file from the folder of this file. */
function readPrismaConfig(config: ConfigText): string {
  const code = withEnvCalls(codeOf(config.text), ['prisma/config', '@prisma/config']);
  const url = readSetting(config, code, 'url');
  if (url === undefined)
    throw unreadable(
      config,
      'has no datasource with a url. Before Prisma 7, schema.prisma has it.',
    );
  return /^file:/i.test(url) ? sqliteUrl(url, resolve(dirname(config.path))) : url;
}

function readDrizzle(config: ConfigText): string {
  const code = codeOf(config.text);
  const setting = (name: string): string | undefined => readSetting(config, code, name);
  const url = setting('url');
  const folder = resolve(dirname(config.path));
  const type = setting('dialect') ?? '';
  const ssl = setting('ssl');
  if (url !== undefined && /sqlite/.test(type)) return sqliteUrl(url, folder);
  if (url !== undefined) return withTls(config, url, ssl);
  const found = urlOfSettings(
    { type, ...Object.fromEntries(settingNames.map((name) => [name, setting(name)])) },
    folder,
  );
  if (found === undefined || setting('database') === undefined)
    throw unreadable(config, 'has no dbCredentials that can be read without running it.');
  return withTls(config, found, ssl);
}

const settingNames = ['host', 'port', 'user', 'password', 'database'] as const;

/** Reads `name: 'text'`, `name: 5432` and `name: process.env.NAME`. */
function readSetting(config: ConfigText, code: Code, name: string): string | undefined {
  const setting = findSetting(code, name);
  if (setting === undefined) return undefined;
  if (setting.kind === 'computed')
    throw unreadable(
      config,
      `computes its "${name}" or has several, and the studio does not run it.`,
    );
  return setting.kind === 'text' ? setting.value : valueOfVariable(config, setting.name);
}

/** Adds what a file demands of TLS, so that the connection is no less secure than that of the tool. */
function withTls(config: ConfigText, url: string, ssl: unknown): string {
  const parameter = tlsParameter(url, ssl);
  if (parameter === undefined)
    throw unreadable(config, 'has settings of TLS ("ssl") that the studio does not read.');
  if (parameter === '' || /[?&]ssl/i.test(url)) return url;
  return `${url}${url.includes('?') ? '&' : '?'}${parameter}`;
}

/** The environment wins over the .env files beside the working folder and beside the configuration file. */
function valueOfVariable(config: ConfigText, variable: string): string {
  const value =
    config.env[variable] ||
    findToolVariable('.', variable) ||
    findToolVariable(dirname(config.path), variable);
  if (value) return value;
  throw unreadable(config, `takes its URL from the variable ${variable}, which is not set.`);
}

type Members = Readonly<Record<string, unknown>>;

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readTypeorm(config: ConfigText): string {
  const parsed = parseText(config, () => JSON.parse(config.text) as unknown);
  const all: readonly unknown[] = [parsed].flat();
  const named = all.filter(
    (each) => isMembers(each) && (each['name'] === undefined || each['name'] === 'default'),
  );
  const [first] = all.length === 1 ? all : named;
  if (all.length > 1 && named.length !== 1)
    throw unreadable(config, 'has several connections, and not one that is the default.');
  return urlOfMembers(config, isMembers(first) ? first : {}, resolve(dirname(config.path)));
}

/** Relative paths of SQLite files start at the folder above `config`. */
function readRails(config: ConfigText): string {
  const document = parseText(
    config,
    () => parse(config.text, { merge: true, maxAliasCount: 100, logLevel: 'silent' }) as unknown,
  );
  const environment = config.env['RAILS_ENV'] || 'development';
  const section = isMembers(document) ? document[environment] : undefined;
  if (!isMembers(section)) throw unreadable(config, `has no section "${environment}".`);
  const primary = isMembers(section['primary']) ? section['primary'] : section;
  return urlOfMembers(config, primary, resolve(dirname(config.path), '..'));
}

function parseText<T>(config: ConfigText, read: () => T): T {
  try {
    return read();
  } catch {
    throw unreadable(config, 'cannot be parsed.');
  }
}

function urlOfMembers(config: ConfigText, members: Members, folder: string): string {
  const value = (...names: string[]): string | undefined => {
    const name = names.find((candidate) => (typeof members[candidate]) in { string: 1, number: 1 });
    const text = name === undefined ? undefined : String(members[name]);
    if (text?.includes('<%'))
      throw unreadable(config, `computes its "${name}" with ERB, which the studio does not run.`);
    return text;
  };
  const ssl = members['ssl'] ?? value('sslmode', 'ssl_mode');
  const urlValue = value('url');
  if (urlValue !== undefined) return withTls(config, urlValue, ssl);
  const [host, socket] = [value('host'), value('socket')];
  const settings = {
    type: value('type', 'adapter') ?? '',
    // As for the clients of MySQL, `localhost` is the socket, if there is one.
    host: host === undefined || host === 'localhost' ? (socket ?? host) : host,
    port: value('port'),
    user: value('username', 'user'),
    password: value('password'),
    database: value('database'),
  };
  const url = urlOfSettings(settings, folder);
  if (url === undefined || settings.database === undefined)
    throw unreadable(config, 'names no database that the studio supports.');
  return withTls(config, url, ssl);
}
