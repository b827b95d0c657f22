import { StudioError } from '../../../model/errors.ts';
import { translateError } from '../dialect/errors.ts';

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no server listens at this address',
  ECONNRESET: 'the connection broke',
  EPIPE: 'the connection broke',
  ETIMEDOUT: 'the server does not respond',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the host',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be resolved',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'its certificate is self-signed (trustServerCertificate=true takes it)',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not signed by an authority that is trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'its certificate is not signed by an authority that is trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not signed by an authority that is trusted',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
  // Error codes of the driver.
  ETIMEOUT: 'the server does not respond',
  EINSTLOOKUP: 'it has no instance of that name, or does not tell its port',
  ELOGIN: 'it refused the login: user, password or database are not what it takes',
  ESOCKET: 'the connection broke',
  ECLOSE: 'the connection broke',
  EINVALIDSTATE: 'the connection broke',
};

/** Distinguishes driver errors with the same code by their message. */
const sayings: readonly (readonly [RegExp, string])[] = [
  [/did not negotiate encryption/, 'it has no TLS, and the URL asks for it (encrypt=true)'],
  [/requires encryption/, 'it takes encrypted connections only (encrypt=true)'],
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
  const saying = sayings.find(([pattern]) => pattern.test(first.message))?.[1];
  return saying ?? reasons[code] ?? 'the connection failed';
}
