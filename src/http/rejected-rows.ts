/** The rejected rows of imports as files for their clients. */
import { fileBody } from './file-body.ts';
import { fileHeaders } from './http-response.ts';
import type { Upload } from '../studio/core/job.ts';
import type { RejectedFile, RejectedFiles } from '../studio/import/rejected-files.ts';
import type { ImportDataResponse } from '../studio/import/report-import.ts';
import type { HttpResponse } from './http-response.ts';

interface WrittenRows {
  /** The file that the job was to write. */
  readonly path: string;
  readonly upload: Upload;
  /** The session or credentials of the client. */
  readonly owner: string;
}

const mediaTypes = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
  zip: 'application/zip',
} as const;

/** Adds the id of the file to the result of an import that has rejected rows. */
export async function keepRejectedRows(
  files: RejectedFiles,
  { path, upload, owner }: WrittenRows,
  result: unknown,
): Promise<unknown> {
  const response = result as Partial<ImportDataResponse>;
  const { rejected_format: format, warnings = [] } = response;
  if (format === undefined) return result;
  const base = upload.files[0]?.name.replace(/\.[^.]*$/, '') ?? '';
  const name = `${base === '' ? 'import' : base}-rejected.${format}`;
  try {
    const id = await files.add(path, { owner, name, mediaType: mediaTypes[format] });
    return { ...response, rejected_file: id };
  } catch (error) {
    // The rows have been committed.
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    return {
      ...response,
      warnings: [...warnings, `The file of rejected rows could not be kept (${code}).`],
    };
  }
}

export function fileResponse(file: RejectedFile, disconnected: AbortSignal): HttpResponse {
  const { path, name, mediaType, bytes } = file;
  return {
    status: 200,
    headers: { ...fileHeaders({ fileName: name, mediaType }), 'Content-Length': String(bytes) },
    body: fileBody(path, disconnected),
  };
}
