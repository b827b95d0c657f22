/** Checks the size of what a browser loads before it shows anything. Editors and drawings are loaded when they are opened. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const maxBytes = 250_000;
const folder = join(import.meta.dirname, '..', '..', 'dist', 'ui');

/** A script and the files that it imports statically, directly or indirectly. */
export function filesLoadedBy(path: string, read: (path: string) => string): ReadonlySet<string> {
  const loadedFiles = new Set<string>();
  const visit = (file: string): void => {
    if (loadedFiles.has(file)) return;
    loadedFiles.add(file);
    const imports = read(file).matchAll(
      /(?:^|[;}\s])(?:import|export)\b[^;'"()]*?["'](\.[^"']+)["']/g,
    );
    for (const [, target = ''] of imports) visit(join(dirname(file), target));
  };
  visit(path);
  return loadedFiles;
}

if (import.meta.main) {
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
  const page = read('index.html');
  const [, entry = ''] = /<script[^>]*src="([^"]+)"/.exec(page) ?? [];
  const styles = [...page.matchAll(/<link[^>]*rel="stylesheet"[^>]*href="([^"]+)"/g)];
  const files = [...filesLoadedBy(entry.replace(/^\.?\//, ''), read)];
  const stylesheets = styles.map(([, href = '']) => href.replace(/^\.?\//, ''));
  const bytes = [...files, ...stylesheets].reduce(
    (sum, file) => sum + gzipSync(read(file)).length,
    0,
  );
  if (bytes > maxBytes) {
    console.error(
      `The files that the web studio loads at startup have ${bytes} bytes in gzip; at most ${maxBytes} are allowed.`,
    );
    process.exitCode = 1;
  }
}
