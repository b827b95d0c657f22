import { createApp } from '../../src/http/app.ts';
import { fakeStudio } from './fake-studio.ts';
import type { AppOptions } from '../../src/http/app.ts';
import type { FakeStudio } from './fake-studio.ts';

export const origin = 'http://localhost:4555';

interface Exchange {
  readonly response: Response;
  readonly studio: FakeStudio;
}

interface AskOptions {
  readonly studio?: FakeStudio;
  readonly app?: AppOptions;
  readonly init?: RequestInit;
}

/** Sends one request to an app on a fake studio. `path` is everything after the origin. */
export async function ask(path: string, options: AskOptions = {}): Promise<Exchange> {
  const studio = options.studio ?? fakeStudio();
  const app = createApp(studio, options.app);
  return { studio, response: await app.fetch(new Request(`${origin}${path}`, options.init)) };
}

/** Sends one request to a path of the API. */
export function askApi(path: string, options: AskOptions = {}): Promise<Exchange> {
  return ask(`/studio/api${path}`, options);
}

export interface FailureBody {
  readonly error: string;
  readonly code: string;
  readonly [detail: string]: unknown;
}

/** The status and body of an error response, after a check of its shape. */
export async function failureOf(
  response: Response,
): Promise<FailureBody & { readonly status: number }> {
  if (response.headers.get('content-type') !== 'application/json')
    throw new Error('The error response is not JSON.');
  const body = (await response.json()) as FailureBody;
  if (typeof body.error !== 'string' || typeof body.code !== 'string')
    throw new Error('The error response has no error or no code.');
  return { ...body, status: response.status };
}
