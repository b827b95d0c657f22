/** DBML that others wrote, what we read of it, and what a database then holds. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readSchemaUpload } from '../../src/studio/import/read-schema-upload.ts';
import { compareSchemas } from './compare-schemas.ts';
import { importFile, introspectUrl } from './import-job.ts';
import type { Subject } from './kit/subject.ts';

const folder = join(import.meta.dirname, '../../../shared/samples/dbml');

/** Those that DBML's own parser takes; test/formats/schema-dbml.test.ts proves what is read of them. */
export function dbmlSamples(): readonly string[] {
  const path = join(folder, 'facts.json');
  if (!existsSync(path)) return [];
  const facts = JSON.parse(readFileSync(path, 'utf8')) as Record<string, { readonly ok: boolean }>;
  return Object.entries(facts).flatMap(([file, { ok }]) => (ok ? [file] : []));
}

export interface DbmlImport {
  /** What the database holds otherwise than the file says. */
  readonly differences: readonly string[];
  readonly warnings: readonly string[];
}

/** An error where the file is refused. */
export async function importDbml(
  file: string,
  { makeDatabase, dialect }: Subject,
): Promise<DbmlImport | Error> {
  const path = join(folder, file);
  const upload = { name: file, path, bytes: statSync(path).size };
  const { schema } = await readSchemaUpload(upload, { own: dialect, skipData: true });
  const database = await makeDatabase();
  try {
    const { warnings } = await importFile(path, { url: database.url });
    const found = await introspectUrl(database.url);
    return { differences: compareSchemas(schema, found, { native: false }), warnings };
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  } finally {
    await database.drop();
  }
}

/** Differences of tables that no warning speaks of. */
export function untold({ differences, warnings }: DbmlImport): readonly string[] {
  return differences.filter((difference) => {
    const [table = ''] = difference.split(': ');
    return !warnings.some((warning) => warning.includes(table));
  });
}
