import { createHash } from 'node:crypto';
import { hostOf } from './guard.ts';
import type { Client } from './proxies.ts';

interface Visitor extends Pick<Client, 'isSecure'> {
  readonly request: Request;
}

interface CookieContent {
  readonly value: string;
  readonly seconds: number;
}

/** The `Set-Cookie` header of a session; `path` is where the studio is mounted. */
export function sessionCookie(
  visitor: Visitor,
  path: string,
  { value, seconds }: CookieContent,
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
 * The session secrets that a request carries. There may be several cookies of one name, of other
 * paths for instance; a browser does not say which is whose.
 */
export function sessionSecrets(visitor: Visitor, path: string): readonly string[] {
  const start = `${cookieName(visitor, path)}=`;
  return (visitor.request.headers.get('cookie') ?? '')
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(start))
    .map((cookie) => cookie.slice(start.length));
}

/**
 * A browser sends a host's cookies to all of its ports, and those of `/` to every path: the name
 * distinguishes the studios of one host.
 */
function cookieName({ request, isSecure }: Visitor, path: string): string {
  const url = URL.parse(`http://${hostOf(request)}`);
  const port = url?.port || (isSecure ? '443' : '80');
  const digest = createHash('sha256').update(`${port} ${path}`).digest('hex');
  return `studio_session_${digest.slice(0, 12)}`;
}
