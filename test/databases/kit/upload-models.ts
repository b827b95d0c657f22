import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  ImportModelsInput,
  ImportModelsResponse,
} from '../../../src/studio/import/schema/import-models.ts';
import type { Studio } from '../../../src/studio/studio.ts';

/** Imports files as `name: text` or `name: bytes`, or one text. A text without a package clause gets one. */
export async function uploadModels(
  studio: Studio,
  files: Readonly<Record<string, string | Buffer>> | string,
  query: Omit<ImportModelsInput, 'upload'> = {},
): Promise<ImportModelsResponse> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-models-'));
  const textsByName: Readonly<Record<string, string | Buffer>> =
    typeof files === 'string' ? { 'models.go': files } : files;
  const uploaded = Object.entries(textsByName).map(([name, body], i) => {
    const text = body.includes('package ') ? body : `package models\n${body}`;
    const path = join(folder, `upload-${i}`);
    writeFileSync(path, text);
    const parts = name.split('/');
    return {
      name: parts.pop()!,
      folder: parts.join('/'),
      path,
      bytes: Buffer.byteLength(text),
    };
  });
  try {
    const job = await studio.start('import-models', {
      upload: { files: uploaded, fields: {} },
      ...query,
    });
    job.head.catch(() => undefined);
    job.output.resume();
    job.output.on('error', () => undefined);
    return (await job.result) as ImportModelsResponse;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
