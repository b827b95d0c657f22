/**
 * Writes docs/api.md and docs/errors.md from the contract; with --check only reports which of
 * them are out of date.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { apiPage } from './docs/api-page.ts';
import { errorsPage } from './docs/errors-page.ts';

const folder = join(import.meta.dirname, '..', 'docs');
const pages: Readonly<Record<string, () => string>> = {
  'api.md': apiPage,
  'errors.md': errorsPage,
};

function storedPage(name: string): string | undefined {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch {
    return undefined;
  }
}

function check(): void {
  const stale = Object.entries(pages).filter(([name, render]) => storedPage(name) !== render());
  if (stale.length === 0) return;
  const names = stale.map(([name]) => `docs/${name}`).join(', ');
  console.log(`Out of date: ${names}. Run: node scripts/write-docs.ts`);
  process.exitCode = 1;
}

function write(): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, render] of Object.entries(pages)) writeFileSync(join(folder, name), render());
}

if (process.argv.includes('--check')) check();
else write();
