/** Runs a schema import in the process of the test. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { importSchema } from '../../src/studio/import/schema/import-schema.ts';
import { createContext } from '../../src/studio/core/create-context.ts';
import { findJournalFolder, journalsIn } from '../../src/studio/import/schema/journal-files.ts';
import { undoJournal } from '../../src/studio/import/schema/undo-journals.ts';
import type { Schema } from '../../src/model/schema.ts';
import type {
  ImportSchemaResponse,
  ImportSchemaInput,
} from '../../src/studio/import/schema/import-schema.ts';
import type { JobContext } from '../../src/studio/core/job.ts';
import type { Capability } from '../../src/model/capabilities.ts';
import { openDatabase } from './registered-databases.ts';

export type ImportParameters = Omit<ImportSchemaInput, 'upload'>;

export interface ImportRequest {
  /** The URL of the database. */
  readonly url: string;
  readonly stateDir?: string;
  readonly parameters?: ImportParameters;
}

/** Imports the file at a path. */
export async function importFile(
  path: string,
  order: ImportRequest,
): Promise<ImportSchemaResponse> {
  return withContext(order, (context) => {
    const file = { name: basename(path), path, bytes: statSync(path).size };
    const upload = { files: [file], fields: {} };
    return importSchema(context, { ...order.parameters, upload });
  });
}

/** Imports a text as a file with that name. */
export async function importText(
  name: string,
  text: string | Uint8Array,
  order: ImportRequest,
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
  { url, stateDir }: ImportRequest,
  work: (context: JobContext<Capability>) => Promise<T>,
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

/** Undoes imports that are known to have ended, without waiting for signs of life. */
export async function undoEndedImports(order: ImportRequest): Promise<void> {
  await withContext(order, async (context) => {
    const folder = await findJournalFolder(context);
    for (const name of folder === undefined ? [] : await journalsIn(folder))
      await undoJournal(context, name);
  });
}
