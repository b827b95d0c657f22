import { readdirSync, readlinkSync } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';

import { spoolAhead } from '../../src/http/spool-ahead.ts';

const chunk = Buffer.alloc(64 * 1024, 'x');
/** Far more than is buffered in memory. */
const manyChunks = 100;

function numbered(count: number): Readable {
  return Readable.from(
    Array.from({ length: count }, (_, i) => Buffer.concat([Buffer.from(`${i};`), chunk])),
  );
}

describe('a body that is read ahead', () => {
  test('equals the source, whichever side is slower', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ minLength: 1, maxLength: 200_000 }), { maxLength: 30 }),
        fc.boolean(),
        async (chunks, isSlow) => {
          const body = spoolAhead(Readable.from(chunks.map((bytes) => Buffer.from(bytes))));
          const receivedChunks: Uint8Array[] = [];
          for await (const bytes of body) {
            receivedChunks.push(bytes);
            if (isSlow) await new Promise((resolve) => setImmediate(resolve));
          }
          expect(Buffer.concat(receivedChunks).equals(Buffer.concat(chunks))).toBe(true);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('reads its source to the end before anything is consumed', async () => {
    const source = numbered(manyChunks);
    const body = spoolAhead(source);
    await vi.waitFor(() => expect(source.readableEnded).toBe(true));
    const bytes = await buffer(body);
    expect(bytes.length).toBe(await sizeOf(numbered(manyChunks)));
  });

  test('fails like its source, after the bytes before the failure', async () => {
    const source = new PassThrough();
    source.write('before');
    const body = spoolAhead(source);
    const reader = body.getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('before');
    source.destroy(new Error('broken'));
    await expect(reader.read()).rejects.toThrow('broken');
  });

  test('cancels its source when it is canceled', async () => {
    const source = new PassThrough();
    await spoolAhead(source).cancel();
    expect(source.destroyed).toBe(true);
  });

  test('is aborted while the client does not read', async () => {
    const stop = new AbortController();
    const source = numbered(manyChunks);
    const ends: string[] = [];
    const end = (outcome: string): Promise<void> => {
      ends.push(outcome);
      return Promise.resolve();
    };
    const body = spoolAhead(source, { signal: stop.signal, end });
    const reader = body.getReader();
    await reader.read();
    stop.abort(new Error('canceled'));
    await vi.waitFor(() => expect(ends).toEqual(['failed']));
    expect(source.destroyed).toBe(true);
    await expect(reader.read()).rejects.toThrow('canceled');
  });

  test('cannot be aborted after its end', async () => {
    const stop = new AbortController();
    const ends: string[] = [];
    const end = (outcome: string): Promise<void> => {
      ends.push(outcome);
      return Promise.resolve();
    };
    await buffer(spoolAhead(numbered(3), { signal: stop.signal, end }));
    stop.abort();
    await new Promise((resolve) => setImmediate(resolve));
    expect(ends).toEqual(['done']);
  });

  test.skipIf(process.platform !== 'linux')(
    'leaves no file open if the client disconnects before anything is consumed',
    async () => {
      const gone = new AbortController();
      const source = numbered(manyChunks);
      spoolAhead(source, { disconnected: gone.signal });
      await vi.waitFor(() => expect(openBodies()).toHaveLength(1));
      gone.abort();
      await vi.waitFor(() => expect(openBodies()).toEqual([]));
      expect(source.destroyed).toBe(true);
    },
  );
});

/** File descriptors of this process for the files named `body` that `spoolAhead` writes. */
function openBodies(): readonly string[] {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).endsWith('/body');
    } catch {
      // The listing itself opens the folder.
      return false;
    }
  });
}

async function sizeOf(source: Readable): Promise<number> {
  return (await buffer(source)).length;
}
