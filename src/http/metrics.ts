/** Metrics in the text format of Prometheus: https://prometheus.io/docs/instrumenting/exposition_formats/ */
import { cacheNames } from '../studio/core/cache-uses.ts';
import type { StandbyState } from '../model/server-state.ts';
import type { PoolStats } from '../model/database.ts';
import type { CacheUse, CacheUses } from '../studio/core/cache-uses.ts';
import type { JobCounts } from '../studio/studio.ts';

export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

/** A completed request. The duration is in seconds, until the headers of the response. */
export interface CompletedRequest {
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
}

export interface RequestMetrics {
  record(request: CompletedRequest): void;
  /** The lines of the histogram. */
  lines(): readonly string[];
}

/** Upper bounds in seconds. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

interface Series {
  readonly labels: string;
  /** The number of requests in each bucket, not yet added up; the last one has no upper bound. */
  readonly counts: number[];
  sum: number;
}

/** Routes, methods and statuses are finite sets, so no client can make the memory grow. */
export function createRequestMetrics(): RequestMetrics {
  const all = new Map<string, Series>();
  return {
    record({ route, method, status, seconds }) {
      const labels = `route="${route}",method="${knownMethod(method)}",status="${status}"`;
      const series = all.get(labels) ?? {
        labels,
        counts: Array<number>(buckets.length + 1).fill(0),
        sum: 0,
      };
      all.set(labels, series);
      const found = buckets.findIndex((bound) => seconds <= bound);
      const index = found < 0 ? buckets.length : found;
      series.counts[index] = (series.counts[index] ?? 0) + 1;
      series.sum += seconds;
    },
    lines: () => [
      ...headOf('studio_http_request_duration_seconds', 'histogram'),
      ...[...all.values()].flatMap(linesOf),
    ],
  };
}

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']);

function knownMethod(method: string): string {
  return methods.has(method) ? method : 'other';
}

function linesOf({ labels, counts, sum }: Series): readonly string[] {
  const name = 'studio_http_request_duration_seconds';
  let total = 0;
  const lines = counts.map((count, i) => {
    total += count;
    return `${name}_bucket{${labels},le="${buckets[i] ?? '+Inf'}"} ${total}`;
  });
  return [...lines, `${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${total}`];
}

const help: Readonly<Record<string, string>> = {
  studio_http_request_duration_seconds: 'Time until the headers of a response, by route.',
  studio_database_connections_max: 'Connections that the pools may open.',
  studio_database_connections_open: 'Open connections to the database.',
  studio_database_connections_in_use: 'Connections that requests use.',
  studio_database_connection_waits_total: 'Requests that waited for a connection.',
  studio_database_connection_wait_seconds_total: 'Time of these waits.',
  studio_database_replication_lag_seconds: 'How far a standby is behind its primary, at most.',
  studio_standby_available:
    'Whether the standby of --read-url responds; 0: pages come from the primary.',
  studio_standby_replication_lag_seconds: 'How far that standby is behind, at most.',
  studio_jobs_running: 'Imports and exports that run.',
  studio_jobs_waiting: 'Imports and exports that wait for others.',
  studio_child_processes: 'Child processes of the studio.',
  studio_cache_hits_total: 'Lookups in a cache that had what was asked for.',
  studio_cache_misses_total: 'Lookups in a cache that did not, so that it was read or computed.',
  process_resident_memory_bytes: 'Memory of the main process, without its child processes.',
  process_cpu_seconds_total: 'CPU time of the main process.',
  process_start_time_seconds: 'When the process was started, in seconds since 1970.',
};

function headOf(name: string, type: 'gauge' | 'counter' | 'histogram'): readonly string[] {
  return [`# HELP ${name} ${help[name] ?? ''}`, `# TYPE ${name} ${type}`];
}

function valueLines(name: string, value: number): readonly string[] {
  return [...headOf(name, name.endsWith('_total') ? 'counter' : 'gauge'), `${name} ${value}`];
}

function cacheLines(
  name: string,
  caches: CacheUses,
  countOf: (use: CacheUse) => number,
): readonly string[] {
  const lines = cacheNames.map((cache) => `${name}{cache="${cache}"} ${countOf(caches[cache])}`);
  return [...headOf(name, 'counter'), ...lines];
}

export interface ServiceState {
  readonly pool: PoolStats;
  readonly jobs: JobCounts;
  readonly children: number;
  readonly caches: CacheUses;
  readonly lagSeconds?: number | undefined;
  readonly standby?: StandbyState | undefined;
}

function standbyValues(standby: StandbyState | undefined): Readonly<Record<string, number>> {
  if (standby === undefined) return {};
  const { isAway, lagSeconds } = standby;
  return {
    studio_standby_available: isAway ? 0 : 1,
    ...(lagSeconds === undefined ? {} : { studio_standby_replication_lag_seconds: lagSeconds }),
  };
}

export function metricsText(
  requests: RequestMetrics,
  { pool, jobs, children, caches, lagSeconds, standby }: ServiceState,
): string {
  const { user, system } = process.cpuUsage();
  const values: Readonly<Record<string, number>> = {
    studio_database_connections_max: pool.maxOpenConnections,
    studio_database_connections_open: pool.openConnections,
    studio_database_connections_in_use: pool.inUse,
    studio_database_connection_waits_total: pool.waitCount,
    studio_database_connection_wait_seconds_total: pool.waitDurationMs / 1000,
    studio_jobs_running: jobs.running,
    studio_jobs_waiting: jobs.waiting,
    studio_child_processes: children,
    ...(lagSeconds === undefined ? {} : { studio_database_replication_lag_seconds: lagSeconds }),
    ...standbyValues(standby),
    process_resident_memory_bytes: process.memoryUsage.rss(),
    process_cpu_seconds_total: (user + system) / 1_000_000,
    process_start_time_seconds: Date.now() / 1000 - process.uptime(),
  };
  const lines = Object.entries(values).flatMap(([name, value]) => valueLines(name, value));
  return [
    ...requests.lines(),
    ...lines,
    ...cacheLines('studio_cache_hits_total', caches, ({ hits }) => hits),
    ...cacheLines('studio_cache_misses_total', caches, ({ misses }) => misses),
    '',
  ].join('\n');
}
