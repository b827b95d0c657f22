import { StudioError } from '../../model/errors.ts';
import type { Upload, UploadedFile } from '../core/job.ts';

/** The file of an import that accepts only one. `subject` begins the error message, for example `A data import`. */
export function onlyFile({ files }: Upload, subject: string): UploadedFile {
  const [file, another] = files;
  if (file !== undefined && another === undefined) return file;
  const found = file === undefined ? 'there is none' : `there are ${files.length}`;
  throw new StudioError(
    'invalid_parameter',
    `${subject} takes one file, in the form field "file"; ${found}.`,
    { parameter: 'file' },
  );
}
