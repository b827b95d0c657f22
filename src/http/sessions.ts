import { createHash, randomBytes } from 'node:crypto';

/** What the cookie of a session holds, and for how long browsers keep it. */
export interface SessionToken {
  readonly value: string;
  readonly seconds: number;
}

/** An open session. */
export interface OpenSession {
  /** The same for all tokens of the session. No token can be derived from it. */
  readonly id: string;
  /** A token that the browser should use from now on, because its own one expires soon. */
  readonly renewedToken?: SessionToken;
}

/** Browser sessions. */
export interface Sessions {
  begin(): SessionToken;
  /** Undefined if the token is not one of an open session. */
  find(token: string): Promise<OpenSession | undefined>;
  end(token: string): Promise<void>;
}

export const sessionMs = 12 * 3_600_000;
const maxSessions = 10_000;

/**
 * Sessions that exist in memory only and end with the process. Stores digests instead of tokens, so
 * that the timing of a lookup reveals nothing about valid tokens.
 */
export function createSessions(now: () => number = Date.now): Sessions {
  const expiries = new Map<string, number>();
  return {
    begin() {
      const value = randomBytes(32).toString('base64url');
      expiries.set(digest(value), now() + sessionMs);
      if (expiries.size > maxSessions) sweep(expiries, now());
      return { value, seconds: sessionMs / 1000 };
    },
    find: async (token) => {
      const id = digest(token);
      return (expiries.get(id) ?? 0) > now() ? { id } : undefined;
    },
    end: (token) => Promise.resolve(void expiries.delete(digest(token))),
  };
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** Removes expired sessions, or the oldest one if none has expired. */
function sweep(expiries: Map<string, number>, at: number): void {
  for (const [key, expiry] of expiries) if (expiry <= at) expiries.delete(key);
  const [oldest] = expiries.keys();
  if (expiries.size > maxSessions && oldest !== undefined) expiries.delete(oldest);
}
