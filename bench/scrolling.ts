/** `npm run build`, then `node bench/scrolling.ts`: measures how long rows in view stay blank after scrolling, in Chromium. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import SqliteDatabase from 'better-sqlite3';
import { chromium } from 'playwright-core';
import type { Page } from 'playwright-core';
import { benchFolder, copyDatabase, removeDatabase } from './database.ts';
import { startStudio } from './servers.ts';
import { median } from './statistics.ts';

const { values } = parseArgs({
  options: {
    /** How many jumps lead from the first to the last of the million rows. */
    jumps: { type: 'string', default: '200' },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
  },
});

const wideColumns = 60;
const longCell = 5_000_000;

interface BlankTimes {
  readonly median: number;
  readonly longest: number;
  /** How many took more than 200 ms. */
  readonly over200Ms: number;
  readonly count: number;
}

/**
 * Runs in the page: waits for a frame in which every row in view has its values. 42 px is the height of the
 * head of the grid, 28 px that of a row.
 */
const untilShownScript = `
  window.untilShown = () => new Promise((resolve) => {
    const started = performance.now();
    const look = () => {
      const grid = document.querySelector('[role="grid"]');
      const { top, bottom } = grid.getBoundingClientRect();
      const rows = [...grid.querySelectorAll('.gr:not(.head)')].filter((row) => {
        const box = row.getBoundingClientRect();
        return box.bottom > top + 42 && box.top < bottom;
      });
      const height = rows.reduce((sum, row) => sum + row.getBoundingClientRect().height, 0);
      const isFilled = height >= grid.clientHeight - 42 - 28;
      if (isFilled && rows.every((row) => !row.classList.contains('unread')))
        resolve(performance.now() - started);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });`;

/** Jumps from the first row to the last in equal steps, and waits after each jump until the rows are shown. */
async function jumpToEnd(page: Page, jumps: number): Promise<BlankTimes> {
  await page.evaluate(untilShownScript);
  const times: number[] = [];
  for (let i = 1; i <= jumps; i++) {
    times.push(
      (await page.evaluate(`(async () => {
        const grid = document.querySelector('[role="grid"]');
        grid.scrollTop = (grid.scrollHeight - grid.clientHeight) * ${i / jumps};
        return window.untilShown();
      })()`)) as number,
    );
  }
  return blankTimesOf(times);
}

const frames = 300;
const frameRows = 8;

/** Scrolls by a few rows per frame, as fast as a mouse wheel, and waits after each frame until the rows are shown. */
async function scrollContinuously(page: Page): Promise<BlankTimes> {
  const times = (await page.evaluate(`(async () => {
    ${untilShownScript}
    const grid = document.querySelector('[role="grid"]');
    const times = [];
    for (let i = 0; i < ${frames}; i++) {
      grid.scrollTop += ${frameRows * 28};
      times.push(await window.untilShown());
    }
    return times;
  })()`)) as number[];
  return blankTimesOf(times);
}

function blankTimesOf(times: readonly number[]): BlankTimes {
  const longest = Math.max(...times);
  return {
    median: median(times),
    longest,
    over200Ms: times.filter((time) => time > 200).length,
    count: times.length,
  };
}

function createWideTables(file: string): void {
  const database = new SqliteDatabase(file);
  const names = Array.from({ length: wideColumns }, (_, i) => `column_${i + 1}`);
  database.exec(`CREATE TABLE wide (id INTEGER PRIMARY KEY, ${names.join(' TEXT, ')} TEXT);
    CREATE TABLE long (id INTEGER PRIMARY KEY, note TEXT, body TEXT)`);
  const wide = database.prepare(
    `INSERT INTO wide (${names.join()}) VALUES (${names.map(() => '?').join()})`,
  );
  const long = database.prepare('INSERT INTO long (note, body) VALUES (?, ?)');
  database.transaction(() => {
    for (let row = 0; row < 5000; row++) wide.run(names.map((name) => `${name} of ${row}`));
    for (let row = 0; row < 20; row++) long.run(`note ${row}`, 'x'.repeat(longCell));
  })();
  database.close();
}

function print(title: string, { median: middle, longest, over200Ms, count }: BlankTimes): void {
  console.log(
    `${title}: median ${middle.toFixed(0)} ms, longest ${longest.toFixed(0)} ms, ${over200Ms} of ${count} over 200 ms`,
  );
}

const file = copyDatabase('scrolling', 'wal');
const wideFile = join(benchFolder, 'scrolling-wide.db');
removeDatabase(wideFile);
createWideTables(wideFile);
const browser = await chromium.launch({ executablePath: values.chromium, args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
const open = async (port: number, path: string): Promise<number> => {
  const started = performance.now();
  await page.goto(`http://127.0.0.1:${port}/studio${path}`);
  await page.locator('[role="gridcell"] .v').first().waitFor();
  return performance.now() - started;
};
const million = await startStudio(file, {});
const wide = await startStudio(wideFile, {});
try {
  await open(million.port, '/tables/events?page_size=all');
  print('1,000,000 rows, jumps from end to end', await jumpToEnd(page, Number(values.jumps)));
  for (const startingShare of [0, 0.5, 0.9]) {
    await page.evaluate(
      `(() => { const grid = document.querySelector('[role="grid"]'); grid.scrollTop = grid.scrollHeight * ${startingShare}; })()`,
    );
    await page.evaluate('window.untilShown()');
    print(
      `1,000,000 rows, continuous scrolling from ${startingShare * 100} %`,
      await scrollContinuously(page),
    );
  }
  await open(wide.port, '/tables/wide?page_size=all');
  print(`${wideColumns} columns, continuous scrolling`, await scrollContinuously(page));
  const ms = await open(wide.port, '/tables/long');
  console.log(`20 cells of ${longCell / 1e6} MB: shown after ${ms.toFixed(0)} ms`);
} finally {
  await browser.close();
  await Promise.all([million.stop(), wide.stop()]);
  removeDatabase(file);
  removeDatabase(wideFile);
}
