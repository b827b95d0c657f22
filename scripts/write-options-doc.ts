/** Writes docs/options.md from the table of options; with --check it only says whether it is in step. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { optionsDocument } from '../src/cli/help.ts';

const path = join(import.meta.dirname, '..', 'docs', 'options.md');

function isInStep(): boolean {
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
else if (!isInStep()) {
  console.error(
    'docs/options.md is not in step with src/cli/options.ts: run node scripts/write-options-doc.ts',
  );
  process.exitCode = 1;
}
