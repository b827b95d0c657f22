import { createHash } from 'node:crypto';

/** The name of a database's files in the state folder: a hash of the URL without its password, since a URL may contain credentials. */
export function stateFileName(url: string): string {
  const urlWithoutPassword = url.replace(/^([a-z][a-z0-9+.-]*:\/\/[^/@:]*):[^/@]*@/i, '$1@');
  return createHash('sha256').update(urlWithoutPassword).digest('hex').slice(0, 32);
}
