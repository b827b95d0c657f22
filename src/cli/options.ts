/** The table of options. Parsing, help, docs/options.md and usage errors derive from it. */
import type { CommandName } from './commands.ts';

export type OptionKind = 'boolean' | 'string' | 'integer' | 'duration' | 'size' | 'list';

export interface Option {
  readonly kind: OptionKind;
  readonly commands: readonly CommandName[];
  readonly description: string;
  /** The name of the value in the help text. */
  readonly placeholder?: string;
  /** In the syntax of the command line. */
  readonly default?: string;
  /** Minimum and maximum, in the syntax of the command line. */
  readonly range?: readonly [string, string];
  readonly choices?: readonly string[];
  /** The pattern that a string must match. */
  readonly pattern?: RegExp;
  /** The description of the pattern, which ends an error message. */
  readonly expects?: string;
  /** The value is a credential and must never be printed. */
  readonly secret?: true;
  /** The short form of the flag, one letter. */
  readonly short?: string;
  /** False for options that are only available on the command line. */
  readonly inEnvironment?: false;
}

const serve = ['serve'] as const;
const servers = ['serve', 'mcp'] as const;
const exports = [
  'export schema',
  'export data',
  'export dump',
  'export table',
  'export models',
] as const;
const imports = ['import schema', 'import data', 'import dump', 'import models'] as const;
const printing = ['schema', 'tables', 'rows', ...imports, 'sql'] as const;
const all = ['serve', 'schema', 'tables', 'rows', ...exports, ...imports, 'sql', 'mcp'] as const;

/** Keys are flags without dashes. The order is that of the help text. */
const optionTable = {
  host: {
    kind: 'string',
    placeholder: 'ADDRESS',
    default: '127.0.0.1',
    pattern: /^(\[?[\da-f:.]+\]?|[\w.-]+)$/i,
    expects: 'an address or a host name',
    commands: servers,
    description: 'Address to listen on. Any but a loopback address needs credentials or --no-auth.',
  },
  port: {
    kind: 'integer',
    placeholder: 'N',
    default: '4555',
    range: ['0', '65535'],
    commands: servers,
    description: 'Port to listen on; 0 picks a free one.',
  },
  prefix: {
    kind: 'string',
    placeholder: 'PATH',
    default: '/studio',
    pattern: /^(\/|(\/(?!\.{1,2}(\/|$))[\w.~-]+)+)$/,
    expects: 'a path such as /studio, without a slash at its end',
    commands: serve,
    description: 'Path under which the studio is served.',
  },
  'read-only': {
    kind: 'boolean',
    commands: ['serve', 'sql'],
    description: 'Reject all writes.',
  },
  'disable-sql': {
    kind: 'boolean',
    commands: serve,
    description: 'Disable the raw SQL endpoint.',
  },
  'allow-ddl': {
    kind: 'boolean',
    commands: ['serve', 'sql'],
    description: 'Allow raw SQL to change the structure of the database (DDL).',
  },
  models: {
    kind: 'list',
    placeholder: 'PATH',
    expects: 'a file or a folder',
    commands: ['serve', 'schema', 'rows', ...exports],
    description:
      'Go file or folder with GORM models that declare relations beyond the foreign keys.',
  },
  font: {
    kind: 'list',
    placeholder: 'FILE',
    expects: 'a font file',
    commands: ['serve', 'export schema'],
    description:
      "Font for the diagram's PNG and PDF, for scripts that neither the bundled nor the system fonts support.",
  },
  auth: {
    kind: 'string',
    placeholder: 'USER:PASSWORD',
    pattern: /^[^:]+:.+$/s,
    expects: 'USER:PASSWORD',
    secret: true,
    commands: servers,
    description:
      'Required credentials: HTTP Basic for programs, a login page for browsers. ' +
      'Other users of the machine can see the command line: prefer the environment.',
  },
  token: {
    kind: 'string',
    placeholder: 'TOKEN',
    pattern: /^[\w.~+/=-]+$/,
    expects: 'letters, digits and -._~+/=',
    secret: true,
    commands: servers,
    description: 'Token that programs must send, as "Authorization: Bearer TOKEN".',
  },
  secret: {
    kind: 'string',
    placeholder: 'TEXT',
    secret: true,
    commands: serve,
    description:
      'Secret that signs the sessions of --auth, at least 32 random bytes: every copy of the studio ' +
      'with this secret accepts them, also after a restart. Prefer the environment.',
  },
  'no-auth': {
    kind: 'boolean',
    commands: servers,
    description:
      'Require no credentials, on any address and host name. Only for networks that are protected themselves.',
  },
  'allow-origin': {
    kind: 'list',
    placeholder: 'ORIGIN',
    pattern: /^https?:\/\/(\[[\da-f:.]+\]|[^\s/:@?#*]+)(:\d+)?$/i,
    expects: 'an origin such as https://example.org',
    commands: servers,
    description: 'Origin whose pages may call the API (CORS).',
  },
  'allow-host': {
    kind: 'list',
    placeholder: 'HOST',
    pattern: /^(\[[\da-f:.]+\]|[^\s/:@?#*]+)(:\d+)?$/i,
    expects: 'a host name, with or without a port',
    commands: servers,
    description: 'Accepted host name, in addition to the loopback names.',
  },
  'proxy-header': {
    kind: 'string',
    placeholder: 'HEADER',
    pattern: /^[\w-]+$/,
    expects: 'the name of a header such as X-Forwarded-For',
    commands: servers,
    description:
      'Header in which a trusted proxy names its client: X-Forwarded-For, Forwarded, or one with a ' +
      'single address such as X-Real-IP. The proxy must set it on every request.',
  },
  'trusted-proxy': {
    kind: 'list',
    placeholder: 'ADDRESS',
    pattern: /^\[?[\da-f:.]+\]?(\/\d{1,3})?$/i,
    expects: 'an IP address or a network such as 10.0.0.0/8',
    commands: servers,
    description:
      'Address or network of a proxy whose header is trusted. By default, proxies on this machine.',
  },
  'statement-timeout': {
    kind: 'duration',
    placeholder: 'TIME',
    default: '30s',
    range: ['1ms', '24h'],
    commands: all,
    description: 'Time after which a statement is canceled in the database.',
  },
  'read-url': {
    kind: 'string',
    placeholder: 'URL',
    expects: 'the URL of a standby',
    secret: true,
    commands: serve,
    description:
      'URL of a standby of the PostgreSQL database, for pages of rows and their totals. After a write ' +
      'through this copy of the studio, they come from the primary until the standby has applied it. Prefer the environment.',
  },
  'read-your-writes': {
    kind: 'boolean',
    commands: serve,
    description:
      'Let reads of a cluster wait for what its other servers have committed (wsrep_sync_wait of Galera, ' +
      'group_replication_consistency of MySQL), and commits of PostgreSQL for its synchronous standbys to apply them.',
  },
  'shutdown-timeout': {
    kind: 'duration',
    placeholder: 'TIME',
    default: '10s',
    range: ['1ms', '24h'],
    commands: servers,
    description:
      'Time that running requests have to finish after SIGTERM or SIGINT; then they are canceled. ' +
      'The process exits at most 20 s after that.',
  },
  'shutdown-delay': {
    kind: 'duration',
    placeholder: 'TIME',
    default: '0s',
    range: ['0s', '1h'],
    commands: ['serve'],
    description:
      'Time after SIGTERM or SIGINT during which requests are still accepted while /health is 503, ' +
      'so that a balancer sends no more. --shutdown-timeout begins after it.',
  },
  'wait-for-database': {
    kind: 'duration',
    placeholder: 'TIME',
    range: ['1ms', '24h'],
    commands: ['serve'],
    description:
      'Time to wait for a database that cannot be reached at the start. By default, the command ends at once.',
  },
  'max-upload': {
    kind: 'size',
    placeholder: 'SIZE',
    default: '1gb',
    range: ['1kb', '1tb'],
    commands: ['serve', ...imports],
    description: 'Maximum size of an upload. Its uncompressed content may be ten times as large.',
  },
  'state-dir': {
    kind: 'string',
    placeholder: 'DIR',
    expects: 'a folder',
    commands: ['serve', 'schema', 'rows', ...exports, ...imports],
    description:
      'Folder for the data of the studio, such as the demo database, imported models and saved queries. ' +
      "By default the user's state folder.",
  },
  out: {
    kind: 'string',
    placeholder: 'FILE',
    expects: 'a file',
    inEnvironment: false,
    commands: exports,
    description:
      'File to write. Its extension determines the format, unless --format does. By default, stdout.',
  },
  rejected: {
    kind: 'string',
    placeholder: 'FILE',
    expects: 'a file',
    inEnvironment: false,
    commands: ['import data'],
    description:
      'File to write with the rows that --on-error skip leaves out, each with its line and the reason: NDJSON for JSON files, a .zip of CSV files for several sheets or files, otherwise CSV. Not for .sql files. Correct and import it: import_error is skipped.',
  },
  json: {
    kind: 'boolean',
    inEnvironment: false,
    commands: printing,
    description: 'Print JSON on a terminal too. Elsewhere the output is always JSON.',
  },
  filter: {
    kind: 'list',
    placeholder: 'COLUMN=VALUE',
    pattern: /^[^=]+=/,
    expects: 'a filter such as role=admin or age__gt=30',
    inEnvironment: false,
    commands: ['rows', 'export table'],
    description:
      'Only rows for which this holds. COLUMN__OPERATOR=VALUE has the operators of the API.',
  },
  param: {
    kind: 'list',
    placeholder: 'JSON',
    expects: 'a JSON value',
    inEnvironment: false,
    commands: ['sql'],
    description:
      "The statement's next parameter, as JSON. A value that is not valid JSON is a string.",
  },
  'max-rows': {
    kind: 'integer',
    placeholder: 'N',
    default: '1000',
    range: ['1', '10000'],
    commands: ['sql'],
    description: 'Maximum number of rows to show.',
  },
  http: {
    kind: 'boolean',
    commands: ['mcp'],
    description: 'Serve agents over HTTP, at the path /mcp, instead of stdin and stdout.',
  },
  'allow-writes': {
    kind: 'boolean',
    commands: ['mcp'],
    description: 'Let agents change rows: in two steps, a preview and its confirmation.',
  },
  mask: {
    kind: 'list',
    placeholder: 'COLUMN',
    expects: 'a column such as users.email or *password*',
    commands: ['mcp'],
    description:
      'Column whose values agents never get: TABLE.COLUMN, or COLUMN of every table; * is any text. Without raw SQL, which could return them.',
  },
  create: {
    kind: 'boolean',
    commands: ['serve', ...imports],
    description: 'Create the SQLite file if it does not exist.',
  },
  'no-mmap': {
    kind: 'boolean',
    commands: servers,
    description:
      'Read SQLite files without memory mapping. Files on network file systems are never mapped.',
  },
  open: {
    kind: 'boolean',
    commands: serve,
    description: 'Open the studio in the browser.',
  },
  'trace-sql': {
    kind: 'boolean',
    commands: serve,
    description:
      'Add the traceparent header of a request to its statements, as a comment that the logs of the ' +
      'database show (sqlcommenter). Such statements are not prepared by name.',
  },
  'log-level': {
    kind: 'string',
    placeholder: 'LEVEL',
    default: 'warn',
    choices: ['silent', 'error', 'warn', 'info', 'debug', 'trace'],
    commands: all,
    description: 'Log level. The log is JSON lines on stderr.',
  },
  help: {
    kind: 'boolean',
    short: 'h',
    inEnvironment: false,
    commands: all,
    description: 'Print this help.',
  },
  version: {
    kind: 'boolean',
    inEnvironment: false,
    commands: all,
    description: 'Print the version.',
  },
} as const satisfies Record<string, Option>;

type Table = typeof optionTable;

export type OptionName = keyof Table;

interface KindValues {
  boolean: boolean;
  string: string;
  integer: number;
  duration: number;
  size: number;
  list: readonly string[];
}

type IsAlwaysSet<O> = O extends { readonly default: string } | { readonly kind: 'boolean' | 'list' }
  ? true
  : false;

type OptionValue<O extends Option> =
  IsAlwaysSet<O> extends true ? KindValues[O['kind']] : KindValues[O['kind']] | undefined;

/** The parsed values of all options: durations in milliseconds, sizes in bytes. */
export type OptionValues = { readonly [Name in OptionName]: OptionValue<Table[Name]> };

export const optionNames = Object.keys(optionTable) as readonly OptionName[];

export function isOptionName(name: string): name is OptionName {
  return Object.hasOwn(optionTable, name);
}

export function optionOf(name: OptionName): Option {
  return optionTable[name];
}

export function optionsOf(command: CommandName): readonly OptionName[] {
  return optionNames.filter((name) => optionOf(name).commands.includes(command));
}

/** Returns the environment variable of a flag, such as `STUDIO_READ_ONLY` for `--read-only`. */
export function variableOf(name: OptionName): string | undefined {
  if (optionOf(name).inEnvironment === false) return undefined;
  return `STUDIO_${name.toUpperCase().replaceAll('-', '_')}`;
}

/** The environment variable of the URL argument. */
export const urlVariable = 'DATABASE_URL';
