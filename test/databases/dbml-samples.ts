/** DBML files from other projects: what the parser reads, and what a database then contains. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readSchemaUpload } from '../../src/studio/import/schema/read-schema-upload.ts';
import { compareSchemas } from './compare-schemas.ts';
import { importFile, introspectUrl } from './import-job.ts';
import type { DatabaseUnderTest } from './kit/database-under-test.ts';

const folder = join(import.meta.dirname, '../../../shared/samples/dbml');

/**
 * The samples that the official DBML parser accepts. test/formats/schema-dbml.test.ts checks how
 * they are parsed.
 */
export function dbmlSamples(): readonly string[] {
  const path = join(folder, 'facts.json');
  if (!existsSync(path)) return [];
  const facts = JSON.parse(readFileSync(path, 'utf8')) as Record<string, { readonly ok: boolean }>;
  return Object.entries(facts).flatMap(([file, { ok }]) => (ok ? [file] : []));
}

export interface DbmlImport {
  /** Differences between the database and the file. */
  readonly differences: readonly string[];
  readonly warnings: readonly string[];
}

/** Returns the error if the file is rejected. */
export async function importDbml(
  file: string,
  { makeDatabase, dialect }: DatabaseUnderTest,
): Promise<DbmlImport | Error> {
  const path = join(folder, file);
  const upload = { name: file, path, bytes: statSync(path).size };
  const { schema } = await readSchemaUpload(upload, { ownDialect: dialect, data: 'skipped' });
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

/** Differences of tables that no warning names. */
export function withoutWarning({ differences, warnings }: DbmlImport): readonly string[] {
  return differences.filter((difference) => {
    const [table = ''] = difference.split(': ');
    return !warnings.some((warning) => warning.includes(table));
  });
}
