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

const dbml = 'Table dropped {\n  id int\n}\n';

interface DroppedFiles {
  readonly selector: string;
  readonly names: readonly string[];
  readonly content?: string;
}

/** Drops files of the same content on an element of the page. */
export async function drop(
  page: Page,
  { selector, names, content = dbml }: DroppedFiles,
): Promise<void> {
  const dropped = await page.evaluateHandle(`(() => {
    const data = new DataTransfer();
    for (const name of ${JSON.stringify(names)})
      data.items.add(new File([${JSON.stringify(content)}], name));
    return data;
  })()`);
  await page.dispatchEvent(selector, 'drop', { dataTransfer: dropped });
}

/** The rows of a table, from the API. */
export async function rowsOf(url: string, table: string, filter: string): Promise<unknown[]> {
  const response = await fetch(`${url}/api/tables/${table}/rows?${filter}`);
  return ((await response.json()) as { data: unknown[] }).data;
}
