import { createHash, randomBytes } from 'node:crypto';

/** Browser sessions. They exist in memory only and end with the process. */
export interface Sessions {
  /** Starts a session and returns its secret. */
  begin(): string;
  isOpen(secret: string): boolean;
  end(secret: string): void;
}

export const sessionMs = 12 * 3_600_000;
const maxSessions = 10_000;

/** Stores digests instead of secrets, so that the timing of a lookup reveals nothing about valid secrets. */
export function createSessions(now: () => number = Date.now): Sessions {
  const expiries = new Map<string, number>();
  return {
    begin() {
      const secret = randomBytes(32).toString('base64url');
      expiries.set(digest(secret), now() + sessionMs);
      if (expiries.size > maxSessions) sweep(expiries, now());
      return secret;
    },
    isOpen: (secret) => (expiries.get(digest(secret)) ?? 0) > now(),
    end: (secret) => void expiries.delete(digest(secret)),
  };
}

function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Removes expired sessions, or the oldest one if none has expired. */
function sweep(expiries: Map<string, number>, at: number): void {
  for (const [key, expiry] of expiries) if (expiry <= at) expiries.delete(key);
  const [oldest] = expiries.keys();
  if (expiries.size > maxSessions && oldest !== undefined) expiries.delete(oldest);
}
