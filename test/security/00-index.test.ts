import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8');
const promises = readFileSync(join(root, 'SECURITY.md'), 'utf8');
const testFiles = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.ts'));

test('every promise of SECURITY.md has a row of tests in the README, which lists every test file', () => {
  for (let number = 1; number <= 16; number++) {
    const [row = ''] = new RegExp(`^\\| ${number} \\|.*$`, 'm').exec(readme) ?? [];
    expect(row, `promise ${number}`).toMatch(/`\d\d-[\w.-]+\.test\.ts`/);
    expect(promises, `promise ${number}`).toMatch(new RegExp(`^${number}\\. \\*\\*`, 'm'));
  }
  for (const name of testFiles) expect(readme).toContain(`\`${name}\``);
});

test('every test file that the README lists exists', () => {
  for (const [, name = ''] of readme.matchAll(/`([\w./-]+\.ts)`/g)) {
    const path = name.includes('/') ? join(root, name) : join(import.meta.dirname, name);
    expect(existsSync(path), name).toBe(true);
  }
});
