import { StudioError } from '../../../model/errors.ts';
import { readError, serverError } from '../dialect/errors.ts';

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection broke',
  EPIPE: 'the connection broke',
  PROTOCOL_CONNECTION_LOST: 'the connection broke',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name could not be looked up',
  ENOENT: 'its socket is not there',
  EACCES: 'its socket may not be opened',
  HANDSHAKE_NO_SSL_SUPPORT: 'it has no TLS',
  // The driver puts it in place of what was wrong.
  HANDSHAKE_SSL_ERROR: 'its certificate is not one to be trusted, or not for this host',
};

/** Errors of logging in: no access, no password, no such way of authentication, no right to the database. */
const refusedLogins: ReadonlySet<number> = new Set([
  1044, 1045, 1130, 1129, 1251, 1524, 1698, 1820, 1862, 3118, 4151,
]);

/** Why there is no connection, or no longer: always the database's affair. Hosts and credentials stay out of it. */
export function connectionError(error: unknown): StudioError {
  if (refusedLogins.has(serverError(error)?.errno ?? 0)) {
    return unavailable(
      'The database refused the login: user, password or the way of connecting are not what it takes.',
    );
  }
  return readError(error) ?? unavailable(`The database cannot be reached: ${reasonOf(error)}.`);
}

function unavailable(message: string): StudioError {
  return new StudioError('database_unavailable', message);
}

/** Whether it was only the encryption that the server has not. */
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
