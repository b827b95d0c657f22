import { StudioError } from '../../../model/errors.ts';
import { translateError } from '../dialect/errors.ts';

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no server listens at this address',
  ECONNRESET: 'the connection was lost',
  EPIPE: 'the connection was lost',
  ETIMEDOUT: 'the server does not respond',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the host',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be resolved',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'its certificate is self-signed (trustServerCertificate=true accepts it)',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not signed by an authority that is trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'its certificate is not signed by an authority that is trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not signed by an authority that is trusted',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
  // Error codes of the driver.
  ETIMEOUT: 'the server does not respond',
  EINSTLOOKUP:
    'the server has no instance of this name, or SQL Server Browser does not report its port',
  ELOGIN: 'the server rejected the login: check the user, the password and the database',
  ESOCKET: 'the connection was lost',
  ECLOSE: 'the connection was lost',
  EINVALIDSTATE: 'the connection was lost',
};

/** Distinguishes driver errors with the same code by their message. */
const messages: readonly (readonly [RegExp, string])[] = [
  [
    /did not negotiate encryption/,
    'the server does not support TLS, which the URL requires (encrypt=true)',
  ],
  [/requires encryption/, 'the server accepts only encrypted connections (encrypt=true)'],
];

/** Translates the error of a failed or lost connection. The message contains no host names or credentials. */
export function connectionError(error: unknown): StudioError {
  return (
    translateError(error) ??
    new StudioError('database_unavailable', `The database cannot be reached: ${reasonOf(error)}.`)
  );
}

function reasonOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  if (!(first instanceof Error)) return 'the connection failed';
  const code = 'code' in first ? String(first.code) : '';
  const cause = first.cause === undefined ? undefined : reasonOf(first.cause);
  if (cause !== undefined && cause !== 'the connection failed') return cause;
  const message = messages.find(([pattern]) => pattern.test(first.message))?.[1];
  return message ?? reasons[code] ?? 'the connection failed';
}

export function isLostError(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    /^E(?:SOCKET|CLOSE|INVALIDSTATE|CONNRESET|TIMEOUT)$/.test(String(error.code))
  );
}
