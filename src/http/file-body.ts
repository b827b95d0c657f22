import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

const chunkBytes = 256 * 1024;

/**
 * Streams a file. It is opened with the first read, so that a response without a body leaves no open file. When
 * the client disconnects, the server may neither read nor cancel the body.
 */
export function fileBody(path: string, disconnected: AbortSignal): ReadableStream<Uint8Array> {
  let opening: Promise<FileHandle> | undefined;
  const close = async (): Promise<void> => {
    const file = await opening?.catch(() => undefined);
    opening = undefined;
    await file?.close();
  };
  disconnected.addEventListener('abort', () => void close(), { once: true });
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        disconnected.throwIfAborted();
        opening ??= open(path);
        const file = await opening;
        const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(chunkBytes) });
        if (bytesRead > 0) return controller.enqueue(buffer.subarray(0, bytesRead));
        await close();
        controller.close();
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
}
