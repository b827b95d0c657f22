/** Runs an import and writes the rows that it rejects, if the request asks for them. */
import { createRejectedRowLog } from './rejected-row-log.ts';
import { positionIn, writeRejectedRows } from './write-rejected-rows.ts';
import type { LoadOptions } from '../../model/load.ts';
import type { JobContext } from '../core/job.ts';
import type { FileImport } from './survey-rows.ts';
import type { ImportDataResponse } from './report-import.ts';
import type { RejectedFile } from './write-rejected-rows.ts';

/** How the rows are read again. */
export type RereadRows = Pick<RejectedFile, 'reader' | 'createMapper' | 'newTables'>;

export async function keepRejectedRows(
  { folder }: Pick<JobContext, 'folder'>,
  { file, options, rejectedTo, reread }: FileImport & { readonly reread: RereadRows },
  run: (handler: Pick<LoadOptions, 'onRejected'>) => Promise<ImportDataResponse>,
): Promise<ImportDataResponse> {
  if (rejectedTo === undefined) return run({});
  const { kind } = file;
  const log = createRejectedRowLog(folder, positionIn(kind));
  try {
    const response = await run({ onRejected: log.add });
    const { formulas, table } = options;
    const isTableNamed = table !== undefined;
    const rejected = { ...rejectedTo, ...reread, kind, formulas, isTableNamed, log };
    return await withRejectedRows(response, rejected);
  } finally {
    log.close();
  }
}

/** The rows have been committed, so an error of the file of rejected rows is a warning. */
async function withRejectedRows(
  response: ImportDataResponse,
  file: RejectedFile,
): Promise<ImportDataResponse> {
  const missing = file.log.countOfUnlocated();
  try {
    const written = await writeRejectedRows(file);
    const warning = `${missing} rejected rows are missing in the file of rejected rows: they depend on other rejected rows, in a cycle of foreign keys.`;
    const warnings = [...response.warnings, ...(missing === 0 ? [] : [warning])];
    return {
      ...response,
      warnings,
      rejected_rows: written?.count ?? 0,
      ...(written && { rejected_format: written.format }),
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const warning = `The rejected rows could not be written: ${reason}`;
    return { ...response, warnings: [...response.warnings, warning] };
  }
}
