import type { ResponseBodyOf, UploadProgress } from '../../../src/contract/client/client.ts';
import { client } from '../api/client.ts';
import { pathOf } from './folder-files.ts';
import { dataQuery, dumpQuery, modelsQuery, schemaQuery } from './import-choices.ts';
import type { ImportChoices } from './import-choices.ts';
import type { ImportKind } from './recognize-files.ts';

export type DataImportResponse = ResponseBodyOf<'POST /import/data'>;
export type SchemaImportResponse = ResponseBodyOf<'POST /import/schema'>;
export type DumpImportResponse = ResponseBodyOf<'POST /import/dump'>;
export type ModelsImportResponse = ResponseBodyOf<'POST /import/models'>;

export type ImportResponse =
  | { readonly kind: 'data'; readonly body: DataImportResponse }
  | { readonly kind: 'schema'; readonly body: SchemaImportResponse }
  | { readonly kind: 'dump'; readonly body: DumpImportResponse }
  | { readonly kind: 'models'; readonly body: ModelsImportResponse };

export interface ImportRequest {
  readonly kind: ImportKind;
  readonly files: readonly File[];
  readonly choices: ImportChoices;
}

interface CallOptions {
  /** A dry run changes nothing in the database. */
  readonly isDry: boolean;
  /** The rows that are skipped for an error can be downloaded afterwards. */
  readonly keepsRejected?: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: UploadProgress) => void;
}

/** Uploads the files and reports the progress of the server. Messages have the words of the page. */
export async function callImport(
  request: ImportRequest,
  options: CallOptions,
): Promise<ImportResponse> {
  // Not needed before the first import, so that pages load faster.
  const { errorInPageWords, bodyInPageWords } = await import('./page-words.ts');
  try {
    const response = await sendImport(request, options);
    return { ...response, body: bodyInPageWords(response.body) } as ImportResponse;
  } catch (error) {
    throw errorInPageWords(error);
  }
}

async function sendImport(
  { kind, files, choices }: ImportRequest,
  { isDry, keepsRejected = false, signal, onProgress }: CallOptions,
): Promise<ImportResponse> {
  const request = { body: formDataOf(files, choices), signal, onProgress };
  const dry = isDry ? { dry_run: true } : {};
  if (kind === 'data') {
    const rejected = keepsRejected ? { keep_rejected: true } : {};
    const query = { ...dataQuery(choices), ...dry, ...rejected };
    const { body } = await client.call('POST /import/data', { ...request, query });
    return { kind, body };
  }
  if (kind === 'schema') {
    const query = { ...schemaQuery(choices), ...dry };
    const { body } = await client.call('POST /import/schema', { ...request, query });
    return { kind, body };
  }
  if (kind === 'dump') {
    const query = { ...dumpQuery(choices), ...dry };
    const { body } = await client.call('POST /import/dump', { ...request, query });
    return { kind, body };
  }
  const query = { ...modelsQuery(choices), ...dry };
  const { body } = await client.call('POST /import/models', { ...request, query });
  return { kind, body };
}

/** Proposed tables may be too long for a URL, so they are a field of the form. */
function formDataOf(files: readonly File[], { createsTables, newTables }: ImportChoices): FormData {
  const form = new FormData();
  if (createsTables && newTables !== undefined) form.append('schema', JSON.stringify(newTables));
  for (const file of files) form.append('file', file, pathOf(file));
  return form;
}
