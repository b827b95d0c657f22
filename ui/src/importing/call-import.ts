import type { ResponseBodyOf, UploadProgress } from '../../../src/contract/client.ts';
import { client } from '../api/client.ts';
import { dataQuery, schemaQuery } from './import-choices.ts';
import type { ImportChoices } from './import-choices.ts';
import type { ImportKind } from './recognise-files.ts';

export type DataAnswer = ResponseBodyOf<'POST /import/data'>;
export type SchemaAnswer = ResponseBodyOf<'POST /import/schema'>;
export type ModelsAnswer = ResponseBodyOf<'POST /import/models'>;

export type ImportAnswer =
  | { readonly kind: 'data'; readonly body: DataAnswer }
  | { readonly kind: 'schema'; readonly body: SchemaAnswer }
  | { readonly kind: 'models'; readonly body: ModelsAnswer };

export interface ImportRequest {
  readonly kind: ImportKind;
  readonly files: readonly File[];
  readonly choices: ImportChoices;
}

interface Sending {
  /** Nothing is kept. */
  readonly isDry: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: UploadProgress) => void;
}

/** Sends the files, and tells how far the server is with them. */
export async function callImport(
  { kind, files, choices }: ImportRequest,
  { isDry, signal, onProgress }: Sending,
): Promise<ImportAnswer> {
  const sent = { body: formOf(files), signal, onProgress };
  const dry = isDry ? { dry_run: true } : {};
  if (kind === 'data') {
    const query = { ...dataQuery(choices), ...dry };
    const { body } = await client.call('POST /import/data', { ...sent, query });
    return { kind, body };
  }
  if (kind === 'schema') {
    const query = { ...schemaQuery(choices), ...dry };
    const { body } = await client.call('POST /import/schema', { ...sent, query });
    return { kind, body };
  }
  const { body } = await client.call('POST /import/models', { ...sent, query: dry });
  return { kind, body };
}

function formOf(files: readonly File[]): FormData {
  const form = new FormData();
  for (const file of files) form.append('file', file);
  return form;
}
