import { StudioError } from '../model/errors.ts';
import { matches, readClaim } from './credentials.ts';
import { createEndedSessions } from './ended-sessions.ts';
import { createSessions } from './sessions.ts';
import { createSignedSessions } from './signed-sessions.ts';
import { createThrottle } from './throttle.ts';
import { sessionCookie, sessionTokens } from './session-cookie.ts';
import type { Client } from './proxies.ts';
import type { Claim, Credentials } from './credentials.ts';
import type { Sessions } from './sessions.ts';

export interface AccessOptions {
  readonly credentials?: Credentials;
  /** For embedding: the host application authenticates requests. */
  readonly authenticate?: (request: Request) => boolean | Promise<boolean>;
  /**
   * Signs the sessions of browsers, so that each copy of the studio with this secret accepts them, also
   * after a restart. At least 32 bytes of random text.
   */
  readonly secret?: string;
  /** Where copies that share this folder find each other's log-outs. Used with `secret` only. */
  readonly stateDir?: string;
  /** The mount path of the studio, which is the cookie's path. */
  readonly cookiePath: string;
}

/** A request and its client: the peer address of the socket, or the address that a trusted proxy reports. */
export interface Visitor extends Client {
  readonly request: Request;
}

/** An authenticated client. */
export interface Admission {
  /**
   * The session, or the kind of the credentials. Empty if the studio requires none, or if the host application
   * authenticates, which does not say who the client is.
   */
  readonly client: string;
  /** A cookie that renews the browser's session. */
  readonly renewedCookie?: string;
}

/** Authenticates requests. */
export interface AccessControl {
  /** Whether there is an account that browsers log in with. */
  readonly hasLogin: boolean;
  /** Throws `unauthorized` or `too_many_requests`. */
  check(visitor: Visitor): Promise<Admission>;
  /** Checks the account and returns the cookie of a new session. */
  login(visitor: Visitor, account: { readonly user: string; readonly password: string }): string;
  /** Ends the session and returns the cookie that deletes the browser's one. */
  logout(visitor: Visitor): Promise<string>;
}

const credentialsRequired = 'This studio requires credentials.';

export function createAccess(options: AccessOptions): AccessControl {
  const { credentials = {}, authenticate, cookiePath } = options;
  const throttle = createThrottle();
  const sessions = openSessions(options);
  const isOpen = credentials.account === undefined && credentials.token === undefined;

  const verify = (claim: Claim, { address, request }: Visitor): void => {
    const attempt = { address, user: claim.kind === 'basic' ? claim.user : undefined };
    const seconds = throttle.waitSeconds(attempt);
    if (seconds > 0) throw tooMany(seconds);
    if (matches(claim, credentials)) return throttle.succeeded(attempt);
    throttle.failed(attempt);
    throw unauthorized('The credentials are wrong.', request, credentials);
  };

  const tokensOf = (visitor: Visitor): readonly string[] => sessionTokens(visitor, cookiePath);

  return {
    hasLogin: credentials.account !== undefined,
    async check(visitor) {
      const { request } = visitor;
      if (authenticate !== undefined && !(await authenticate(request)))
        throw unauthorized(credentialsRequired, request, credentials);
      if (isOpen) return { client: '' };
      for (const token of tokensOf(visitor)) {
        const session = await sessions.find(token);
        if (session === undefined) continue;
        const client = `session ${session.id}`;
        if (session.renewedToken === undefined) return { client };
        return { client, renewedCookie: sessionCookie(visitor, cookiePath, session.renewedToken) };
      }
      const claim = readClaim(request.headers.get('authorization'));
      if (claim === undefined) throw unauthorized(credentialsRequired, request, credentials);
      verify(claim, visitor);
      return { client: claim.kind };
    },
    login(visitor, account) {
      if (!isOpen) verify({ kind: 'basic', ...account }, visitor);
      return sessionCookie(visitor, cookiePath, sessions.begin());
    },
    async logout(visitor) {
      for (const token of tokensOf(visitor)) await sessions.end(token);
      return sessionCookie(visitor, cookiePath, { value: '', seconds: 0 });
    },
  };
}

function openSessions({ credentials, secret, stateDir, cookiePath }: AccessOptions): Sessions {
  if (secret === undefined) return createSessions();
  const account = credentials?.account;
  if (account === undefined)
    throw new StudioError(
      'invalid_parameter',
      'A secret signs the sessions of browsers, which log in with a user name and a password; none are set.',
    );
  const ended = createEndedSessions({ stateDir });
  return createSignedSessions({ secret, account, path: cookiePath, ended });
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
