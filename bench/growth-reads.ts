/** Growth of the cost of requests that read: by rows, tables, connections, bytes of a cell and columns. */
import { limitApi, studioApi } from './apis.ts';
import type { ServerApi } from './apis.ts';
import { fileOfCells, fileOfColumns, fileOfRows, fileOfTables } from './growth-databases.ts';
import { limitName, studioName } from './growth-curves.ts';
import type { GrowthCurve, GrowthPoint } from './growth-curves.ts';
import { startLoadClient } from './load.ts';
import type { LoadClient } from './load.ts';
import { startPeer } from './peers.ts';
import type { InstalledPeer } from './peers.ts';
import { startLimit, startStudio } from './servers.ts';
import type { RunningServer } from './servers.ts';
import { median } from './statistics.ts';

export interface GrowthSettings {
  /** Leaves out the largest sizes. */
  readonly isSmall: boolean;
  readonly peers: readonly InstalledPeer[];
}

interface Server extends RunningServer {
  readonly name: string;
  readonly api: ServerApi;
}

/** One request, whose path each server has in its own words. */
type RequestOf = (api: ServerApi) => string | undefined | Promise<string | undefined>;

const rounds = 3;
const windowMs = 500;

/** Starts the limit, the studio and the peers on a file, which none of them writes. */
async function withServers<T>(
  file: string,
  peers: readonly InstalledPeer[],
  use: (servers: readonly Server[]) => Promise<T>,
): Promise<T> {
  const servers: Server[] = [];
  try {
    servers.push({ name: limitName, api: limitApi, ...(await startLimit(file)) });
    const studio = await startStudio(file, {});
    servers.push({ name: studioName, api: studioApi(studio.port), ...studio });
    for (const peer of peers) {
      const server = await startPeer(peer, file);
      servers.push({ name: peer.peer.name, api: peer.peer.api(server.port), ...server });
    }
    return await use(servers);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

async function requestsOf(server: Server, request: RequestOf): Promise<readonly string[]> {
  const path = await request(server.api);
  return path === undefined ? [] : [path];
}

interface CostRequest {
  readonly client: LoadClient;
  readonly servers: readonly Server[];
  readonly request: RequestOf;
  readonly connections?: number;
}

/** Milliseconds per response: the median of windows that alternate between the servers, after a warm-up. */
async function measureCosts(cost: CostRequest): Promise<ReadonlyMap<string, number>> {
  const { client, servers, request, connections = 1 } = cost;
  const windows = new Map<string, number[]>();
  for (let round = 0; round <= rounds; round++) {
    for (const server of servers) {
      const requests = (await requestsOf(server, request)).map((path) => ({
        method: 'GET' as const,
        path,
      }));
      if (requests.length === 0) continue;
      const { port } = server;
      const spec = { port, connections, requests, windowMs, settleMs: 100 };
      const { responses, seconds } = await client.run(spec);
      const costs = windows.get(server.name) ?? [];
      // The first round is the warm-up.
      if (round > 0) costs.push((seconds * 1000) / Math.max(responses, 0.5));
      windows.set(server.name, costs);
    }
  }
  return new Map([...windows].map(([name, costs]) => [name, median(costs)]));
}

/** Milliseconds until the last byte of a response of any size: the median of a few, alternately. */
async function measureResponses(
  servers: readonly Server[],
  request: RequestOf,
): Promise<ReadonlyMap<string, number>> {
  const durations = new Map<string, number[]>();
  for (let round = 0; round <= 2 * rounds; round++) {
    for (const server of servers) {
      for (const path of await requestsOf(server, request)) {
        const begin = performance.now();
        const response = await fetch(`http://127.0.0.1:${server.port}${path}`);
        await response.arrayBuffer();
        if (!response.ok) throw new Error(`${server.name} ${path}: ${response.status}`);
        const costs = durations.get(server.name) ?? [];
        if (round > 0) costs.push(performance.now() - begin);
        durations.set(server.name, costs);
      }
    }
  }
  return new Map([...durations].map(([name, costs]) => [name, median(costs)]));
}

function sizesOf(all: readonly number[], { isSmall }: GrowthSettings): readonly number[] {
  return isSmall ? all.slice(0, -1) : all;
}

const firstPage: RequestOf = (api) => api.page(1);

async function growthByRows(
  client: LoadClient,
  settings: GrowthSettings,
): Promise<readonly GrowthCurve[]> {
  const requests: Readonly<Record<string, (rows: number) => RequestOf>> = {
    'First page of 50 rows': () => firstPage,
    'One row by its key': (rows) => (api) => api.row(rows >> 1),
    'Page of an indexed filter': () => (api) => api.rowsOfUser(1),
    'Page after a cursor, in the middle': (rows) => {
      const paths = new Map<ServerApi, Promise<string | undefined>>();
      return (api) => {
        const path = paths.get(api) ?? api.pageAfter(rows / 100);
        paths.set(api, path);
        return path;
      };
    },
  };
  const points = new Map(Object.keys(requests).map((title) => [title, [] as GrowthPoint[]]));
  for (const size of sizesOf([1e4, 1e5, 1e6, 1e7], settings)) {
    await withServers(fileOfRows(size), settings.peers, async (servers) => {
      for (const [title, makeRequest] of Object.entries(requests)) {
        const costs = await measureCosts({ client, servers, request: makeRequest(size) });
        points.get(title)?.push({ size, costs });
      }
    });
    process.stderr.write('.');
  }
  return [...points].map(([title, each]) => ({
    title,
    dimension: 'rows in the table',
    unit: 'ms',
    points: each,
  }));
}

async function growthByTables(settings: GrowthSettings): Promise<readonly GrowthCurve[]> {
  const points: GrowthPoint[] = [];
  for (const size of sizesOf([10, 100, 500, 2000], settings)) {
    const costs = new Map<string, number[]>();
    for (let round = 0; round < rounds; round++) {
      for (const [name, start] of startersOf(fileOfTables(size), settings.peers)) {
        const begin = performance.now();
        const server = await start();
        const response = await fetch(`http://127.0.0.1:${server.port}${await server.path}`);
        await response.arrayBuffer();
        costs.set(name, [...(costs.get(name) ?? []), performance.now() - begin]);
        await server.stop();
      }
    }
    const medians = [...costs].map(([name, each]) => [name, median(each)] as const);
    points.push({ size, costs: new Map(medians) });
    process.stderr.write('.');
  }
  const title = 'From the start to the first page';
  return [{ title, dimension: 'tables', unit: 'ms', points }];
}

type Starter = () => Promise<RunningServer & { readonly path: string | Promise<string> }>;

function startersOf(
  file: string,
  peers: readonly InstalledPeer[],
): readonly (readonly [string, Starter])[] {
  const withPath = async (
    starting: Promise<RunningServer>,
    apiOf: (port: number) => ServerApi,
  ): Promise<RunningServer & { readonly path: string }> => {
    const server = await starting;
    return { ...server, path: (await apiOf(server.port).page(1)) ?? '/' };
  };
  return [
    [limitName, () => withPath(startLimit(file), () => limitApi)],
    [studioName, () => withPath(startStudio(file, {}), studioApi)],
    ...peers.map(
      (peer) => [peer.peer.name, () => withPath(startPeer(peer, file), peer.peer.api)] as const,
    ),
  ];
}

async function growthByConnections(
  client: LoadClient,
  settings: GrowthSettings,
): Promise<readonly GrowthCurve[]> {
  const points: GrowthPoint[] = [];
  await withServers(fileOfRows(1e5), settings.peers, async (servers) => {
    for (const connections of [1, 4, 16, 64]) {
      const costs = await measureCosts({ client, servers, request: firstPage, connections });
      points.push({ size: connections, costs });
    }
  });
  process.stderr.write('.');
  const title = 'First page: time per response';
  return [{ title, dimension: 'connections', unit: 'ms', points }];
}

interface Dimension {
  readonly title: string;
  readonly dimension: string;
  readonly sizes: readonly number[];
  readonly fileOf: (size: number) => string;
  readonly request: RequestOf;
}

/** Peers are left out: most have models compiled in, or cut the values. */
async function growthByDimension({
  title,
  dimension,
  sizes,
  fileOf,
  request,
}: Dimension): Promise<GrowthCurve> {
  const points: GrowthPoint[] = [];
  for (const size of sizes) {
    const costs = await withServers(fileOf(size), [], (servers) =>
      measureResponses(servers, request),
    );
    points.push({ size, costs });
    process.stderr.write('.');
  }
  return { title, dimension, unit: 'ms', points };
}

export async function measureGrowthOfReads(
  settings: GrowthSettings,
): Promise<readonly GrowthCurve[]> {
  const client = startLoadClient();
  try {
    return [
      ...(await growthByRows(client, settings)),
      ...(await growthByConnections(client, settings)),
      ...(await growthByTables({ ...settings, peers: [] })),
      await growthByDimension({
        title: 'One row with one long cell',
        dimension: 'bytes in the cell',
        sizes: sizesOf([10, 1e3, 1e5, 1e6, 1e7], settings),
        fileOf: fileOfCells,
        request: (api) => api.row(10),
      }),
      await growthByDimension({
        title: 'Page of 50 rows',
        dimension: 'columns',
        sizes: [1, 10, 100, 500],
        fileOf: fileOfColumns,
        request: firstPage,
      }),
    ];
  } finally {
    client.stop();
  }
}
