import { createHash, timingSafeEqual } from 'node:crypto';

/** What a client must know to be let in. */
export interface Credentials {
  readonly account?: { readonly user: string; readonly password: string };
  /** For programs: `Authorization: Bearer …`. */
  readonly token?: string;
}

/** Equality in a time that tells nothing of where the texts differ. */
function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** What an Authorization header claims. */
export type Claim =
  | { readonly kind: 'basic'; readonly user: string; readonly password: string }
  | { readonly kind: 'bearer'; readonly token: string };

/** Undefined for a header of another kind, or a broken one. */
export function readClaim(header: string | null): Claim | undefined {
  const [, scheme = '', rest = ''] = /^(\w+) +(\S+) *$/.exec(header ?? '') ?? [];
  if (scheme.toLowerCase() === 'bearer') return { kind: 'bearer', token: rest };
  if (scheme.toLowerCase() !== 'basic') return undefined;
  const text = Buffer.from(rest, 'base64').toString();
  const colon = text.indexOf(':');
  if (colon < 0) return undefined;
  return { kind: 'basic', user: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** Both parts are always compared, so that a wrong name takes as long as a wrong password. */
export function holds(claim: Claim, { account, token }: Credentials): boolean {
  if (claim.kind === 'bearer') return token !== undefined && isSame(claim.token, token);
  if (account === undefined) return false;
  const isUser = isSame(claim.user, account.user);
  return isSame(claim.password, account.password) && isUser;
}
