/** The built studio on a demo database, in a real Chromium. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest';
import { buildDemoFile } from '../../src/demo/build.ts';
import { createApp } from '../../src/http/app.ts';
import { listen } from '../../src/http/node.ts';
import { createStudio } from '../../src/studio/studio.ts';
import type { AppOptions } from '../../src/http/app.ts';
import type { StudioOptions } from '../../src/studio/studio.ts';

const executable = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => existsSync(path));

export interface OpenOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: 'light' | 'dark';
  readonly permissions?: readonly string[];
}

export interface BrowserHarness {
  /** The URL of the studio without a trailing slash. */
  readonly url: () => string;
  /** Opens a page of the studio. Any error or warning in its console fails the test. */
  readonly open: (path: string, options?: OpenOptions) => Promise<Page>;
  /** The file of the demo database, shared by the tests of a file. */
  readonly file: () => string;
}

interface BrowserOptions {
  /** Creates the database instead of the demo. */
  readonly build?: (file: string) => unknown;
  readonly studio?: Partial<StudioOptions>;
  readonly app?: AppOptions;
  /** Uses another database than the demo file. */
  readonly database?: () => Promise<ServedDatabase>;
}

export interface ServedDatabase {
  readonly url: string;
  readonly drop: () => Promise<void>;
}

/** Tests in a browser, all on one studio. Skipped if Chromium is not installed. */
export function inBrowser(
  title: string,
  define: (harness: BrowserHarness) => void,
  options: BrowserOptions = {},
): void {
  const isMissing = executable === undefined && process.env['CI'] === undefined;
  describe.skipIf(isMissing)(
    `${title} (in Chromium${isMissing ? ', which is not installed' : ''})`,
    () => {
      let browser: Browser;
      let served: Awaited<ReturnType<typeof serveDemo>>;
      let unavailableReason: string | undefined;
      const consoleErrors: string[] = [];
      beforeAll(async () => {
        try {
          served = await serveDemo(options);
        } catch (error) {
          if (options.database === undefined || process.env['CI'] !== undefined) throw error;
          unavailableReason = (error as Error).message;
          return;
        }
        browser = await chromium.launch({
          ...(executable === undefined ? {} : { executablePath: executable }),
          args: ['--no-sandbox'],
        });
      });
      beforeEach((context) => {
        if (unavailableReason !== undefined)
          context.skip(`the database is not available: ${unavailableReason}`);
      });
      afterAll(async () => {
        if (unavailableReason !== undefined) return;
        await browser.close();
        await served.close();
      });
      afterEach(async () => {
        if (unavailableReason !== undefined) return;
        await Promise.all(browser.contexts().map((context) => context.close()));
        const reported = consoleErrors.splice(0);
        if (reported.length > 0)
          throw new Error(`The page reported errors:\n${reported.join('\n')}`);
      });
      define({
        url: () => served.url,
        file: () => served.file,
        open: async (
          path,
          { viewport = { width: 1440, height: 900 }, colorScheme = 'light', permissions = [] } = {},
        ) => {
          const page = await browser.newPage({
            viewport,
            colorScheme,
            permissions: [...permissions],
          });
          page.on('pageerror', (error) => consoleErrors.push(String(error)));
          page.on('console', (message) => {
            if (message.type() === 'error') consoleErrors.push(message.text());
          });
          await page.goto(`${served.url}${path}`);
          return page;
        },
      });
    },
  );
}

async function makeFile(build: (file: string) => unknown): Promise<ServedDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-browser-'));
  const url = join(folder, 'demo.db');
  await build(url);
  return { url, drop: async () => rmSync(folder, { recursive: true, force: true }) };
}

async function serveDemo({
  studio: studioOptions,
  app: appOptions,
  build = buildDemoFile,
  database = () => makeFile(build),
}: BrowserOptions) {
  const { url: file, drop } = await database();
  const studio = await createStudio({ url: file, ...studioOptions });
  const app = createApp(studio, appOptions);
  const server = await listen({ app, host: '127.0.0.1', port: 0 });
  const close = async (): Promise<void> => {
    await server.close();
    await studio.close();
    await drop();
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

/** Serious findings of axe on the page, one per line: of all rules, or only of the one about colors. */
export async function seriousAxeFindings(
  page: Page,
  rules: 'all' | 'colors' = 'all',
): Promise<readonly string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axeSource);
  // Without `resultTypes`, axe also describes every element that passes each rule.
  const run = {
    resultTypes: ['violations'],
    ...(rules === 'all' ? {} : { runOnly: ['color-contrast'] }),
  };
  const found = (await page.evaluate(
    `axe.run(${JSON.stringify(run)}).then((result) => result.violations)`,
  )) as AxeFinding[];
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** The first column of a query on a SQLite file, without the studio. */
export function storedIn(file: string, query: string): readonly unknown[] {
  const database = new BetterSqlite3(file, { readonly: true });
  try {
    return database.prepare(query).pluck().all();
  } finally {
    database.close();
  }
}

/** Changes a SQLite file like another program. */
export function changeFile(file: string, statement: string): void {
  const database = new BetterSqlite3(file);
  try {
    database.exec(statement);
  } finally {
    database.close();
  }
}

export const phone = { width: 390, height: 844 } as const;
