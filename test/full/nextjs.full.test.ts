/** The example for Next.js in Next.js itself: built by it, served by it, and used in a browser. */
import { execFile, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { copyPackage } from '../cli/copy-package.ts';
import { freePort } from '../servers/free-port.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const isBuilt = existsSync(join(root, 'dist', 'LICENSES.txt'));
const browserPath = '/usr/bin/chromium-headless-shell';
const timeout = 600_000;

/** Builds the example with a version of Next.js and returns the address of its server. */
async function startNext(version: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-nextjs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(root, 'examples/nextjs'), folder, { recursive: true });
  const dependencies = { next: version, react: '19.3.1', 'react-dom': '19.3.1' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  writeFileSync(
    join(folder, 'app/layout.js'),
    'export default function Layout({ children }) { return <html><body>{children}</body></html>; }',
  );
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' };
  const options = { cwd: folder, env };
  await run('npm', ['install', '--no-audit', '--no-fund'], options);
  copyPackage(join(folder, 'node_modules/database-studio'));
  const next = join(folder, 'node_modules/next/dist/bin/next');
  await run(process.execPath, [next, 'build'], options);
  const port = await freePort();
  const server = spawn(process.execPath, [next, 'start', '-p', String(port)], {
    ...options,
    stdio: 'ignore',
  });
  onTestFinished(() => void server.kill('SIGKILL'));
  const address = `http://127.0.0.1:${port}`;
  for (;;) {
    if (server.exitCode !== null) throw new Error('Next.js has ended.');
    const response = await fetch(`${address}/studio/api/health`).catch(() => undefined);
    if (response?.ok === true) return address;
    await sleep(100);
  }
}

describe.skipIf(!isBuilt)('the studio in Next.js (needs a build)', () => {
  test.each(['16.4.6', '15.5.29'])('%s', { timeout }, async (version) => {
    const address = await startNext(version);
    const home = await fetch(`${address}/studio/`);
    expect([home.status, home.url]).toEqual([200, `${address}/studio`]);
    const body = new FormData();
    const lines = Array.from({ length: 500 }, (_, i) => `${i},name ${i}`);
    body.append('file', new Blob([`id,name\n${lines.join('\n')}\n`]), 'people.csv');
    const imported = await fetch(`${address}/studio/api/import/data?create_table=true`, {
      method: 'POST',
      body,
    });
    expect(await imported.json()).toMatchObject({ rows_imported: 500 });
    const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.goto(`${address}/studio`);
    await page.locator('.home-table', { hasText: 'people' }).click();
    await page.locator('#cell-0-1').click();
    await page.keyboard.type('Grace');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 1 change').waitFor();
    await page.reload();
    await expect.poll(() => page.locator('#cell-0-1').innerText()).toBe('Grace');
    const exported = await fetch(`${address}/studio/api/tables/people/export?format=csv`);
    expect((await exported.text()).split('\n')[1]).toBe('0,Grace');
    expect(errors).toEqual([]);
  });
});
