import { createHash } from 'node:crypto';

/**
 * The name of a database's files in the state folder: a hash of the URL without its password and without certificates
 * as PEM, since a URL may contain credentials, and certificates are renewed.
 */
export function stateFileName(url: string): string {
  const urlWithoutPassword = url
    .replace(/^([a-z][a-z0-9+.-]*:\/\/[^/@:]*):[^/@]*@/i, '$1@')
    .replace(/(?<=[?&]ssl-?\w+=)(?:[^&]*-----BEGIN[^&]*)|(?<=[?&]sslpassword=)[^&]*/g, '');
  return createHash('sha256').update(urlWithoutPassword).digest('hex').slice(0, 32);
}
