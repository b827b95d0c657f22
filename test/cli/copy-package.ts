import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '..', '..');

/**
 * Copies the files of the built package into a folder, with nothing installed beside them but their
 * dependencies. They are copied because Node would resolve a link to where the other packages are.
 */
export function copyPackage(folder: string): void {
  for (const path of ['package.json', ...manifest.files])
    cpSync(join(root, path), join(folder, path), { recursive: true });
  for (const name of Object.keys(manifest.dependencies)) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), link, 'junction');
  }
}
