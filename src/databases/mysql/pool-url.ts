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

/** Ways to log in or connect that only the pool's own connections have. */
const hooks = [
  'stream',
  'authPlugins',
  'authSwitchHandler',
  'passwordSha1',
  'password2',
  'password3',
];

/** The URL with the settings of a pool of mysql2, or of `mysql2/promise`. Undefined for other objects. */
export function urlOfPool(pool: object): string | undefined {
  const { config, pool: inner } = pool as SettingsObject;
  const poolConfig = isSettingsObject(inner) ? inner['config'] : config;
  if (!isSettingsObject(poolConfig) || !isSettingsObject(poolConfig['connectionConfig']))
    return undefined;
  const settings = poolConfig['connectionConfig'];
  const hook = hooks.find((name) => isPresent(settings[name]));
  if (hook !== undefined) throw cannotTake(`the setting "${hook}"`);
  const { host, user, password } = settings;
  const database = settingText(settings['database']);
  if (database === undefined)
    throw new StudioError(
      'invalid_parameter',
      'The pool in the option "database" of createStudio names no database. Give the pool the setting "database".',
    );
  const socket = settingText(settings['socketPath']);
  const query = queryOf({
    socket,
    'connect-timeout': secondsOf(settings['connectTimeout']),
    'pool-max-conns': settingText(poolConfig['connectionLimit']),
    ...(socket === undefined ? tlsParameters(readTls(settings['ssl'], host)) : {}),
  });
  const login = [user, password].flatMap((text) => settingText(text) ?? []);
  const authority = login.map(encodeURIComponent).join(':');
  return `mysql://${authority}@${hostText(settings)}/${encodeURIComponent(database)}${query}`;
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== '';
}

function hostText({ host, port }: SettingsObject): string {
  const name = settingText(host) ?? 'localhost';
  return `${name.includes(':') ? `[${name}]` : encodeURIComponent(name)}:${settingText(port) ?? '3306'}`;
}

function tlsParameters(tls: LiveTls | undefined): Readonly<Record<string, string | undefined>> {
  if (tls === undefined) return { 'ssl-mode': 'disabled' };
  if (tls.passphrase !== undefined) throw cannotTake('the TLS option "passphrase"');
  return {
    'ssl-mode': sslModeOf(tls),
    'ssl-ca': tls.ca,
    'ssl-cert': tls.cert,
    'ssl-key': tls.key,
  };
}

/** The driver checks the host name only if asked to. */
function sslModeOf({ verifiesCertificate, verifiesHost }: LiveTls): string {
  if (!verifiesCertificate) return 'required';
  return verifiesHost ? 'verify_identity' : 'verify_ca';
}
