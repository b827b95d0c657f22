import { StudioError } from '../../../model/errors.ts';
import { translateError, serverError } from '../dialect/errors.ts';

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no server listens at this address',
  ECONNRESET: 'the connection was lost',
  EPIPE: 'the connection was lost',
  PROTOCOL_CONNECTION_LOST: 'the connection was lost',
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

const loginErrorCodes: ReadonlySet<number> = new Set([
  1044, // ER_DBACCESS_DENIED_ERROR
  1045, // ER_ACCESS_DENIED_ERROR
  1129, // ER_HOST_IS_BLOCKED
  1130, // ER_HOST_NOT_PRIVILEGED
  1251, // ER_NOT_SUPPORTED_AUTH_MODE
  1524, // ER_PLUGIN_IS_NOT_LOADED
  1698, // ER_ACCESS_DENIED_NO_PASSWORD_ERROR
  1820, // ER_MUST_CHANGE_PASSWORD
  1862, // ER_MUST_CHANGE_PASSWORD_LOGIN
  3118, // ER_ACCOUNT_HAS_BEEN_LOCKED
  4151, // MariaDB: ER_ACCOUNT_HAS_BEEN_LOCKED
]);

/** Whether the server was reached and rejected the login. */
export function hasRejectedLogin(error: unknown): boolean {
  return loginErrorCodes.has(serverError(error)?.errno ?? 0);
}

/** Why a host cannot be used, as a part of a sentence. */
export function connectionReason(error: unknown): string {
  return translateError(error)?.message.replace(/\.$/, '') ?? reasonOf(error);
}

/** Translates the error of a failed or lost connection. The message contains no host names or credentials. */
export function connectionError(error: unknown): StudioError {
  if (hasRejectedLogin(error)) {
    return unavailable(
      'The database rejected the login: check the user, the password and the authentication method.',
    );
  }
  return (
    translateError(error) ?? unavailable(`The database cannot be reached: ${reasonOf(error)}.`)
  );
}

/** The server was chosen because it took writes. */
export function noLongerPrimary(): StudioError {
  return unavailable(
    'The server takes no writes any more: another one may have become the primary.',
  );
}

function unavailable(message: string): StudioError {
  return new StudioError('database_unavailable', message);
}

/** Whether the attempt failed only because the server does not support TLS. */
export function isTlsUnsupported(error: unknown): boolean {
  return codeOf(error) === 'HANDSHAKE_NO_SSL_SUPPORT';
}

function codeOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error && 'code' in first ? String(first.code) : '';
}

function reasonOf(error: unknown): string {
  return reasons[codeOf(error)] ?? 'the connection failed';
}
