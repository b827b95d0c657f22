import { createClient } from '../../../src/contract/client.ts';

/** Where the studio is mounted, without a slash at its end; the server writes it into the page. */
export const base =
  document.querySelector<HTMLMetaElement>('meta[name="studio-base"]')?.content ?? '/studio';

/** The only way to the server. */
export const client = createClient({ baseUrl: `${base}/api` });

/** The address of something below the API that the browser loads by itself. */
export function apiUrl(path: string): string {
  return `${base}/api${path}`;
}
