import { createHash, timingSafeEqual } from 'node:crypto';

/** The credentials that the studio accepts. */
export interface Credentials {
  readonly account?: { readonly user: string; readonly password: string };
  /** For programs: `Authorization: Bearer …`. */
  readonly token?: string;
}

/** Compares in constant time. */
function isSame(actual: string, expected: string): boolean {
  return timingSafeEqual(digest(actual), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The credentials in an Authorization header, not verified yet. */
export type Claim =
  | { readonly kind: 'basic'; readonly user: string; readonly password: string }
  | { readonly kind: 'bearer'; readonly token: string };

/** Returns undefined for other schemes and malformed headers. */
export function readClaim(header: string | null): Claim | undefined {
  const [, scheme = '', rest = ''] = /^(\w+) +(\S+) *$/.exec(header ?? '') ?? [];
  if (scheme.toLowerCase() === 'bearer') return { kind: 'bearer', token: rest };
  if (scheme.toLowerCase() !== 'basic') return undefined;
  const text = Buffer.from(rest, 'base64').toString();
  const colon = text.indexOf(':');
  if (colon < 0) return undefined;
  return { kind: 'basic', user: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** Always compares user and password, so that the time does not reveal which one is wrong. */
export function matches(claim: Claim, { account, token }: Credentials): boolean {
  if (claim.kind === 'bearer') return token !== undefined && isSame(claim.token, token);
  if (account === undefined) return false;
  const isUser = isSame(claim.user, account.user);
  return isSame(claim.password, account.password) && isUser;
}
