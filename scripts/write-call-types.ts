/**
 * Writes src/contract/client/call-types.ts from the routes; with --check only reports whether it is out of date.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callTypes } from './call-types/call-types.ts';

const file = join(import.meta.dirname, '..', 'src', 'contract', 'client', 'call-types.ts');
const text = callTypes();

if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
  console.log(
    'src/contract/client/call-types.ts does not match the routes. Run: node scripts/write-call-types.ts',
  );
  process.exitCode = 1;
}
