import type { Page } from 'playwright-core';

export interface NamedFile {
  readonly name: string;
  readonly content: string | Buffer;
}

/** Selects files on the import page. */
export async function choose(page: Page, ...files: readonly NamedFile[]): Promise<void> {
  await page.getByLabel('File to import').setInputFiles(
    files.map(({ name, content }) => ({
      name,
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(content),
    })),
  );
}

/** The rows of a table, from the API. */
export async function rowsOf(url: string, table: string, filter: string): Promise<unknown[]> {
  const response = await fetch(`${url}/api/tables/${table}/rows?${filter}`);
  return ((await response.json()) as { data: unknown[] }).data;
}
