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

/** The body's bytes; fails with `too_large` before more than the limit is taken. */
export async function* limitedBody(
  request: Request,
  limitBytes: number,
): AsyncGenerator<Uint8Array, void> {
  if (Number(request.headers.get('content-length') ?? 0) > limitBytes) throw tooLarge(limitBytes);
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > limitBytes) throw tooLarge(limitBytes);
    yield chunk;
  }
}

function tooLarge(limitBytes: number): StudioError {
  return new StudioError('too_large', `The body may take ${limitBytes} bytes at most.`, {
    limit: limitBytes,
  });
}
