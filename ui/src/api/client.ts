import { createStore } from '@tanstack/react-store';
import { createClient } from '../../../src/contract/client/client.ts';
import { StudioError } from '../../../src/model/errors.ts';
import type { Client } from '../../../src/contract/client/client.ts';

/** The path of the studio without a slash at its end. The server writes it into the page. */
export const base =
  document.querySelector<HTMLMetaElement>('meta[name="studio-base"]')?.content ?? '/studio';

const plainClient = createClient({ baseUrl: `${base}/api` });

/** Whether the server has rejected a request because no session is open. */
export const sessionEnded = createStore(false);

/** The number of sessions that have begun on this page. */
let sessions = 0;

export function beginSession(): void {
  sessions++;
  sessionEnded.setState(() => false);
}

/** Sends all requests of the pages, and notices when the session has ended. */
export const client: Client = {
  ...plainClient,
  call: async (name, ...options) => {
    const sentIn = sessions;
    try {
      return await plainClient.call(name, ...options);
    } catch (error) {
      const isRejected = error instanceof StudioError && error.code === 'unauthorized';
      if (!isRejected || name === 'POST /login') throw error;
      // The rejection belongs to an earlier session: the user has logged in meanwhile.
      if (sentIn !== sessions) return client.call(name, ...options);
      sessionEnded.setState(() => true);
      throw error;
    }
  },
};

/** The URL of an API resource that the browser loads itself. */
export function apiUrl(path: string): string {
  return `${base}/api${path}`;
}
