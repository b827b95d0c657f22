/** Compares what clients of a cluster know of their writes with what its servers have in the end. */
import { rowsOfBatch } from './cluster-clients.ts';
import type { ClusterLedger, Known } from './cluster-clients.ts';

/** Runs a statement at a server of the cluster. */
type QueryServer = (sql: string) => Promise<readonly Record<string, unknown>[]>;

export interface ClusterFindings {
  readonly findings: Readonly<Record<string, number>>;
  readonly counts: Readonly<Record<string, number>>;
  /** What the findings are, for whoever searches their cause. */
  readonly details: readonly string[];
}

export function newLedger(): ClusterLedger {
  return {
    inserts: new Map(),
    imports: new Map(),
    increments: [],
    wrongReplies: [],
    defects: [],
    counts: {},
  };
}

/** `schema` is the prefix of the names of the tables. */
export async function compareServers(
  ledger: ClusterLedger,
  servers: readonly QueryServer[],
  schema = '',
): Promise<ClusterFindings> {
  const details = [...ledger.wrongReplies, ...ledger.defects];
  const findings: Record<string, number> = {
    'writes acknowledged and lost': 0,
    'writes applied twice': 0,
    'writes refused and applied': 0,
    'imports stored partially': 0,
    'wrong responses': ledger.wrongReplies.length,
    'responses 500': ledger.defects.length,
  };
  const found = (finding: string, detail: string): void => {
    findings[finding] = (findings[finding] ?? 0) + 1;
    details.push(`${finding}: ${detail}`);
  };
  for (const server of servers) {
    const read = async (sql: string): Promise<ReadonlyMap<string, number>> => {
      const rows = await server(sql);
      return new Map(rows.map(({ name, n }) => [String(name), Number(n)]));
    };
    compareInserts(
      ledger.inserts,
      await read(`SELECT token AS name, COUNT(*) AS n FROM ${schema}events GROUP BY token`),
      found,
    );
    compareImports(
      ledger.imports,
      await read(`SELECT batch AS name, COUNT(*) AS n FROM ${schema}loaded GROUP BY batch`),
      found,
    );
    compareCounters(
      ledger.increments,
      await read(`SELECT id AS name, value AS n FROM ${schema}counters`),
      found,
    );
  }
  const known = countKnown([
    ...ledger.inserts.values(),
    ...ledger.imports.values(),
    ...ledger.increments.map((each) => each.known),
  ]);
  return { findings: { ...findings, ...known }, counts: ledger.counts, details };
}

function countKnown(all: readonly Known[]): Readonly<Record<string, number>> {
  const count = (known: Known): number => all.filter((each) => each === known).length;
  return {
    'of all writes: acknowledged': count('acknowledged'),
    'of all writes: refused': count('refused'),
    'of all writes: outcome unknown to the client': count('unknown'),
  };
}

type Found = (finding: string, detail: string) => void;

function compareInserts(
  inserts: ClusterLedger['inserts'],
  stored: ReadonlyMap<string, number>,
  found: Found,
): void {
  for (const [token, known] of inserts) {
    const n = stored.get(token) ?? 0;
    if (known === 'acknowledged' && n === 0) found('writes acknowledged and lost', `row ${token}`);
    if (known === 'refused' && n > 0) found('writes refused and applied', `row ${token}`);
    if (n > 1) found('writes applied twice', `row ${token}`);
  }
}

function compareImports(
  imports: ClusterLedger['imports'],
  stored: ReadonlyMap<string, number>,
  found: Found,
): void {
  for (const [batch, known] of imports) {
    const n = stored.get(String(batch)) ?? 0;
    const detail = `batch ${batch} has ${n} rows`;
    if (known === 'acknowledged' && n === 0) found('writes acknowledged and lost', detail);
    if (known === 'refused' && n > 0) found('writes refused and applied', detail);
    if (n % rowsOfBatch !== 0) found('imports stored partially', detail);
    if (n > rowsOfBatch) found('writes applied twice', detail);
  }
}

function compareCounters(
  increments: ClusterLedger['increments'],
  stored: ReadonlyMap<string, number>,
  found: Found,
): void {
  for (const [row, value] of stored) {
    const count = (known: Known): number =>
      increments.filter((each) => String(each.row) === row && each.known === known).length;
    const [acknowledged, unknown] = [count('acknowledged'), count('unknown')];
    const detail = `counter ${row} is ${value} after ${acknowledged} increments and ${unknown} unknown ones`;
    if (value < acknowledged) found('writes acknowledged and lost', detail);
    if (value > acknowledged + unknown) found('writes refused and applied', detail);
  }
}
