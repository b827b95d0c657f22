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
  ENOENT: 'the socket does not exist',
  EACCES: 'permission to open the socket is denied',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not signed by an authority that is trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'its certificate is not signed by an authority that is trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not signed by an authority that is trusted',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
};

/** For errors of the driver without a code. */
const messagePatterns: readonly (readonly [RegExp, string])[] = [
  [/does not support SSL/, 'the server does not support TLS'],
  [/timeout expired/, 'the server does not respond'],
  [/terminated|closed/, 'the connection was lost'],
  [/password must be a string/i, 'it asks for a password and the URL has none'],
];

/** Translates an error of connecting, or of a lost connection. Messages contain no credentials. */
export function connectionError(error: unknown): StudioError {
  return (
    translateError(error) ??
    new StudioError('database_unavailable', `The database cannot be reached: ${reasonOf(error)}.`)
  );
}

/** Why a host cannot be used, as a part of a sentence. */
export function connectionReason(error: unknown): string {
  return translateError(error)?.message.replace(/\.$/, '') ?? reasonOf(error);
}

function reasonOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const code = first instanceof Error && 'code' in first ? String(first.code) : '';
  const message = first instanceof Error ? first.message : '';
  return (
    reasons[code] ??
    messagePatterns.find(([saying]) => saying.test(message))?.[1] ??
    'the connection failed'
  );
}
