/** Imports and exports in the process of the test, because starting a process for each is slow. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { jobs } from '../../src/studio/execution/jobs.ts';
import { noModels } from '../../src/studio/core/models.ts';
import { performJob } from '../../src/studio/execution/perform-job.ts';
import type { FileHead, JobRequest } from '../../src/studio/core/job.ts';
import type { StartJob } from '../../src/studio/execution/start-job.ts';
import type { Studio } from '../../src/studio/studio.ts';

/** The studio with jobs that run in this process. */
export function withJobsHere(studio: Studio, url: string): Studio {
  const start: StartJob = async (name, input) => {
    const head = Promise.withResolvers<FileHead>();
    head.promise.catch(() => undefined);
    const output = new PassThrough();
    const result = perform(url, { name, input }, { output, head: head.resolve }).then(
      async (answer) => {
        output.end();
        if (jobs[name].changesStructure) await studio.perform('refresh-schema', {});
        return answer;
      },
    );
    result.catch((error: Error) => {
      head.reject(error);
      output.destroy(error);
    });
    await Promise.race([head.promise, result]);
    return { head: head.promise, output, result };
  };
  return { ...studio, start };
}

interface Outlet {
  readonly output: PassThrough;
  readonly head: (head: FileHead) => void;
}

async function perform(
  url: string,
  asked: Pick<JobRequest, 'name' | 'input'>,
  { output, head }: Outlet,
): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-security-'));
  const order: JobRequest = {
    ...asked,
    target: { url, readOnly: false, create: false },
    access: { readOnly: false, disableSql: false, allowDdl: false },
    models: noModels,
    folder,
    fonts: [],
    maxUploadBytes: 2 ** 30,
  };
  const progress = (message: unknown): void => {
    if ('head' in (message as object)) head((message as { head: FileHead }).head);
  };
  try {
    return await performJob(order, { input: Readable.from([]), output, progress });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
