/** The built studio on a demo database, in a real Chromium. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { buildDemoFile } from '../../src/demo/build.ts';
import { createApp } from '../../src/http/app.ts';
import { listen } from '../../src/http/node.ts';
import { createStudio } from '../../src/studio/studio.ts';
import type { AppOptions } from '../../src/http/app.ts';
import type { StudioOptions } from '../../src/studio/studio.ts';

const executable = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => existsSync(path));

export interface OpenOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: 'light' | 'dark';
}

export interface BrowserBench {
  /** The studio's address, without a slash at its end. */
  readonly url: () => string;
  /** Opens a page of the studio; what it complains of in its console fails the test. */
  readonly open: (path: string, options?: OpenOptions) => Promise<Page>;
  /** The demo's file, which the tests of the file share. */
  readonly file: () => string;
}

interface BrowserOptions {
  /** Makes the database, in the place of the demo. */
  readonly build?: (file: string) => unknown;
  readonly studio?: Partial<StudioOptions>;
  readonly app?: AppOptions;
}

/** Tests in a browser, all on one studio; skipped where there is no Chromium. */
export function inBrowser(
  title: string,
  define: (bench: BrowserBench) => void,
  options: BrowserOptions = {},
): void {
  const isMissing = executable === undefined && process.env['CI'] === undefined;
  describe.skipIf(isMissing)(
    `${title} (in Chromium${isMissing ? ', which is not here' : ''})`,
    () => {
      let browser: Browser;
      let served: Awaited<ReturnType<typeof serveDemo>>;
      const complaints: string[] = [];
      beforeAll(async () => {
        served = await serveDemo(options);
        browser = await chromium.launch({
          ...(executable === undefined ? {} : { executablePath: executable }),
          args: ['--no-sandbox'],
        });
      });
      afterAll(async () => {
        await browser.close();
        await served.close();
      });
      afterEach(async () => {
        await Promise.all(browser.contexts().map((context) => context.close()));
        const told = complaints.splice(0);
        if (told.length > 0) throw new Error(`The page complained:\n${told.join('\n')}`);
      });
      define({
        url: () => served.url,
        file: () => served.file,
        open: async (
          path,
          { viewport = { width: 1440, height: 900 }, colorScheme = 'light' } = {},
        ) => {
          const page = await browser.newPage({ viewport, colorScheme });
          page.on('pageerror', (error) => complaints.push(String(error)));
          page.on('console', (message) => {
            if (message.type() === 'error') complaints.push(message.text());
          });
          await page.goto(`${served.url}${path}`);
          return page;
        },
      });
    },
  );
}

async function serveDemo(options: BrowserOptions) {
  const { build = buildDemoFile, studio: studioOptions, app: appOptions } = options;
  const folder = mkdtempSync(join(tmpdir(), 'studio-browser-'));
  const file = join(folder, 'demo.db');
  await build(file);
  const studio = await createStudio({ url: file, ...studioOptions });
  const app = createApp(studio, appOptions);
  const server = await listen({ app, host: '127.0.0.1', port: 0 });
  const close = async (): Promise<void> => {
    await server.close();
    await studio.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { file, close, url: `${server.address}${studio.config.prefix}` };
}

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

interface AxeFinding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** What axe finds serious on the page, a line each. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axeSource);
  const found = (await page.evaluate(
    'axe.run().then((result) => result.violations)',
  )) as AxeFinding[];
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
