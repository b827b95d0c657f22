/** `npm run build`, then `node bench/scrolling.ts`: how long the grid stays blank, in a real Chromium. */
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
    /** How many places of the million rows are gone to, one after the other from end to end. */
    jumps: { type: 'string', default: '200' },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
  },
});

const wideColumns = 60;
const longCell = 5_000_000;

interface Blanks {
  readonly median: number;
  readonly most: number;
  /** Of those over 200 ms. */
  readonly over: number;
  readonly count: number;
}

/** In the page: waits until a frame has shown every row in view with its values. */
const watch = `
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

/** From the first row to the last, a place at a time, each until it is shown. */
async function jumpThrough(page: Page, jumps: number): Promise<Blanks> {
  await page.evaluate(watch);
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
  return blanksOf(times);
}

const frames = 300;
const frameRows = 8;

/** At a pace that a wheel keeps up: a frame at a time, each row in view looked for in each. */
async function scrollOn(page: Page): Promise<Blanks> {
  const times = (await page.evaluate(`(async () => {
    ${watch}
    const grid = document.querySelector('[role="grid"]');
    const times = [];
    for (let i = 0; i < ${frames}; i++) {
      grid.scrollTop += ${frameRows * 28};
      times.push(await window.untilShown());
    }
    return times;
  })()`)) as number[];
  return blanksOf(times);
}

function blanksOf(times: readonly number[]): Blanks {
  const most = Math.max(...times);
  return {
    median: median(times),
    most,
    over: times.filter((time) => time > 200).length,
    count: times.length,
  };
}

function makeWide(file: string): void {
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

function print(title: string, { median: middle, most, over, count }: Blanks): void {
  console.log(
    `${title}: median ${middle.toFixed(0)} ms, longest ${most.toFixed(0)} ms, ${over} of ${count} over 200 ms`,
  );
}

const file = copyDatabase('scrolling', 'wal');
const wideFile = join(benchFolder, 'scrolling-wide.db');
removeDatabase(wideFile);
makeWide(wideFile);
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
  print('1,000,000 rows, end to end in places', await jumpThrough(page, Number(values.jumps)));
  for (const part of [0, 0.5, 0.9]) {
    await page.evaluate(
      `(() => { const grid = document.querySelector('[role="grid"]'); grid.scrollTop = grid.scrollHeight * ${part}; })()`,
    );
    await page.evaluate('window.untilShown()');
    print(`1,000,000 rows, scrolled on from ${part * 100} %`, await scrollOn(page));
  }
  await open(wide.port, '/tables/wide?page_size=all');
  print(`${wideColumns} columns, scrolled on`, await scrollOn(page));
  const ms = await open(wide.port, '/tables/long');
  console.log(`20 cells of ${longCell / 1e6} MB: shown after ${ms.toFixed(0)} ms`);
} finally {
  await browser.close();
  await Promise.all([million.stop(), wide.stop()]);
  removeDatabase(file);
  removeDatabase(wideFile);
}
