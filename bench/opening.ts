/** `npm run build`, then `node bench/opening.ts`: measures what the browser loads to open a table, and how soon it shows rows. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, CDPSession } from 'playwright-core';
import { buildDemoFile } from '../src/demo/build.ts';
import { benchFolder } from './database.ts';
import { startStudio } from './servers.ts';
import { median } from './statistics.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    /** The factor by which Chromium throttles the processor. */
    slowdown: { type: 'string', default: '4' },
    table: { type: 'string', default: 'books' },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
  },
});

interface Opening {
  readonly requests: number;
  readonly apiRequests: number;
  readonly bytes: number;
  /** From the last byte of the rows to the frame that shows them. */
  readonly rowsShownMs: number;
  readonly shownMs: number;
}

/** Bytes as sent, with headers. */
async function countBytes(session: CDPSession): Promise<() => number> {
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  await session.send('Network.enable');
  return () => bytes;
}

/** In the page: the time of the first frame that shows a value. */
const firstValue = `new Promise((resolve) => {
  const look = () => {
    if (document.querySelector('[role="gridcell"] .v') === null) requestAnimationFrame(look);
    else requestAnimationFrame(() => resolve(performance.now()));
  };
  look();
})`;

async function open(context: BrowserContext, url: string): Promise<Opening> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const bytesOf = await countBytes(session);
  await session.send('Emulation.setCPUThrottlingRate', { rate: Number(values.slowdown) });
  await page.goto(url, { waitUntil: 'commit' });
  const shownMs = (await page.evaluate(firstValue)) as number;
  await page.waitForLoadState('networkidle');
  const resources = (await page.evaluate(
    `performance.getEntriesByType('resource').map(({ name, responseEnd }) => ({ name, responseEnd }))`,
  )) as { name: string; responseEnd: number }[];
  const rows = resources.find(({ name }) => name.includes('/rows?'));
  const opening = {
    requests: resources.length + 1,
    apiRequests: resources.filter(({ name }) => name.includes('/api/')).length,
    bytes: bytesOf(),
    rowsShownMs: shownMs - (rows?.responseEnd ?? Number.NaN),
    shownMs,
  };
  await page.close();
  return opening;
}

/** Opens the page in a context whose cache is empty, and then once more. */
async function openTwice(browser: Browser, url: string): Promise<readonly [Opening, Opening]> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const openings = [await open(context, url), await open(context, url)] as const;
  await context.close();
  return openings;
}

function report(title: string, openings: readonly Opening[]): void {
  const [first] = openings;
  if (first === undefined) return;
  const { requests, apiRequests, bytes } = first;
  console.log(
    `${title}: ${requests} requests, ${apiRequests} of the API, ${(bytes / 1000).toFixed(0)} kB`,
  );
  for (const member of ['rowsShownMs', 'shownMs'] as const) {
    const times = openings.map((opening) => opening[member]);
    const [middle, most] = [median(times), Math.max(...times)].map((ms) => ms.toFixed(0));
    console.log(`  ${member}: median ${middle}, longest ${most}`);
  }
}

const file = join(benchFolder, 'opening.db');
mkdirSync(benchFolder, { recursive: true });
rmSync(file, { force: true });
await buildDemoFile(file);
const browser = await chromium.launch({ executablePath: values.chromium, args: ['--no-sandbox'] });
const studio = await startStudio(file, {});
try {
  const url = `http://127.0.0.1:${studio.port}/studio/tables/${values.table}`;
  // Not counted, because the server introspects the database for the first request.
  await openTwice(browser, url);
  const cold: Opening[] = [];
  const warm: Opening[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    const [first, second] = await openTwice(browser, url);
    cold.push(first);
    warm.push(second);
  }
  report('Empty cache', cold);
  report('Full cache', warm);
} finally {
  await browser.close();
  await studio.stop();
  rmSync(file, { force: true });
}
