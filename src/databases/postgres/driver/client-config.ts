import type { ConnectionOptions } from './connection-options.ts';

/** The configuration of the driver's client. */
export function clientConfig(options: ConnectionOptions, ssl: ConnectionOptions['tls'][number]) {
  const { host, port, user, password, database, serverOptions } = options;
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
