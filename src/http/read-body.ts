import { StudioError } from '../model/errors.ts';

/** Bodies over this are refused with 413. */
const longestJsonBytes = 16 * 2 ** 20;

/**
 * A JSON body's text. Its media type must say so: a form or plain text is what a page of another
 * origin could send without asking.
 */
export async function readJsonText(request: Request): Promise<string> {
  const type =
    (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json' && !type.endsWith('+json')) {
    const found = type === '' ? 'none' : type;
    throw new StudioError(
      'unsupported_media_type',
      `The body must come as Content-Type: application/json, not ${found}.`,
    );
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of limitedBody(request, longestJsonBytes)) chunks.push(chunk);
  return decodeUtf8(Buffer.concat(chunks));
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new StudioError('invalid_body', 'The body is not valid UTF-8.');
  }
}

/** A body of which too little comes for so long holds its connection no longer. */
const longestPauseMs = 60_000;
/** Of what has not ended, this much; else a byte a minute would do for ever. */
const leastBytes = 1024;

/** The body's bytes; fails with `too_large` before more than the limit is taken. */
export async function* limitedBody(
  request: Request,
  limitBytes: number,
  pauseMs = longestPauseMs,
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
  let leftMs = pauseMs;
  let bytes = 0;
  try {
    for (;;) {
      const askedAt = performance.now();
      const { done, value } = await within(leftMs, reader.read());
      if (done) return;
      leftMs -= performance.now() - askedAt;
      bytes += value.byteLength;
      if (bytes >= leastBytes) [leftMs, bytes] = [pauseMs, 0];
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

async function within<T>(limitMs: number, arrival: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const pause = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(stalled), limitMs);
  });
  try {
    return await Promise.race([arrival, pause]);
  } finally {
    clearTimeout(timer);
  }
}

const stalled = new StudioError('invalid_body', 'The body stopped arriving before its end.');

function tooLarge(limitBytes: number): StudioError {
  return new StudioError('too_large', `The body may take ${limitBytes} bytes at most.`, {
    limit: limitBytes,
  });
}
