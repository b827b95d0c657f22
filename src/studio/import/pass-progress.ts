import type { JobOutput, Progress, UploadedFile } from '../core/job.ts';

interface Pass {
  readonly file: Pick<UploadedFile, 'bytes'>;
  readonly output: JobOutput;
  /** The number of the pass over the file, from 1. */
  readonly pass: number;
  readonly passes: number;
}

/** Reports the progress of a pass as a share of all of them. Rows are counted in the last one, which imports them. */
export function progressOfPass({
  file,
  output,
  pass,
  passes,
}: Pass): (progress: Omit<Progress, 'total_bytes'>) => void {
  const before = (pass - 1) * file.bytes;
  return ({ bytes, ...progress }) =>
    output.progress({
      ...(pass < passes ? { rows: 0 } : progress),
      bytes: before + bytes,
      total_bytes: passes * file.bytes,
    });
}
