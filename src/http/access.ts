import { StudioError } from '../model/errors.ts';
import { matches, readClaim } from './credentials.ts';
import { createSessions, sessionMs } from './sessions.ts';
import { createThrottle } from './throttle.ts';
import { sessionCookie, sessionSecrets } from './session-cookie.ts';
import type { Client } from './proxies.ts';
import type { Claim, Credentials } from './credentials.ts';

export interface AccessOptions {
  readonly credentials?: Credentials;
  /** For embedding: the host application authenticates requests. */
  readonly authenticate?: (request: Request) => boolean | Promise<boolean>;
  /** The mount path of the studio, which is the cookie's path. */
  readonly cookiePath: string;
}

/** A request and its client: the peer address of the socket, or the address that a trusted proxy reports. */
export interface Visitor extends Client {
  readonly request: Request;
}

/** Authenticates requests. */
export interface AccessControl {
  /** Whether there is an account that browsers log in with. */
  readonly hasLogin: boolean;
  /** Throws `unauthorized` or `too_many_requests`. */
  check(visitor: Visitor): Promise<void>;
  /** Checks the account and returns the cookie of a new session. */
  login(visitor: Visitor, account: { readonly user: string; readonly password: string }): string;
  /** Ends the session and returns the cookie that deletes the browser's one. */
  logout(visitor: Visitor): string;
}

const credentialsRequired = 'This studio requires credentials.';

export function createAccess(options: AccessOptions): AccessControl {
  const { credentials = {}, authenticate, cookiePath } = options;
  const throttle = createThrottle();
  const sessions = createSessions();
  const isOpen = credentials.account === undefined && credentials.token === undefined;

  const verify = (claim: Claim, { address, request }: Visitor): void => {
    const attempt = { address, user: claim.kind === 'basic' ? claim.user : undefined };
    const seconds = throttle.waitSeconds(attempt);
    if (seconds > 0) throw tooMany(seconds);
    if (matches(claim, credentials)) return throttle.succeeded(attempt);
    throttle.failed(attempt);
    throw unauthorized('The credentials are wrong.', request, credentials);
  };

  const secretsOf = (visitor: Visitor): readonly string[] => sessionSecrets(visitor, cookiePath);

  return {
    hasLogin: credentials.account !== undefined,
    async check(visitor) {
      const { request } = visitor;
      if (authenticate !== undefined && !(await authenticate(request)))
        throw unauthorized(credentialsRequired, request, credentials);
      if (isOpen) return;
      if (secretsOf(visitor).some(sessions.isOpen)) return;
      const claim = readClaim(request.headers.get('authorization'));
      if (claim === undefined) throw unauthorized(credentialsRequired, request, credentials);
      verify(claim, visitor);
    },
    login(visitor, account) {
      if (!isOpen) verify({ kind: 'basic', ...account }, visitor);
      return sessionCookie(visitor, cookiePath, {
        value: sessions.begin(),
        seconds: sessionMs / 1000,
      });
    },
    logout(visitor) {
      secretsOf(visitor).forEach(sessions.end);
      return sessionCookie(visitor, cookiePath, { value: '', seconds: 0 });
    },
  };
}

/**
 * Programs get a WWW-Authenticate header. The studio's own pages do not, because the browser would
 * open its own dialog instead of the login page.
 */
function unauthorized(
  message: string,
  request: Request,
  { account, token }: Credentials,
): StudioError {
  const isOwnPage = request.headers.get('sec-fetch-site') === 'same-origin';
  const schemes = [
    ...(account === undefined ? [] : ['Basic realm="Database Studio", charset="UTF-8"']),
    ...(token === undefined ? [] : ['Bearer realm="Database Studio"']),
  ];
  return new StudioError('unauthorized', message, isOwnPage ? {} : { schemes });
}

function tooMany(seconds: number): StudioError {
  return new StudioError(
    'too_many_requests',
    `Too many failed attempts; try again in ${seconds} s.`,
    {
      retry_after: seconds,
    },
  );
}
