import { createHash, randomBytes } from 'node:crypto';

/** Logins of browsers; they end with the studio. */
export interface Sessions {
  /** The secret of a new session. */
  begin(): string;
  isOpen(secret: string): boolean;
  end(secret: string): void;
}

export const sessionMs = 12 * 3_600_000;
const mostSessions = 10_000;

/** Only digests are kept, so that looking one up tells nothing of the others. */
export function createSessions(now: () => number = Date.now): Sessions {
  const expiries = new Map<string, number>();
  return {
    begin() {
      const secret = randomBytes(32).toString('base64url');
      expiries.set(digest(secret), now() + sessionMs);
      if (expiries.size > mostSessions) sweep(expiries, now());
      return secret;
    },
    isOpen: (secret) => (expiries.get(digest(secret)) ?? 0) > now(),
    end: (secret) => void expiries.delete(digest(secret)),
  };
}

function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** The expired go, or else the oldest. */
function sweep(expiries: Map<string, number>, at: number): void {
  for (const [key, expiry] of expiries) if (expiry <= at) expiries.delete(key);
  const [oldest] = expiries.keys();
  if (expiries.size > mostSessions && oldest !== undefined) expiries.delete(oldest);
}
