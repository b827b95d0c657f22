import { StudioError } from '../../../model/errors.ts';
import { translateError, serverError } from '../dialect/errors.ts';

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no server listens at this address',
  ECONNRESET: 'the connection broke',
  EPIPE: 'the connection broke',
  PROTOCOL_CONNECTION_LOST: 'the connection broke',
  ETIMEDOUT: 'the server does not respond',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the host',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be resolved',
  ENOENT: 'the socket does not exist',
  EACCES: 'permission to open the socket is denied',
  HANDSHAKE_NO_SSL_SUPPORT: 'the server does not support TLS',
  // The driver reports this code instead of the actual TLS error.
  HANDSHAKE_SSL_ERROR: 'the certificate of the server is not trusted, or not valid for this host',
};

/** Login errors: access denied, wrong password, unknown authentication method, no privilege on the database. */
const refusedLogins: ReadonlySet<number> = new Set([
  1044, 1045, 1130, 1129, 1251, 1524, 1698, 1820, 1862, 3118, 4151,
]);

/** Translates the error of a failed or lost connection. The message contains no host names or credentials. */
export function connectionError(error: unknown): StudioError {
  if (refusedLogins.has(serverError(error)?.errno ?? 0)) {
    return unavailable(
      'The database rejected the login: check the user, the password and the authentication method.',
    );
  }
  return (
    translateError(error) ?? unavailable(`The database cannot be reached: ${reasonOf(error)}.`)
  );
}

function unavailable(message: string): StudioError {
  return new StudioError('database_unavailable', message);
}

/** Whether the attempt failed only because the server does not support TLS. */
export function hasNoTls(error: unknown): boolean {
  return codeOf(error) === 'HANDSHAKE_NO_SSL_SUPPORT';
}

function codeOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error && 'code' in first ? String(first.code) : '';
}

function reasonOf(error: unknown): string {
  return reasons[codeOf(error)] ?? 'the connection failed';
}
