/**
 * `node bench/chaos.ts [--rounds 3] [--clients 16] [--pause-ms 1500] [--only sqlite] [--out FILE]`:
 * a studio on SQLite and one on PostgreSQL under load, while processes are killed and disks fill up.
 * Linux only; full disks need root. Writes what was found to `chaos.md`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../test/servers/embedded-postgres.ts';
import { runChaos } from './chaos-run.ts';
import type { ChaosPlan, ChaosReport, Change } from './chaos-run.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    clients: { type: 'string', default: '16' },
    'pause-ms': { type: 'string', default: '1500' },
    only: { type: 'string', default: '' },
    out: { type: 'string', default: join(import.meta.dirname, 'chaos.md') },
  },
});

const usual = {
  clients: Number(values.clients),
  rounds: Number(values.rounds),
  pauseMs: Number(values['pause-ms']),
  program: join(import.meta.dirname, '..', 'bin', 'database-studio.js'),
};

function tables(key: string): readonly string[] {
  return [
    `CREATE TABLE ledger (id ${key}, client INTEGER, n INTEGER, note TEXT)`,
    `CREATE TABLE loaded (id ${key}, batch INTEGER, n INTEGER, note TEXT)`,
  ];
}

const studios: Readonly<Record<string, () => Promise<ChaosReport>>> = {
  sqlite: () =>
    runChaos({
      ...usual,
      url: (folder) => join(folder, 'chaos.db'),
      tables: tables('INTEGER PRIMARY KEY'),
    }),
  postgres: async () => {
    const server = await startPostgres({ settings: { synchronous_commit: 'on', fsync: 'on' } });
    const url = `postgres://${server.user}:${server.password}@127.0.0.1:${server.port}/postgres`;
    const pidFile = join(server.socketDirectory, 'postmaster.pid');
    const killDatabase: ChaosPlan['killDatabase'] = async () => {
      process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGKILL');
      await server.stop();
      await server.start();
    };
    try {
      return await runChaos({
        ...usual,
        url: () => url,
        tables: tables('BIGSERIAL PRIMARY KEY'),
        killDatabase,
      });
    } finally {
      await server.remove();
    }
  },
};

const reports: (readonly [string, ChaosReport])[] = [];
for (const [name, run] of Object.entries(studios)) {
  if (!name.includes(values.only)) continue;
  console.log(`${name} …`);
  reports.push([name, await run()]);
}
const text = page(reports);
writeFileSync(values.out, text);
console.log(text);

function page(found: typeof reports): string {
  const change = ({ before, after }: Change): string => `${before} → ${after}`;
  const line = (title: string, of: (report: ChaosReport) => string | number): string =>
    `| ${title} | ${found.map(([, report]) => of(report)).join(' | ')} |`;
  const names = [...new Set(found.flatMap(([, { counts }]) => Object.keys(counts)))].toSorted();
  return [
    '# Chaos',
    '',
    `${usual.clients} clients, ${usual.rounds} rounds of faults, by \`node bench/chaos.ts\`.`,
    '',
    `| | ${found.map(([name]) => name).join(' | ')} |`,
    `| --- | ${found.map(() => '---:').join(' | ')} |`,
    line('faults', ({ faults }) => faults.length),
    line('acknowledged writes that are lost', ({ lostWrites }) => lostWrites),
    line('writes that are there twice', ({ doubledWrites }) => doubledWrites),
    line('acknowledged imports that are lost', ({ lostImports }) => lostImports),
    line('imports of which a part is there', ({ halfImports }) => halfImports),
    line('temporary files', ({ temporaryFiles }) => temporaryFiles.length),
    line('zombies', ({ zombies }) => zombies),
    line('processes without a parent', ({ orphans }) => orphans),
    line('connections in use', ({ connectionsInUse }) => connectionsInUse),
    line('file descriptors', ({ descriptors }) => change(descriptors)),
    line('memory of the server, MB', ({ memoryMb }) => change(memoryMb)),
    ...names.map((name) => line(name, ({ counts }) => counts[name] ?? 0)),
    '',
  ].join('\n');
}
