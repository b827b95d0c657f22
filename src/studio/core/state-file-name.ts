import { createHash } from 'node:crypto';

/** What a database's files in the state folder are called: a hash, since a URL may hold credentials; the same whatever the password is. */
export function stateFileName(url: string): string {
  const plain = url.replace(/^([a-z][a-z0-9+.-]*:\/\/[^/@:]*):[^/@]*@/i, '$1@');
  return createHash('sha256').update(plain).digest('hex').slice(0, 32);
}
