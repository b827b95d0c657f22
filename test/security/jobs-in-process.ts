/**
 * A studio whose jobs (imports and exports) run in the process of the test, because starting a process for
 * each is slow.
 */
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

type Access = JobRequest['access'];

/** The studio with jobs that run in this process. */
export function withJobsInProcess(
  studio: Studio,
  url: string,
  permissions: Partial<Access> = {},
): Studio {
  const access = { readOnly: false, disableSql: false, allowDdl: false, ...permissions };
  const start: StartJob = async (name, input) => {
    const head = Promise.withResolvers<FileHead>();
    head.promise.catch(() => undefined);
    const output = new PassThrough();
    // Nothing else listens to the output of an import, and an unhandled `error` event ends the process.
    output.on('error', () => undefined);
    const jobOutput = { output, head: head.resolve };
    const result = performInProcess(url, { name, input, access }, jobOutput).then(
      async (response) => {
        output.end();
        if (jobs[name].changesStructure) await studio.perform('refresh-schema', {});
        return response;
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

interface JobOutput {
  readonly output: PassThrough;
  readonly head: (head: FileHead) => void;
}

async function performInProcess(
  url: string,
  request: Pick<JobRequest, 'name' | 'input' | 'access'>,
  { output, head }: JobOutput,
): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-security-'));
  const jobRequest: JobRequest = {
    ...request,
    target: { url, readOnly: false, create: false },
    models: noModels,
    folder,
    fonts: [],
    maxUploadBytes: 2 ** 30,
  };
  const progress = (message: unknown): void => {
    if ('head' in (message as object)) head((message as { head: FileHead }).head);
  };
  try {
    return await performJob(jobRequest, { input: Readable.from([]), output, progress });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
