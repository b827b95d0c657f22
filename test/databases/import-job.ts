/** A schema import as its process does it, in this one. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { openDatabase } from '../../src/databases/index.ts';
import { importSchema } from '../../src/studio/import/import-schema.ts';
import { createContext } from '../../src/studio/core/create-context.ts';
import type { Schema } from '../../src/model/schema.ts';
import type {
  ImportSchemaResponse,
  ImportSchemaInput,
} from '../../src/studio/import/import-schema.ts';
import type { JobContext } from '../../src/studio/core/job.ts';

export type ImportParameters = Omit<ImportSchemaInput, 'upload'>;

export interface ImportOrder {
  /** Of the database. */
  readonly url: string;
  readonly stateDir?: string;
  readonly parameters?: ImportParameters;
}

/** The file at a path, imported. */
export async function importFile(path: string, order: ImportOrder): Promise<ImportSchemaResponse> {
  return withContext(order, (context) => {
    const file = { name: basename(path), path, bytes: statSync(path).size };
    const upload = { files: [file], fields: {} };
    return importSchema(context, { ...order.parameters, upload });
  });
}

/** A text as a file of that name. */
export async function importText(
  name: string,
  text: string | Uint8Array,
  order: ImportOrder,
): Promise<ImportSchemaResponse> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-import-'));
  try {
    writeFileSync(join(folder, name), text);
    return await importFile(join(folder, name), order);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function introspectUrl(url: string): Promise<Schema> {
  return withContext({ url }, ({ database }) => database.introspect());
}

export async function withContext<T>(
  { url, stateDir }: ImportOrder,
  work: (context: JobContext) => Promise<T>,
): Promise<T> {
  const target = { url, readOnly: false, create: false };
  const database = await openDatabase(target);
  try {
    return await work({
      ...createContext(database, { readOnly: false, disableSql: false, allowDdl: true }),
      target,
      folder: tmpdir(),
      maxUploadBytes: 1024 ** 3,
      fonts: [],
      ...(stateDir === undefined ? {} : { stateDir }),
    });
  } finally {
    await database.close();
  }
}
