/** `npm run build`, then `node bench/run.ts`: measures and writes bench/results.md. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { prepareDatabase } from './database.ts';
import { measureInserting } from './inserting.ts';
import { measureReading, measureReadingPostgres } from './reading.ts';
import { renderResults } from './results.ts';
import type { WindowSettings } from './load.ts';
import { parsePeers, peers } from './peers.ts';

const { values } = parseArgs({
  options: {
    /** `reading`, `inserting` or `postgres`. Without it, everything is measured. */
    only: { type: 'string' },
    /** The URL of a database in which the table `events` may be replaced. Without it, PostgreSQL is not measured. */
    postgres: { type: 'string', default: process.env['STUDIO_BENCH_POSTGRES'] ?? '' },
    rounds: { type: 'string', default: '3' },
    'window-ms': { type: 'string', default: '1000' },
    /** Numbers of connections of the reads, such as `1,4,16,64`. */
    connections: { type: 'string', default: '1,16' },
    /** `NAME=PATH` of the program of another server, repeatable; `peers.ts` has the names. */
    peer: { type: 'string', multiple: true, default: [] },
    /** The folder for CPU profiles of the studio's processes. */
    profile: { type: 'string' },
    out: { type: 'string', default: join(import.meta.dirname, 'results.md') },
  },
});

const windows: WindowSettings = {
  rounds: Number(values.rounds),
  windowMs: Number(values['window-ms']),
};
const settings = {
  ...windows,
  profileDir: values.profile,
  connections: values.connections.split(',').map(Number),
};
const installedPeers = parsePeers(values.peer);
const missingPeers = peers.filter((peer) => !installedPeers.some((each) => each.peer === peer));
const [load = 0] = loadavg();
const notes = [
  ...missingPeers.map(
    ({ name, program }) =>
      `${name} was not measured. \`--peer ${name}=PATH\` names its program: ${program}.`,
  ),
  ...(values.postgres === '' ? ['PostgreSQL was not measured: --postgres names no database.'] : []),
  ...(load > availableParallelism() / 4
    ? [
        `The machine was busy with other work (load average ${load.toFixed(1)}): a request that passes through two processes suffers more from that than one that does not.`,
      ]
    : []),
];

const isRequested = (measurement: string): boolean => (values.only ?? measurement) === measurement;

prepareDatabase();
const reading = isRequested('reading')
  ? await measureReading({ ...settings, peers: installedPeers })
  : [];
const inserting = isRequested('inserting')
  ? [await measureInserting(settings, 'delete'), await measureInserting(settings, 'wal')]
  : [];
const postgres =
  isRequested('postgres') && values.postgres !== ''
    ? await measureReadingPostgres({ ...settings, peers: installedPeers }, values.postgres)
    : [];
const page = renderResults({ settings: windows, reading, inserting, postgres, notes });
writeFileSync(values.out, page);
process.stdout.write(`\n${page}`);
