import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CacheUseCounter } from '../core/cache-uses.ts';
import type { FileHead } from '../core/job.ts';
import type { StartedJob, StartJob } from './start-job.ts';

/** A diagram that was exported. */
interface Picture {
  readonly head: FileHead;
  readonly bytes: Buffer;
  readonly result: unknown;
}

/** In bytes: of all cached diagrams together, and of each. */
const limits = { all: 64 * 2 ** 20, one: 24 * 2 ** 20 };

/**
 * Starts jobs, but returns a cached diagram if nothing has changed since it was exported. `keyOf`
 * returns the key (`diagramKey`) of the diagram that a job would export now.
 */
export function withDiagramCache(
  start: StartJob,
  keyOf: (input: unknown) => Promise<string>,
  uses?: CacheUseCounter,
): StartJob {
  const pictures = new Map<string, Picture>();
  return async (name, input, options) => {
    if (name !== 'export-diagram') return start(name, input, options);
    const key = await keyOf(input);
    const cached = pictures.get(key);
    uses?.record('diagrams', cached !== undefined);
    if (cached === undefined) return cacheWhenComplete(await start(name, input, options), pictures);
    remember(pictures, key, cached);
    return jobOf(cached);
  };
}

function jobOf({ head, bytes, result }: Picture): StartedJob {
  return {
    head: Promise.resolve(head),
    output: Readable.from([bytes], { objectMode: false }),
    result: Promise.resolve(result),
  };
}

/** The same job. Its diagram is cached when it is complete, under the key of what was drawn. */
function cacheWhenComplete(job: StartedJob, pictures: Map<string, Picture>): StartedJob {
  const chunks: Buffer[] = [];
  const output = new Transform({
    transform(chunk: Buffer, _, done) {
      chunks.push(chunk);
      done(null, chunk);
    },
  });
  void onComplete(job, pipeline(job.output, output), (picture) => {
    const { key } = picture.result as { readonly key: string };
    remember(pictures, key, { ...picture, bytes: Buffer.concat(chunks) });
  });
  return { ...job, output };
}

async function onComplete(
  { head, result }: StartedJob,
  sent: Promise<void>,
  done: (picture: Omit<Picture, 'bytes'>) => void,
): Promise<void> {
  try {
    const [sentHead, sentResult] = await Promise.all([head, result, sent]);
    done({ head: sentHead, result: sentResult });
  } catch {
    // The job itself reports its error.
  }
}

/** Adds a diagram as the most recently used one, and evicts the least recently used ones over the limit. */
function remember(pictures: Map<string, Picture>, key: string, picture: Picture): void {
  pictures.delete(key);
  if (picture.bytes.length > limits.one) return;
  pictures.set(key, picture);
  let total = [...pictures.values()].reduce((sum, { bytes }) => sum + bytes.length, 0);
  for (const [oldest, { bytes }] of pictures) {
    if (total <= limits.all) return;
    pictures.delete(oldest);
    total -= bytes.length;
  }
}
