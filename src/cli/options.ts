/** The options, as data: parsing, help, docs/options.md and the sentences of wrong usage derive from it. */
import type { CommandName } from './commands.ts';

export type OptionKind = 'boolean' | 'string' | 'integer' | 'duration' | 'size' | 'list';

export interface Option {
  readonly kind: OptionKind;
  readonly commands: readonly CommandName[];
  readonly description: string;
  /** What stands for the value in help. */
  readonly placeholder?: string;
  /** As it would be written on the command line. */
  readonly default?: string;
  /** The least and the greatest value, as they would be written. */
  readonly range?: readonly [string, string];
  readonly choices?: readonly string[];
  /** What a string must look like. */
  readonly pattern?: RegExp;
  /** The same in words that end a sentence. */
  readonly expects?: string;
  /** The value is a credential and never shown. */
  readonly secret?: true;
  /** One letter that stands for the flag. */
  readonly short?: string;
  /** False for what makes sense only on the command line. */
  readonly inEnvironment?: false;
}

const serve = ['serve'] as const;
const exports = ['export schema', 'export data', 'export table', 'export models'] as const;
const imports = ['import schema', 'import data', 'import models'] as const;
const all = ['serve', 'schema', ...exports, ...imports, 'sql'] as const;

/** By flag, without its dashes, in the order of the help text. */
const optionTable = {
  host: {
    kind: 'string',
    placeholder: 'ADDRESS',
    default: '127.0.0.1',
    pattern: /^(\[?[\da-f:.]+\]?|[\w.-]+)$/i,
    expects: 'an address or a host name',
    commands: serve,
    description: 'Address to listen on. Any but a loopback address needs credentials or --no-auth.',
  },
  port: {
    kind: 'integer',
    placeholder: 'N',
    default: '4555',
    range: ['0', '65535'],
    commands: serve,
    description: 'Port to listen on; 0 takes a free one.',
  },
  prefix: {
    kind: 'string',
    placeholder: 'PATH',
    default: '/studio',
    pattern: /^(\/|(\/(?!\.{1,2}(\/|$))[\w.~-]+)+)$/,
    expects: 'a path such as /studio, without a slash at its end',
    commands: serve,
    description: 'Path that the studio is mounted at.',
  },
  'read-only': {
    kind: 'boolean',
    commands: ['serve', 'sql'],
    description: 'Refuse everything that writes.',
  },
  'disable-sql': {
    kind: 'boolean',
    commands: serve,
    description: 'Switch the raw SQL endpoint off.',
  },
  'allow-ddl': {
    kind: 'boolean',
    commands: ['serve', 'sql'],
    description: 'Let raw SQL change the structure of the database.',
  },
  models: {
    kind: 'list',
    placeholder: 'PATH',
    expects: 'a file or a folder',
    commands: ['serve', 'schema', ...exports],
    description:
      'Go file or folder with GORM models that say more about relations than the keys do.',
  },
  font: {
    kind: 'list',
    placeholder: 'FILE',
    expects: 'a font file',
    commands: ['serve', 'export schema'],
    description:
      "Font for the diagram's PNG and PDF, for scripts that neither the bundled fonts nor the system's have.",
  },
  auth: {
    kind: 'string',
    placeholder: 'USER:PASSWORD',
    pattern: /^[^:]+:.+$/s,
    expects: 'USER:PASSWORD',
    secret: true,
    commands: serve,
    description:
      'Credentials to ask for: HTTP Basic for programs, a login page for browsers. ' +
      'Other users of the machine can see the command line: prefer the environment.',
  },
  token: {
    kind: 'string',
    placeholder: 'TOKEN',
    pattern: /^[\w.~+/=-]+$/,
    expects: 'letters, digits and -._~+/=',
    secret: true,
    commands: serve,
    description: 'Token to ask programs for, as "Authorization: Bearer TOKEN".',
  },
  'no-auth': {
    kind: 'boolean',
    commands: serve,
    description:
      'Answer everybody, on any address and under any host name: for a network that is guarded itself.',
  },
  'allow-origin': {
    kind: 'list',
    placeholder: 'ORIGIN',
    pattern: /^https?:\/\/(\[[\da-f:.]+\]|[^\s/:@?#*]+)(:\d+)?$/i,
    expects: 'an origin such as https://example.org',
    commands: serve,
    description: 'Origin whose pages may call the API.',
  },
  'allow-host': {
    kind: 'list',
    placeholder: 'HOST',
    pattern: /^(\[[\da-f:.]+\]|[^\s/:@?#*]+)(:\d+)?$/i,
    expects: 'a host name, with or without a port',
    commands: serve,
    description: 'Host name to answer to besides the loopback names.',
  },
  'proxy-header': {
    kind: 'string',
    placeholder: 'HEADER',
    pattern: /^[\w-]+$/,
    expects: 'the name of a header such as X-Forwarded-For',
    commands: serve,
    description:
      'Header in which a trusted proxy names its client: X-Forwarded-For, Forwarded, or one with a ' +
      'single address such as X-Real-IP. The proxy must set it on every request.',
  },
  'trusted-proxy': {
    kind: 'list',
    placeholder: 'ADDRESS',
    pattern: /^\[?[\da-f:.]+\]?(\/\d{1,3})?$/i,
    expects: 'an IP address or a network such as 10.0.0.0/8',
    commands: serve,
    description:
      'Address or network of a proxy whose header is believed; without this option, proxies on this machine.',
  },
  'statement-timeout': {
    kind: 'duration',
    placeholder: 'TIME',
    default: '30s',
    range: ['1ms', '24h'],
    commands: all,
    description: 'Time after which a statement is ended in the database.',
  },
  'shutdown-timeout': {
    kind: 'duration',
    placeholder: 'TIME',
    default: '10s',
    range: ['1ms', '24h'],
    commands: serve,
    description:
      'Time that running requests have to finish after SIGTERM or SIGINT; then they are ended. ' +
      'The process has ended 20 s after that, whatever the database does.',
  },
  'max-upload': {
    kind: 'size',
    placeholder: 'SIZE',
    default: '1gb',
    range: ['1kb', '1tb'],
    commands: ['serve', ...imports],
    description: 'Largest file that is taken; what it packs may be ten times as large.',
  },
  'state-dir': {
    kind: 'string',
    placeholder: 'DIR',
    expects: 'a folder',
    commands: ['serve', 'schema', ...exports, ...imports],
    description:
      'Folder for what the studio keeps, such as the demo database and the models of imports. ' +
      "By default the user's own state folder.",
  },
  out: {
    kind: 'string',
    placeholder: 'FILE',
    expects: 'a file',
    inEnvironment: false,
    commands: exports,
    description: 'File to write; without it, the output.',
  },
  param: {
    kind: 'list',
    placeholder: 'JSON',
    expects: 'a JSON value',
    inEnvironment: false,
    commands: ['sql'],
    description: "The statement's next parameter, as JSON; what is no JSON is text.",
  },
  'max-rows': {
    kind: 'integer',
    placeholder: 'N',
    default: '1000',
    range: ['1', '10000'],
    commands: ['sql'],
    description: 'Rows to show at most.',
  },
  create: {
    kind: 'boolean',
    commands: ['serve', ...imports],
    description: 'Make the SQLite file when it is not there.',
  },
  open: {
    kind: 'boolean',
    commands: serve,
    description: 'Open the studio in the browser.',
  },
  'log-level': {
    kind: 'string',
    placeholder: 'LEVEL',
    default: 'warn',
    choices: ['silent', 'error', 'warn', 'info', 'debug', 'trace'],
    commands: all,
    description: 'How much to log, as JSON lines on stderr.',
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

/** What every option is set to: durations in milliseconds, sizes in bytes. */
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

/** The environment's twin of a flag: `STUDIO_READ_ONLY` for `--read-only`. */
export function variableOf(name: OptionName): string | undefined {
  if (optionOf(name).inEnvironment === false) return undefined;
  return `STUDIO_${name.toUpperCase().replaceAll('-', '_')}`;
}

/** The environment's twin of the URL argument. */
export const urlVariable = 'DATABASE_URL';
