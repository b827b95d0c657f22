import { expect, test } from 'vitest';
import { limitedBody } from '../../src/http/read-body.ts';

function posted(body: ReadableStream<Uint8Array>): Request {
  return new Request('http://localhost/', { method: 'POST', body, duplex: 'half' });
}

async function read(request: Request, limitBytes: number, pauseMs?: number): Promise<number> {
  let bytes = 0;
  for await (const chunk of limitedBody(request, limitBytes, pauseMs)) bytes += chunk.byteLength;
  return bytes;
}

test('a complete body is returned', async () => {
  const body = new Blob(['hello ', 'world']).stream();
  expect(await read(posted(body), 11)).toBe(11);
});

test('a body that exceeds its limit is rejected and cancelled', async () => {
  let isCanceled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(100)),
    cancel: () => void (isCanceled = true),
  });
  await expect(read(posted(endless), 1000)).rejects.toMatchObject({ code: 'too_large' });
  expect(isCanceled).toBe(true);
});

test('a body that stops arriving is rejected and cancelled', async () => {
  let isCanceled = false;
  const stalled = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(10)),
    cancel: () => void (isCanceled = true),
  });
  await expect(read(posted(stalled), 1000, 20)).rejects.toMatchObject({ code: 'invalid_body' });
  expect(isCanceled).toBe(true);
});
