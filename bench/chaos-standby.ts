/**
 * Three copies of the studio at a PostgreSQL primary, with their pages from its standby (`--read-url`), under load
 * while the standby falls behind, stops or takes over. Needs Debian's package haproxy.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../test/servers/free-port.ts';
import { queryServer, startCluster } from '../test/servers/postgres-cluster.ts';
import { killAndRestart } from './chaos-databases.ts';
import { startBalancer } from './cluster-balancer.ts';
import { counterRows } from './cluster-clients.ts';
import { endCopies, openCopies, startCopy } from './cluster-copies.ts';
import { injectFaults, underLoad } from './cluster-faults.ts';
import { compareServers, newLedger } from './cluster-findings.ts';
import { frozenServer, killServer, pidFileOf } from './postgres-processes.ts';
import type { PostgresServer } from '../test/servers/embedded-postgres.ts';
import type { PostgresCluster } from '../test/servers/postgres-cluster.ts';
import type { ClusterPlan, ClusterReport } from './chaos-cluster.ts';
import type { Copy } from './cluster-copies.ts';
import type { Fault } from './cluster-faults.ts';

interface StandbyPlan extends ClusterPlan {
  /**
   * Whether commits wait for the standby (`--read-your-writes`), and clients use any copy. Otherwise each client uses
   * one copy, which knows what the standby lacks of its own writes.
   */
  readonly isSynchronous: boolean;
}

export async function runStandbyChaos(plan: StandbyPlan): Promise<ClusterReport> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-chaos-standby-'));
  const durable = { synchronous_commit: 'on', wal_keep_size: '1GB' };
  const cluster = await startCluster({
    primary: plan.isSynchronous ? { ...durable, synchronous_standby_names: '*' } : durable,
    standby: durable,
  });
  const ends: (() => void)[] = [];
  try {
    await createTables(cluster);
    const copies = await openCopies(plan.program);
    ends.push(() => endCopies(copies));
    const options = {
      program: plan.program,
      argsOf: () => argsOf(cluster, join(folder, 'state'), plan.isSynchronous),
    };
    for (const copy of copies) copy.process = await startCopy(options, copy);
    const port = await freePort();
    ends.push(startBalancer({ folder, ports: portsOf(port, copies), isOfStudioOnly: true }));
    const ledger = newLedger();
    const ownPortOf = (client: number): number => copies[client % copies.length]!.port;
    const portOf = plan.isSynchronous ? () => port : ownPortOf;
    let isPromoted = false;
    const promoted = (): void => void (isPromoted = true);
    const faults = await underLoad({ clients: plan.clients, portOf, ledger }, () =>
      injectFaults({
        ...plan,
        port: portOf(0),
        faultsOf: (round) => {
          const takesOver = plan.isSynchronous && round === plan.rounds - 1;
          return { ...faultsOf(cluster), ...(takesOver ? takeover(cluster, promoted) : {}) };
        },
        untilWhole: () => (isPromoted ? Promise.resolve() : untilApplied(cluster)),
      }),
    );
    const servers = isPromoted ? [cluster.standby] : [cluster.primary, cluster.standby];
    if (!isPromoted) await untilApplied(cluster);
    const findings = await compareServers(
      ledger,
      servers.map((server) => (sql) => queryServer(server, sql)),
    );
    return { faults, ...findings };
  } finally {
    for (const end of ends) end();
    await cluster.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

function portsOf(port: number, copies: readonly Copy[]): Readonly<Record<string, number>> {
  const entries = copies.map(({ link }, i) => [`10.0.0.1${i + 1}:4555`, link.port]);
  return { '10.0.0.1:4555': port, ...(Object.fromEntries(entries) as Record<string, number>) };
}

function argsOf(
  { primary, standby }: PostgresCluster,
  stateFolder: string,
  isSynchronous: boolean,
): readonly string[] {
  const [first, second] = [primary, standby].map(({ port }) => `127.0.0.1:${port}`);
  const login = `postgres://${primary.user}:${primary.password}`;
  return [
    `${login}@${first},${second}/postgres?target_session_attrs=read-write`,
    '--read-url',
    `${login}@${second}/postgres`,
    '--state-dir',
    stateFolder,
    ...(isSynchronous ? ['--read-your-writes'] : []),
  ];
}

type Servers = Omit<PostgresCluster, 'remove'>;

async function createTables({ primary, standby }: Servers): Promise<void> {
  for (const statement of [
    'CREATE TABLE events (id bigserial PRIMARY KEY, client int NOT NULL, token varchar(40) NOT NULL)',
    'CREATE INDEX ON events (token)',
    'CREATE TABLE loaded (id bigserial PRIMARY KEY, batch int NOT NULL, n int NOT NULL, note text)',
    'CREATE INDEX ON loaded (batch)',
    'CREATE TABLE counters (id int PRIMARY KEY, value int NOT NULL)',
    `INSERT INTO counters SELECT i, 0 FROM generate_series(0, ${counterRows - 1}) i`,
  ])
    await queryServer(primary, statement);
  await untilApplied({ primary, standby });
}

function faultsOf({ primary, standby }: PostgresCluster): Readonly<Record<string, Fault>> {
  const pause = (lastsMs: number): Fault => ({
    begin: () => queryServer(standby, 'SELECT pg_wal_replay_pause()'),
    lastsMs,
    end: () => queryServer(standby, 'SELECT pg_wal_replay_resume()'),
  });
  const frozen = frozenServer(standby);
  return {
    'the standby applies nothing for 8 s': pause(8000),
    // Longer than the time limit of statements.
    'the standby applies nothing for 40 s': pause(40_000),
    'the standby cancels reads to apply changes': canceledReads({ primary, standby }),
    'SIGSTOP of the standby for 20 s': {
      begin: frozen.freeze,
      lastsMs: 20_000,
      end: frozen.thaw,
    },
    'kill -9 of the standby': {
      begin: () => killServer(standby),
      lastsMs: 8000,
      end: () => standby.start(),
    },
    'kill -9 of the primary, and its restart': {
      begin: () => killAndRestart(primary, pidFileOf(primary)),
      lastsMs: 0,
      end: () => {},
    },
  };
}

/** The standby takes over for good. */
function takeover(
  { primary, standby }: PostgresCluster,
  promoted: () => void,
): Readonly<Record<string, Fault>> {
  return {
    'kill -9 of the primary, and the standby takes over after 3 s': {
      begin: () => killServer(primary),
      lastsMs: 3000,
      end: async () => {
        await queryServer(standby, 'SELECT pg_promote()');
        promoted();
      },
    },
  };
}

/** Locks and removed row versions that the standby applies at once, whoever reads there. */
function canceledReads({ primary, standby }: Servers): Fault {
  let isDone = false;
  let working: Promise<void> | undefined;
  const setDelay = async (value: string): Promise<void> => {
    await queryServer(standby, `ALTER SYSTEM SET max_standby_streaming_delay = '${value}'`);
    await queryServer(standby, 'SELECT pg_reload_conf()');
  };
  const work = async (): Promise<void> => {
    while (!isDone) {
      await queryServer(primary, 'UPDATE events SET client = client WHERE client = 0');
      await queryServer(primary, 'VACUUM events');
      await queryServer(primary, 'ALTER TABLE events ALTER client SET DEFAULT 0');
      await sleep(20);
    }
  };
  return {
    begin: async () => {
      await setDelay('0');
      isDone = false;
      working = work();
    },
    lastsMs: 8000,
    end: async () => {
      isDone = true;
      await working;
      await setDelay('30s');
      const [row] = await queryServer(
        standby,
        'SELECT sum(confl_lock + confl_snapshot) AS n FROM pg_stat_database_conflicts',
      );
      console.log(`The standby has canceled ${String(row?.['n'])} reads so far.`);
    },
  };
}

/** Until the standby has applied what the primary has written so far. */
async function untilApplied({ primary, standby }: Servers): Promise<void> {
  const position = async (server: PostgresServer, lsn: string): Promise<bigint> => {
    const text = `SELECT pg_wal_lsn_diff(${lsn}, '0/0')::text AS at`;
    const [row] = await queryServer(server, text).catch(() => []);
    return BigInt(String(row?.['at'] ?? -1));
  };
  for (;;) {
    const written = await position(primary, 'pg_current_wal_insert_lsn()');
    await sleep(200);
    if ((await position(standby, 'pg_last_wal_replay_lsn()')) >= written && written > 0n) return;
  }
}
