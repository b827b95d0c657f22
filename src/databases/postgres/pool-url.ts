import { StudioError } from '../../model/errors.ts';
import {
  cannotTake,
  isSettingsObject,
  queryOf,
  readTls,
  secondsOf,
  settingText,
} from '../live-settings.ts';
import type { LiveTls, SettingsObject } from '../live-settings.ts';

/**
 * The URL with the settings of a pool of node-postgres. Undefined for other objects. The pool's own driver
 * resolves `connectionString`, defaults and PG… variables.
 */
export function urlOfPool(pool: object): string | undefined {
  const { Client, options } = pool as SettingsObject;
  if (typeof Client !== 'function' || !isSettingsObject(options)) return undefined;
  const hooks = ['stream', 'connection'].find((name) => options[name] !== undefined);
  if (hooks !== undefined) throw cannotTake(`the setting "${hooks}"`);
  const settings = settingsOf(Client as ClientClass, options);
  const { user, password, database, host, ssl } = settings;
  if (typeof password === 'function') throw cannotTake('a function as password');
  const login = [user, password].flatMap((text) => settingText(text) ?? []);
  const query = queryOf({
    host: settingText(host),
    port: settingText(settings['port']),
    options: settingText(settings['options']),
    application_name: settingText(settings['application_name']),
    connect_timeout: secondsOf(options['connectionTimeoutMillis']),
    pool_max_conns: settingText(options['max']),
    sslnegotiation: settingText(settings['sslnegotiation']),
    ...tlsParameters(readTls(ssl, host)),
  });
  const authority = login.map(encodeURIComponent).join(':');
  return `postgres://${authority}@/${encodeURIComponent(settingText(database) ?? '')}${query}`;
}

type ClientClass = new (options: SettingsObject) => {
  readonly connectionParameters?: SettingsObject;
};

/** A client that is never connected: it only reads its settings. */
function settingsOf(Client: ClientClass, options: SettingsObject): SettingsObject {
  try {
    const { connectionParameters } = new Client(options);
    if (connectionParameters !== undefined) return connectionParameters;
  } catch {
    // The driver's message may contain the connection string.
  }
  throw new StudioError(
    'invalid_parameter',
    'The settings of the pool in the option "database" of createStudio are not valid: its driver rejects them.',
  );
}

function tlsParameters(tls: LiveTls | undefined): Readonly<Record<string, string | undefined>> {
  if (tls === undefined) return { sslmode: 'disable' };
  return {
    sslmode: tls.verifiesCertificate ? 'verify-full' : 'no-verify',
    sslrootcert: tls.ca,
    sslcert: tls.cert,
    sslkey: tls.key,
    sslpassword: tls.passphrase,
  };
}
