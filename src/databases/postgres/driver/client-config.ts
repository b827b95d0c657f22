import type { ConnectionOptions, HostSettings } from './connection-options.ts';

/** The configuration of the driver's client. */
export function clientConfig(
  options: ConnectionOptions,
  { host, port }: HostSettings,
  ssl: HostSettings['tls'][number],
) {
  const { user, password, database, serverOptions } = options;
  return {
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { password }),
    ...(database === undefined ? {} : { database }),
    ...(serverOptions === undefined ? {} : { options: serverOptions }),
    ssl,
    ...(ssl === false ? {} : { sslnegotiation: options.tlsNegotiation }),
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectMs,
    keepAlive: true,
  };
}
