import { createHash } from 'node:crypto';
import { hostOf } from './guard.ts';
import type { Client } from './proxies.ts';
import type { SessionToken } from './sessions.ts';

interface Visitor extends Pick<Client, 'isSecure'> {
  readonly request: Request;
}

/** Returns the `Set-Cookie` header of a session. `path` is the mount path of the studio. */
export function sessionCookie(
  visitor: Visitor,
  path: string,
  { value, seconds }: SessionToken,
): string {
  const attributes = [
    `Path=${path}`,
    `Max-Age=${seconds}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(visitor.isSecure ? ['Secure'] : []),
  ];
  return [`${cookieName(visitor, path)}=${value}`, ...attributes].join('; ');
}

/**
 * Returns the session tokens in a request. A browser may send several cookies of the same name, such
 * as for different paths, without saying which is which.
 */
export function sessionTokens(visitor: Visitor, path: string): readonly string[] {
  const start = `${cookieName(visitor, path)}=`;
  return (visitor.request.headers.get('cookie') ?? '')
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(start))
    .map((cookie) => cookie.slice(start.length));
}

/**
 * Browsers send cookies to all ports of a host, and cookies of `/` to all paths. The digest in the
 * name distinguishes several studios on one host.
 */
function cookieName({ request, isSecure }: Visitor, path: string): string {
  const url = URL.parse(`http://${hostOf(request)}`);
  const port = url?.port || (isSecure ? '443' : '80');
  const digest = createHash('sha256').update(`${port} ${path}`).digest('hex');
  return `studio_session_${digest.slice(0, 12)}`;
}
