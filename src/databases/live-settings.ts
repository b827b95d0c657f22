/** Reads the settings of pools and handles that the program has opened with a driver of its own. */
import { StudioError } from '../model/errors.ts';

export type SettingsObject = Readonly<Record<string, unknown>>;

export function isSettingsObject(value: unknown): value is SettingsObject {
  return typeof value === 'object' && value !== null;
}

/** A setting that connections of other processes cannot have. Never shows its value. */
export function cannotTake(setting: string): StudioError {
  return new StudioError(
    'invalid_parameter',
    `The option "database" of createStudio has ${setting}, which connections of other processes cannot use. Pass the option "url" instead.`,
  );
}

/** How a pool uses TLS, with certificates and key as PEM. */
export interface LiveTls {
  readonly verifiesCertificate: boolean;
  readonly verifiesHost: boolean;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly passphrase?: string;
}

/** Members that say nothing about the certificates and keys. */
const flags = ['rejectUnauthorized', 'verifyIdentity', 'requestCert'];

/**
 * `ssl` of the drivers: true, or the options of `tls.connect`. Undefined without TLS. Rejects options that
 * a URL cannot express, such as functions: a connection that ignores them could be less safe.
 */
export function readTls(ssl: unknown, host: unknown): LiveTls | undefined {
  if (ssl === undefined || ssl === null || ssl === false) return undefined;
  if (ssl === true) return { verifiesCertificate: true, verifiesHost: true };
  if (!isSettingsObject(ssl))
    throw cannotTake('a TLS setting "ssl" that is neither true nor an object');
  const texts: Record<string, string> = {};
  // The drivers hide the key from enumeration.
  for (const name of Object.getOwnPropertyNames(ssl)) {
    const value = ssl[name];
    if (value === undefined || value === null || flags.includes(name)) continue;
    if (name === 'servername' && value === host) continue;
    texts[name] = readTlsText(name, value);
  }
  return {
    verifiesCertificate: ssl['rejectUnauthorized'] !== false,
    verifiesHost: ssl['verifyIdentity'] === true,
    ...texts,
  };
}

function readTlsText(name: string, value: unknown): string {
  const text = textOf(value);
  if (name === 'passphrase' && text !== undefined) return text;
  const isPem = text?.includes('-----BEGIN ') === true;
  if (['ca', 'cert', 'key'].includes(name) && isPem) return text;
  throw cannotTake(`the TLS option "${name}"`);
}

/** A list of certificates is one text in PEM. Undefined for other values. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (Buffer.isBuffer(value)) return value.toString('utf8');
  if (!Array.isArray(value)) return undefined;
  const texts = value.map(textOf);
  return texts.every((text) => text?.includes('-----BEGIN ')) ? texts.join('\n') : undefined;
}

/** Whole seconds, at least one, of a time limit in milliseconds. Undefined for none. */
export function secondsOf(milliseconds: unknown): string | undefined {
  if (typeof milliseconds !== 'number' || !(milliseconds > 0)) return undefined;
  return String(Math.ceil(milliseconds / 1000));
}

/** A text for a URL. Undefined for an absent setting. */
export function settingText(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;
}

/** `?name=value…`, without the parameters that are undefined. */
export function queryOf(parameters: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) query.set(name, value);
  return query.size === 0 ? '' : `?${query.toString()}`;
}
