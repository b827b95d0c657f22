import { hash } from 'node:crypto';

/** A strong entity tag of a row's values, from its whole JSON text. */
export function rowEtag(json: string): string {
  return `"${hash('sha256', json, 'base64url').slice(0, 27)}"`;
}
