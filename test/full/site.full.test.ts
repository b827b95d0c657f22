/** The documentation as a static site. VitePress itself rejects dead links. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'studio-site-'));
const built = join(folder, 'site/dist');

const pages = readdirSync(join(root, 'docs'), { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('.md'))
  .map((name) => (name === 'README.md' ? 'index.html' : name.replace(/md$/, 'html')));

beforeAll(async () => {
  cpSync(join(root, 'docs'), join(folder, 'docs'), { recursive: true });
  const isSource = (path: string): boolean =>
    !/\/(?:node_modules|dist|pages|\.temp)$/.test(path.replaceAll('\\', '/'));
  cpSync(join(root, 'site'), join(folder, 'site'), { recursive: true, filter: isSource });
  const cwd = join(folder, 'site');
  await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd });
  await run('npm', ['run', 'build'], { cwd, env: { ...process.env, SITE_BASE: '/docs/' } });
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('has every page, and nothing else', () => {
  const found = readdirSync(built, { recursive: true }).map(String);
  const html = found.filter((name) => name.endsWith('.html') && name !== '404.html');
  expect(html.toSorted()).toEqual(pages.toSorted());
});

test('has every page in its sidebar', () => {
  const start = readFileSync(join(built, 'index.html'), 'utf8');
  const missing = pages.filter((page) => {
    const path = page.replace(/\.html$/, '');
    return page !== 'index.html' && !start.includes(`href="/docs/${path}"`);
  });
  expect(missing).toEqual([]);
});
