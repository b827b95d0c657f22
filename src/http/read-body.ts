import { StudioError } from '../model/errors.ts';

/** Larger bodies are rejected with 413. */
const maxJsonBytes = 16 * 2 ** 20;

/**
 * Returns the text of a JSON body. The media type must be JSON: pages of other origins can send forms
 * and plain text without a CORS preflight.
 */
export async function readJsonText(request: Request): Promise<string> {
  const type =
    (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json' && !type.endsWith('+json')) {
    const found = type === '' ? 'none' : type;
    throw new StudioError(
      'unsupported_media_type',
      `The body must have the Content-Type: application/json, not ${found}.`,
    );
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of limitedBody(request, maxJsonBytes)) chunks.push(chunk);
  return decodeUtf8(Buffer.concat(chunks));
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new StudioError('invalid_body', 'The body is not valid UTF-8.');
  }
}

/** The request fails if fewer than `minBytesPerTimeout` arrive within this time. */
const stallTimeoutMs = 60_000;
/** Without a minimum, one byte per minute would keep the connection open forever. */
const minBytesPerTimeout = 1024;

/** Yields the chunks of a body. Throws `too_large` if it exceeds the limit. */
export async function* limitedBody(
  request: Request,
  limitBytes: number,
  pauseMs = stallTimeoutMs,
): AsyncGenerator<Uint8Array, void> {
  if (Number(request.headers.get('content-length') ?? 0) > limitBytes) throw tooLarge(limitBytes);
  let bytes = 0;
  for await (const chunk of request.body === null ? [] : chunksOf(request.body, pauseMs)) {
    bytes += chunk.byteLength;
    if (bytes > limitBytes) throw tooLarge(limitBytes);
    yield chunk;
  }
}

async function* chunksOf(
  body: ReadableStream<Uint8Array>,
  pauseMs: number,
): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader();
  let remainingMs = pauseMs;
  let bytes = 0;
  try {
    for (;;) {
      const startedAt = performance.now();
      const { done, value } = await withTimeout(remainingMs, reader.read());
      if (done) return;
      remainingMs -= performance.now() - startedAt;
      bytes += value.byteLength;
      if (bytes >= minBytesPerTimeout) [remainingMs, bytes] = [pauseMs, 0];
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

async function withTimeout<T>(limitMs: number, arrival: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const pause = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(stalled), Math.max(0, limitMs));
  });
  try {
    return await Promise.race([arrival, pause]);
  } finally {
    clearTimeout(timer);
  }
}

const stalled = new StudioError('invalid_body', 'The body stopped arriving before its end.');

function tooLarge(limitBytes: number): StudioError {
  return new StudioError('too_large', `The body exceeds the limit of ${limitBytes} bytes.`, {
    limit: limitBytes,
  });
}
