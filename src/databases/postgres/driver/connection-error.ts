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
  ENOENT: 'its socket is not there',
  EACCES: 'its socket may not be opened',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not signed by an authority that is trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'its certificate is not signed by an authority that is trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not signed by an authority that is trusted',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
};

/** By what the driver says where it gives no code. */
const sayings: readonly (readonly [RegExp, string])[] = [
  [/does not support SSL/, 'it has no TLS'],
  [/timeout expired/, 'it does not answer'],
  [/terminated|closed/, 'the connection broke'],
  [/password must be a string/i, 'it asks for a password and the URL has none'],
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
  const code = first instanceof Error && 'code' in first ? String(first.code) : '';
  const message = first instanceof Error ? first.message : '';
  return (
    reasons[code] ??
    sayings.find(([saying]) => saying.test(message))?.[1] ??
    'the connection failed'
  );
}
