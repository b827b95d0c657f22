/** Sends requests to the studio's real app without a socket. */
import { createApp } from '../../src/http/app.ts';
import type { AppOptions } from '../../src/http/app.ts';
import type { Studio } from '../../src/studio/studio.ts';

export interface AppResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  readonly text: string;
  /** The body, if it is JSON. */
  readonly json: Readonly<Record<string, unknown>>;
}

export type SendRequest = (path: string, init?: RequestInit) => Promise<AppResponse>;

/** Paths are relative to the prefix of the API. */
export function requestSender(studio: Studio, options: AppOptions = {}): SendRequest {
  const app = createApp(studio, options);
  return async (path, init = {}) => {
    const url = `http://localhost:4555${studio.config.prefix}/api${path}`;
    const response = await app.fetch(new Request(url, init), { address: '127.0.0.1' });
    const bytes = Buffer.from(await response.arrayBuffer());
    const text = bytes.toString();
    const isJson = response.headers.get('content-type') === 'application/json';
    const json = isJson ? (JSON.parse(text) as AppResponse['json']) : {};
    return { status: response.status, headers: response.headers, bytes, text, json };
  };
}

export function jsonBody(value: unknown, method = 'POST'): RequestInit {
  const body = typeof value === 'string' ? value : JSON.stringify(value);
  return { method, headers: { 'Content-Type': 'application/json' }, body };
}

export function fileBody(name: string, content: Uint8Array | string): RequestInit {
  const form = new FormData();
  form.append(
    'file',
    new File([typeof content === 'string' ? content : Buffer.from(content)], name),
  );
  return { method: 'POST', body: form };
}
