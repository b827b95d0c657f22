import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const ui = join(import.meta.dirname, '../../dist/ui');
const isMissing = !existsSync(ui) && process.env['CI'] === undefined;

/** The files that a browser loads before the first render, including their imports. */
function entryFiles(): readonly string[] {
  const page = readFileSync(join(ui, 'index.html'), 'utf8');
  const files = new Set([...page.matchAll(/"\.\/(assets\/[^"]+)"/g)].map(([, file = '']) => file));
  for (const file of files) {
    const text = readFileSync(join(ui, file), 'utf8');
    for (const [, name = ''] of text.matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g))
      files.add(`assets/${name}`);
  }
  return [...files];
}

test.skipIf(isMissing)('the first load is at most 250 kB, compressed with gzip', () => {
  const files = entryFiles();
  expect(files.length).toBeGreaterThan(2);
  const bytes = files.map((file) => gzipSync(readFileSync(join(ui, file))).length);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(250_000);
  expect(files.filter((file) => /diagram|sql-page/.test(file))).toEqual([]);
});
