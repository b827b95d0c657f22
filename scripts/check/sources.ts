/** The source files of the studio, parsed. */
import { readFileSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';

import { parseSync } from 'oxc-parser';
import type { ParseResult } from 'oxc-parser';

const root = join(import.meta.dirname, '..', '..');

export interface Source {
  /** Relative to the repository, with forward slashes: `src/sql/lexer.ts`. */
  path: string;
  text: string;
  parsed: ParseResult;
}

export function parseSource(path: string, text: string): Source {
  return { path, text, parsed: parseSync(path, text) };
}

function filesBelow(folder: string): string[] {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => posix.relative(root, posix.join(entry.parentPath, entry.name)));
}

/** The TypeScript files of `src`, `ui/src` and the given folders. */
export function readSources(...folders: readonly ('bench' | 'scripts' | 'test')[]): Source[] {
  return ['src', 'ui/src', ...folders]
    .flatMap(filesBelow)
    .map((path) => parseSource(path, readFileSync(join(root, path), 'utf8')));
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** Prints the findings of a check, one per line, and sets a failing exit code if there are any. */
export function report(findings: readonly string[]): void {
  for (const finding of findings) console.log(finding);
  if (findings.length > 0) process.exitCode = 1;
}
