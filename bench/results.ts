/**
 * Formats the results as a page, as ratios, which depend little on the machine. "The limit" is a minimal server
 * that only runs the statement and serializes its rows; a window is a measured period of load.
 */
import { availableParallelism } from 'node:os';
import { eventCount, sqliteVersion } from './database.ts';
import type { InsertingFigures } from './inserting.ts';
import { medianRate, ratioTo } from './load.ts';
import type { Figures, Ratio, WindowSettings } from './load.ts';
import type { ReadingFigures, ScenarioName } from './reading.ts';
import { median } from './statistics.ts';

export interface Results {
  readonly settings: WindowSettings;
  readonly reading: readonly ReadingFigures[];
  readonly inserting: readonly InsertingFigures[];
  readonly postgres: readonly ReadingFigures[];
  /** The reason for a missing result. */
  readonly notes: readonly string[];
}

/** Targets: the studio's share of the minimal server's throughput, with 1 and with 16 connections. */
const targets: Readonly<Partial<Record<ScenarioName, Readonly<Record<number, number>>>>> = {
  'page 1': { 1: 0.6, 16: 0.7 },
  'one row': { 1: 0.8, 16: 0.7 },
  'indexed filter': { 1: 0.6, 16: 0.6 },
  'deep page': { 1: 0.8, 16: 0.8 },
};
/** Of the rate of the studio's first page. Windows this short differ by a tenth anyway. */
const cursorTarget = 0.9;
const insertTarget = { perSecond: 2 * 860, p99Ms: 50 };
/** Above this share of a core, the client itself may have been the bottleneck. */
const maxClientCores = 0.9;

export function renderResults(results: Results): string {
  const { rounds, windowMs } = results.settings;
  const parts = [
    '# What the studio reaches of the limit',
    'Written by `node bench/run.ts`; README.md says how to read it.',
    `${new Date().toISOString().slice(0, 10)} · Node ${process.versions.node} · SQLite ${sqliteVersion()} · ` +
      `${availableParallelism()} cores, ${process.platform} ${process.arch} · medians of ${rounds} interleaved windows of ${windowMs / 1000} s`,
    ...(results.reading.length === 0 ? [] : [renderReading(results.reading)]),
    ...(results.inserting.length === 0 ? [] : [renderInserting(results.inserting)]),
    ...(results.postgres.length === 0 ? [] : [renderPostgres(results.postgres)]),
    ...renderNotes(results),
  ];
  return `${parts.join('\n\n')}\n`;
}

function renderReading(reading: readonly ReadingFigures[]): string {
  const head = [
    '## Reading',
    `A table of ${eventCount.toLocaleString('en')} rows and 12 columns; pages of 50 rows. The studio, Soul and gorm-studio give the exact total, Datasette counts up to a time limit, the limit gives none. ` +
      "Requests a second, as parts of the limit's (least to most of the rounds).",
  ].join('\n\n');
  const peerNames = peerNamesIn(reading);
  const rows = reading.map((figures) => readingRow(figures, peerNames));
  const cursor = reading.filter(({ figures }) => figures.has('page 1')).map(cursorRow);
  return [
    head,
    table(['', 'connections', 'studio', ...peerNames, 'target', 'met', ...absoluteTitles], rows),
    "### A cursor page beside page 1, both the studio's",
    table(['', 'connections', 'cursor page / page 1', 'target', 'met'], cursor),
  ].join('\n\n');
}

const postgresTarget = 0.7;

function renderPostgres(reading: readonly ReadingFigures[]): string {
  const text =
    'The same table in PostgreSQL. The limit is a server written by hand: `node:http`, a pool of ten `pg` connections, ' +
    'a prepared statement a request, `JSON.stringify`; no total, no exact numbers, no check. pgweb gives the exact total.';
  const peerNames = peerNamesIn(reading);
  const rows = reading.map(({ scenario, connections, figures }) => {
    const [limit, studio] = [figures.get('limit')!, figures.get('studio')!];
    const measuredRatio = ratioTo(studio, limit);
    const target = scenario === 'page 1' || scenario === 'one row' ? postgresTarget : undefined;
    return [
      scenario,
      String(connections),
      ratioText(measuredRatio),
      ...peerRatios(figures, peerNames),
      ...targetCells(measuredRatio.median, target),
      ...absolutes(limit, studio),
    ];
  });
  const titles = ['', 'connections', 'studio', ...peerNames, 'target', 'met', ...absoluteTitles];
  return ['## Reading from PostgreSQL', text, table(titles, rows)].join('\n\n');
}

const absoluteTitles = ['limit /s', 'studio /s', 'studio p50 ms', 'p99 ms'];

/** The servers beside the limit and the studio, in the order in which they were measured. */
function peerNamesIn(reading: readonly ReadingFigures[]): readonly string[] {
  const names = reading.flatMap(({ figures }) => [...figures.keys()]);
  return [...new Set(names)].filter((name) => !['limit', 'studio', 'page 1'].includes(name));
}

function readingRow(
  { scenario, connections, figures }: ReadingFigures,
  peerNames: readonly string[],
): readonly string[] {
  const [limit, studio] = [figures.get('limit')!, figures.get('studio')!];
  const measuredRatio = ratioTo(studio, limit);
  const target = targets[scenario]?.[connections];
  return [
    scenario,
    String(connections),
    ratioText(measuredRatio),
    ...peerRatios(figures, peerNames),
    ...targetCells(measuredRatio.median, target),
    ...absolutes(limit, studio),
  ];
}

function peerRatios(
  figures: ReadingFigures['figures'],
  peerNames: readonly string[],
): readonly string[] {
  return peerNames.map((name) => {
    const peer = figures.get(name);
    return peer === undefined ? '–' : ratioText(ratioTo(peer, figures.get('limit')!));
  });
}

function cursorRow({ scenario, connections, figures }: ReadingFigures): readonly string[] {
  const measuredRatio = ratioTo(figures.get('studio')!, figures.get('page 1')!);
  return [
    scenario,
    String(connections),
    ratioText(measuredRatio),
    ...targetCells(measuredRatio.median, cursorTarget),
  ];
}

function renderInserting(inserting: readonly InsertingFigures[]): string {
  const rows = inserting.map(({ journalMode, connections, figures }) => {
    const [limit, studio] = [figures.get('limit')!, figures.get('studio')!];
    const p99Ms = median(studio.windows.map((window) => window.p99Ms));
    const isMet = medianRate(studio) >= insertTarget.perSecond && p99Ms < insertTarget.p99Ms;
    return [
      `journal_mode ${journalMode}`,
      String(connections),
      ratioText(ratioTo(studio, limit)),
      isMet ? 'yes' : 'no',
      ...absolutes(limit, studio),
    ];
  });
  const target = `Target: ${insertTarget.perSecond} a second, p99 under ${insertTarget.p99Ms} ms.`;
  const text = `Rows posted one at a time; the limit commits each on its own with synchronous=FULL. README.md says how to see whether the studio syncs too. ${target}`;
  return [
    '## Inserting',
    text,
    table(['', 'clients', 'studio / limit', 'met', ...absoluteTitles], rows),
  ].join('\n\n');
}

function absolutes(limit: Figures, studio: Figures): readonly string[] {
  const p50Ms = median(studio.windows.map((window) => window.p50Ms));
  const p99Ms = median(studio.windows.map((window) => window.p99Ms));
  return [
    medianRate(limit).toFixed(0),
    medianRate(studio).toFixed(0),
    p50Ms.toFixed(2),
    p99Ms.toFixed(2),
  ];
}

function ratioText({ median: middle, least, most }: Ratio): string {
  return `${middle.toFixed(2)} (${least.toFixed(2)}–${most.toFixed(2)})`;
}

function targetCells(measuredRatio: number, target: number | undefined): readonly [string, string] {
  if (target === undefined) return ['–', '–'];
  return [target.toFixed(2), measuredRatio >= target ? 'yes' : 'no'];
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  return [titles, titles.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function renderNotes({ notes, reading, inserting, postgres }: Results): readonly string[] {
  const cores = [...reading, ...inserting, ...postgres]
    .flatMap(({ figures }) => [...figures.values()])
    .flatMap(({ windows }) => windows.map(({ clientCores }) => clientCores));
  const peakCores = Math.max(0, ...cores);
  const client =
    peakCores > maxClientCores
      ? [
          `The client itself took up to ${peakCores.toFixed(2)} cores: the fastest figures may be its own.`,
        ]
      : [];
  return [...notes, ...client].map((note) => `- ${note}`);
}
