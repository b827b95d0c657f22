import { StudioError } from '../../../model/errors.ts';
import { readError } from '../dialect/errors.ts';

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection broke',
  EPIPE: 'the connection broke',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name could not be looked up',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'its certificate is self-signed (trustServerCertificate=true takes it)',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not signed by an authority that is trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'its certificate is not signed by an authority that is trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not signed by an authority that is trusted',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
  // The driver's own.
  ETIMEOUT: 'it does not answer',
  EINSTLOOKUP: 'it has no instance of that name, or does not tell its port',
  ELOGIN: 'it refused the login: user, password or database are not what it takes',
  ESOCKET: 'the connection broke',
  ECLOSE: 'the connection broke',
  EINVALIDSTATE: 'the connection broke',
};

/** By what the driver says where its code means two things. */
const sayings: readonly (readonly [RegExp, string])[] = [
  [/did not negotiate encryption/, 'it has no TLS, and the URL asks for it (encrypt=true)'],
  [/requires encryption/, 'it takes encrypted connections only (encrypt=true)'],
];

/** Why there is no connection, or no longer: always the database's affair. Hosts and credentials stay out of it. */
export function connectionError(error: unknown): StudioError {
  return (
    readError(error) ??
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
