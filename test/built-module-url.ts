/** Stands for src/processes/module-url.ts in tests, when dist is built: what starts by a URL runs from there. */
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '..');

/** Maps a module of src to its compiled file in dist. */
export function moduleUrl(source: URL): URL {
  const path = relative(join(root, 'src'), fileURLToPath(source));
  return pathToFileURL(join(root, 'dist', path.replace(/\.ts$/, '.js')));
}
