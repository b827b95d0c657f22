import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const index = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8');
const promises = readFileSync(join(root, 'SECURITY.md'), 'utf8');
const here = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.ts'));

test('every promise has its tests, and every test its promise', () => {
  for (let number = 1; number <= 16; number++) {
    const [row = ''] = new RegExp(`^\\| ${number} \\|.*$`, 'm').exec(index) ?? [];
    expect(row, `promise ${number}`).toMatch(/`\d\d-[\w-]+\.test\.ts`/);
    expect(promises, `promise ${number}`).toMatch(new RegExp(`^${number}\\. \\*\\*`, 'm'));
  }
  for (const name of here) expect(index).toContain(`\`${name}\``);
});

test('every test file in the index exists', () => {
  for (const [, name = ''] of index.matchAll(/`([\w./-]+\.ts)`/g)) {
    const path = name.includes('/') ? join(root, name) : join(import.meta.dirname, name);
    expect(existsSync(path), name).toBe(true);
  }
});
