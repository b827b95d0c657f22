/** Writes docs/options.md from the table of options; with --check only reports whether the page is out of date. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { optionsDocument } from '../src/cli/help.ts';

const path = join(import.meta.dirname, '..', 'docs', 'options.md');

function isUpToDate(): boolean {
  try {
    return readFileSync(path, 'utf8') === optionsDocument();
  } catch {
    return false;
  }
}

function write(): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, optionsDocument());
}

if (!process.argv.includes('--check')) write();
else if (!isUpToDate()) {
  console.error(
    'docs/options.md does not match src/cli/options.ts. Run: node scripts/write-options-doc.ts',
  );
  process.exitCode = 1;
}
