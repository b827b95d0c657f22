/** Checks the options of the library, which programs without a type checker may misspell. */
import { StudioError } from '../model/errors.ts';
import { didYouMean } from '../model/nearest.ts';
import type { StudioOptions } from '../studio/studio.ts';
import type { AppOptions } from './app.ts';

type LibraryOption = keyof StudioOptions | keyof AppOptions | 'database';
type OptionType = 'text' | 'boolean' | 'number' | 'list' | 'function' | 'object';

const optionTypes: Readonly<Record<LibraryOption, OptionType>> = {
  url: 'text',
  database: 'object',
  readOnly: 'boolean',
  disableSql: 'boolean',
  allowDdl: 'boolean',
  prefix: 'text',
  create: 'boolean',
  mapFiles: 'boolean',
  statementTimeoutMs: 'number',
  readUrl: 'text',
  readYourWrites: 'boolean',
  stateDir: 'text',
  models: 'list',
  fonts: 'list',
  maxUploadBytes: 'number',
  singleUse: 'boolean',
  onRecovery: 'function',
  anyHost: 'boolean',
  allowHosts: 'list',
  allowOrigins: 'list',
  proxyHeader: 'text',
  trustedProxies: 'list',
  credentials: 'object',
  authenticate: 'function',
  secret: 'text',
  trailingSlash: 'boolean',
  compress: 'boolean',
  log: 'object',
  traceSql: 'boolean',
};

const typeNames: Readonly<Record<OptionType, string>> = {
  text: 'a string',
  boolean: 'true or false',
  number: 'a number',
  list: 'an array',
  function: 'a function',
  object: 'an object',
};

const urlForms = 'a path such as "./shop.db" or a URL such as "postgres://ada@localhost/shop"';

const liveForms = 'a pool of pg or mysql2, or an open file of better-sqlite3';

const formsOf: Readonly<Partial<Record<LibraryOption, string>>> = {
  url: urlForms,
  database: liveForms,
};

/**
 * Throws `invalid_parameter` if an option is unknown or of another type: a `readonly` that is ignored
 * would leave a database writable. Options that are undefined count as absent.
 */
export function checkLibraryOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null)
    throw invalid(`createStudio requires an object with the option "url": ${urlForms}.`);
  const optionsByName: Readonly<Record<string, unknown>> = { ...options };
  for (const [name, value] of Object.entries(optionsByName)) checkOption(name, value);
  if (optionsByName['url'] === undefined && optionsByName['database'] === undefined)
    throw invalid(
      `createStudio requires the option "url": ${urlForms}; or the option "database": ${liveForms}.`,
    );
  if (optionsByName['url'] !== undefined && optionsByName['database'] !== undefined)
    throw invalid('createStudio takes either the option "url" or the option "database", not both.');
}

function checkOption(name: string, value: unknown): void {
  if (!isOptionName(name)) {
    const suggestion = didYouMean(name, Object.keys(optionTypes));
    throw invalid(`createStudio has no option "${name}".${suggestion}`);
  }
  if (value === undefined) return;
  if (name === 'credentials') checkCredentials(value);
  if (hasType(value, optionTypes[name])) return;
  // The value may be a URL with a password, or a pool, so the message does not show it.
  const expected = formsOf[name] ?? typeNames[optionTypes[name]];
  throw invalid(`The option "${name}" of createStudio must be ${expected}.`);
}

const credentialForms =
  '{ account: { user, password } }, { token } or both, each a string that is not empty';

/** Credentials that are not understood, or whose variable is not set, would leave the studio open to everyone. */
function checkCredentials(value: unknown): void {
  const { account, token, ...others } = membersOf(value);
  const { user, password, ...othersOfAccount } = membersOf(account);
  const isAccount = account === undefined || (isFilled(user) && isFilled(password));
  const isToken = token === undefined || isFilled(token);
  const isKnown = Object.keys({ ...others, ...othersOfAccount }).length === 0;
  const hasAny = account !== undefined || token !== undefined;
  if (isAccount && isToken && isKnown && hasAny) return;
  throw invalid(`The option "credentials" of createStudio must be ${credentialForms}.`);
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function isFilled(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isOptionName(name: string): name is keyof typeof optionTypes {
  return Object.hasOwn(optionTypes, name);
}

function hasType(value: unknown, type: OptionType): boolean {
  if (type === 'list') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null;
  return typeof value === (type === 'text' ? 'string' : type);
}

function invalid(message: string): StudioError {
  return new StudioError('invalid_parameter', message);
}
