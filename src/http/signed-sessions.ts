/** Sessions that every copy of a studio accepts, also after a restart: signed tokens. */
import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { StudioError } from '../model/errors.ts';
import { sessionMs } from './sessions.ts';
import type { Credentials } from './credentials.ts';
import type { EndedSessions } from './ended-sessions.ts';
import type { Sessions, SessionToken } from './sessions.ts';

/**
 * A token that is in use is renewed, up to the end of its session. A log-out that a copy does not
 * learn of, because it shares no state folder, takes effect there when the token expires.
 */
const tokenMs = 3_600_000;

const idBytes = 18;
const timeBytes = 6;
const payloadBytes = idBytes + 2 * timeBytes;
const signatureBytes = 32;

/** 63 bytes with the version: a multiple of three, so that base64 has no unused bits, and no other text is the same token. */
const version = 1;
const tokenPattern = /^[\w-]{84}$/;

/** What a token says. Times are in milliseconds since 1970. */
interface Claims {
  readonly id: Buffer;
  /** The end of the session, which no renewal moves. */
  readonly endsAt: number;
  /** The end of the token. */
  readonly expiresAt: number;
}

export interface SignedSessionOptions {
  readonly secret: string;
  readonly account: NonNullable<Credentials['account']>;
  /** The mount path of the studio. */
  readonly path: string;
  readonly ended: EndedSessions;
  readonly now?: () => number;
}

export function createSignedSessions(options: SignedSessionOptions): Sessions {
  const { ended, now = Date.now } = options;
  const key = keyFor(options);
  const issue = (id: Buffer, endsAt: number): SessionToken => {
    const expiresAt = Math.min(endsAt, now() + tokenMs);
    const seconds = Math.max(0, Math.floor((expiresAt - now()) / 1000));
    return { value: sign({ id, endsAt, expiresAt }, key), seconds };
  };
  const read = (token: string): Claims | undefined => {
    const claims = verify(token, key);
    return claims !== undefined && claims.expiresAt > now() ? claims : undefined;
  };
  return {
    begin: () => issue(randomBytes(idBytes), now() + sessionMs),
    async find(token) {
      const claims = read(token);
      if (claims === undefined || (await ended.has(nameOf(claims), claims.endsAt)))
        return undefined;
      const { id, endsAt, expiresAt } = claims;
      const isDue = expiresAt - now() < tokenMs / 2 && expiresAt < endsAt;
      return { id: nameOf(claims), ...(isDue ? { renewedToken: issue(id, endsAt) } : {}) };
    },
    async end(token) {
      const claims = read(token);
      if (claims !== undefined) await ended.add(nameOf(claims), claims.endsAt);
    },
  };
}

/** Throws `invalid_parameter` for a secret that is too weak to sign with. */
export function checkSecret(secret: string): void {
  if (Buffer.byteLength(secret) < minSecretBytes)
    throw weakSecret(
      `has ${Buffer.byteLength(secret)} bytes, and at least ${minSecretBytes} are needed`,
    );
  // A line break at the end of a file would give one copy another key than the others.
  if (secret.trim() !== secret) throw weakSecret('begins or ends with white space');
}

const minSecretBytes = 32;

function weakSecret(problem: string): StudioError {
  return new StudioError(
    'invalid_parameter',
    `The secret that signs sessions ${problem}. Generate one, such as with "openssl rand -base64 48", and give it to every copy of the studio.`,
  );
}

/**
 * A key of its own for each account and path, so that a change of the password ends all sessions, and
 * a studio at another path accepts none of the tokens.
 */
function keyFor({ secret, account, path }: SignedSessionOptions): Buffer {
  checkSecret(secret);
  const scope = createHash('sha256').update(JSON.stringify([path, account.user, account.password]));
  const info = Buffer.concat([Buffer.from('database-studio session 1\0'), scope.digest()]);
  return Buffer.from(hkdfSync('sha256', secret, '', info, signatureBytes));
}

function sign({ id, endsAt, expiresAt }: Claims, key: Buffer): string {
  const payload = Buffer.alloc(1 + payloadBytes);
  payload.writeUInt8(version, 0);
  id.copy(payload, 1);
  payload.writeUIntBE(endsAt, 1 + idBytes, timeBytes);
  payload.writeUIntBE(expiresAt, 1 + idBytes + timeBytes, timeBytes);
  return Buffer.concat([payload, signatureOf(payload, key)]).toString('base64url');
}

/** The pattern bounds the size before anything is decoded. */
function verify(token: string, key: Buffer): Claims | undefined {
  if (!tokenPattern.test(token)) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  const payload = bytes.subarray(0, 1 + payloadBytes);
  if (!timingSafeEqual(bytes.subarray(1 + payloadBytes), signatureOf(payload, key)))
    return undefined;
  if (payload.readUInt8(0) !== version) return undefined;
  return {
    id: payload.subarray(1, 1 + idBytes),
    endsAt: payload.readUIntBE(1 + idBytes, timeBytes),
    expiresAt: payload.readUIntBE(1 + idBytes + timeBytes, timeBytes),
  };
}

function signatureOf(payload: Buffer, key: Buffer): Buffer {
  return createHmac('sha256', key).update(payload).digest();
}

/** Not base64: some file systems ignore the case of names. */
function nameOf({ id }: Claims): string {
  return id.toString('hex');
}
