/** What a browser loads before it shows anything stays small; editors and drawings come when they are opened. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const mostBytes = 250_000;
const folder = join(import.meta.dirname, '..', '..', 'dist', 'ui');

/** The files that a script imports at once, and itself. */
export function loadedWith(path: string, read: (path: string) => string): ReadonlySet<string> {
  const loaded = new Set<string>();
  const visit = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    const imports = read(file).matchAll(
      /(?:^|[;}\s])(?:import|export)\b[^;'"()]*?["'](\.[^"']+)["']/g,
    );
    for (const [, target = ''] of imports) visit(join(dirname(file), target));
  };
  visit(path);
  return loaded;
}

if (import.meta.main) {
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
  const page = read('index.html');
  const [, entry = ''] = /<script[^>]*src="([^"]+)"/.exec(page) ?? [];
  const styles = [...page.matchAll(/<link[^>]*rel="stylesheet"[^>]*href="([^"]+)"/g)];
  const files = [...loadedWith(entry.replace(/^\.?\//, ''), read)];
  const named = styles.map(([, href = '']) => href.replace(/^\.?\//, ''));
  const bytes = [...files, ...named].reduce((sum, file) => sum + gzipSync(read(file)).length, 0);
  if (bytes > mostBytes) {
    console.error(
      `What the studio loads first is ${bytes} bytes in gzip; ${mostBytes} are allowed.`,
    );
    process.exitCode = 1;
  }
}
