/** Compares reads by the studio and its peers with a minimal server, which counts and checks nothing. */
import { createRandom } from '../src/demo/random.ts';
import { copyDatabase, eventCount, removeDatabase, userCount } from './database.ts';
import { getJson, idsOf, limitApi, pageSize, studioApi } from './apis.ts';
import type { ServerApi } from './apis.ts';
import { measureAlternately, startLoadClient, warmUp } from './load.ts';
import type { LoadTarget, Figures, LoadClient, LoadRequest, WindowSettings } from './load.ts';
import { preparePostgres } from './postgres-database.ts';
import { startPeer } from './peers.ts';
import type { InstalledPeer } from './peers.ts';
import { startLimit, startPostgresLimit, startStudio } from './servers.ts';
import type { RunningServer, StudioSettings } from './servers.ts';

/** Beyond 500,000 rows. */
const deepPages = Array.from({ length: 10 }, (_, i) => eventCount / 2 / pageSize + i + 1);

interface Server extends RunningServer {
  readonly name: string;
  readonly api: ServerApi;
}

type Path = string | undefined;

interface Scenario {
  readonly name: string;
  paths(api: ServerApi): readonly (Path | Promise<Path>)[];
}

const random = createRandom('requests');
const ids = Array.from({ length: 2000 }, () => random.int(1, eventCount));
const users = Array.from({ length: 2000 }, () => random.int(1, userCount));

export const scenarios = [
  { name: 'page 1', paths: (api) => [api.page(1)] },
  { name: 'one row', paths: (api) => ids.map((id) => api.row(id)) },
  { name: 'indexed filter', paths: (api) => users.map((user) => api.rowsOfUser(user)) },
  { name: 'deep page', paths: (api) => deepPages.map((page) => api.page(page)) },
  { name: 'cursor page', paths: (api) => deepPages.map((page) => api.pageAfter(page)) },
] as const satisfies readonly Scenario[];

export type ScenarioName = (typeof scenarios)[number]['name'];

export interface ReadingFigures {
  readonly scenario: ScenarioName;
  readonly connections: number;
  /** By the name of the server. In the cursor scenario, `page 1` is the first page of the studio, for comparison. */
  readonly figures: ReadonlyMap<string, Figures>;
}

export interface ReadingSettings extends WindowSettings, StudioSettings {
  /** The numbers of connections with which each scenario is measured. */
  readonly connections: readonly number[];
  readonly peers: readonly InstalledPeer[];
}

/** Measures the minimal server, the studio and the peers, each on its own SQLite file. */
export async function measureReading(
  settings: ReadingSettings,
): Promise<readonly ReadingFigures[]> {
  const files: string[] = [];
  const copy = (name: string): string => {
    files.push(copyDatabase(`reading-${name}`, 'wal'));
    return files.at(-1)!;
  };
  try {
    return await measureServers(settings, {
      limit: () => startLimit(copy('limit')),
      studio: () => startStudio(copy('studio'), settings),
      peer: (peer) => startPeer(peer, copy(peer.peer.name)),
      peers: settings.peers.filter(({ peer }) => peer.database === 'sqlite'),
    });
  } finally {
    files.forEach(removeDatabase);
  }
}

/** Measures the minimal server, the studio and the peers, all on one PostgreSQL database that contains the events. */
export async function measureReadingPostgres(
  settings: ReadingSettings,
  url: string,
): Promise<readonly ReadingFigures[]> {
  await preparePostgres(url);
  return measureServers(settings, {
    limit: () => startPostgresLimit(url),
    studio: () => startStudio(url, settings),
    peer: (peer) => startPeer(peer, url),
    peers: settings.peers.filter(({ peer }) => peer.database === 'postgres'),
  });
}

interface ServersToStart {
  readonly limit: () => Promise<RunningServer>;
  readonly studio: () => Promise<RunningServer>;
  readonly peer: (peer: InstalledPeer) => Promise<RunningServer>;
  readonly peers: readonly InstalledPeer[];
}

async function measureServers(
  settings: ReadingSettings,
  toStart: ServersToStart,
): Promise<readonly ReadingFigures[]> {
  const client = startLoadClient();
  const servers: Server[] = [];
  try {
    servers.push({ name: 'limit', api: limitApi, ...(await toStart.limit()) });
    const studio = await toStart.studio();
    servers.push({ name: 'studio', api: studioApi(studio.port), ...studio });
    for (const installed of toStart.peers) {
      const { name, api } = installed.peer;
      const server = await toStart.peer(installed);
      servers.push({ name, api: api(server.port), ...server });
    }
    return await measureScenarios({ client, settings, servers });
  } finally {
    client.stop();
    await Promise.all(servers.map((server) => server.stop()));
  }
}

interface Measurement {
  readonly client: LoadClient;
  readonly settings: ReadingSettings;
  readonly servers: readonly Server[];
}

async function measureScenarios({
  client,
  settings,
  servers,
}: Measurement): Promise<readonly ReadingFigures[]> {
  const all: ReadingFigures[] = [];
  for (const scenario of scenarios) {
    const targets = await targetsFor(scenario, servers);
    await compareResponses(targets);
    if (scenario.name === 'cursor page') targets.push(await firstPage(servers));
    await warmUp(client, targets);
    for (const connections of settings.connections) {
      const figures = await measureAlternately(client, settings, { connections, targets });
      all.push({
        scenario: scenario.name,
        connections,
        figures: new Map(figures.map((each) => [each.name, each])),
      });
      process.stderr.write('.');
    }
  }
  return all;
}

async function targetsFor(scenario: Scenario, servers: readonly Server[]): Promise<LoadTarget[]> {
  const targets: LoadTarget[] = [];
  for (const { name, port, api } of servers) {
    const all = await Promise.all(scenario.paths(api).map(async (path) => path));
    const paths = all.filter((path) => path !== undefined);
    if (paths.length > 0) targets.push({ name, port, requests: paths.map(getRequest) });
  }
  return targets;
}

async function firstPage(servers: readonly Server[]): Promise<LoadTarget> {
  const { api, port } = servers.find(({ name }) => name === 'studio')!;
  return { name: 'page 1', port, requests: [getRequest((await api.page(1))!)] };
}

function getRequest(path: string): LoadRequest {
  return { method: 'GET', path };
}

/** Checks before measuring that every server returns the same rows as the minimal server. */
async function compareResponses(targets: readonly LoadTarget[]): Promise<void> {
  const responses = await Promise.all(
    targets.map(async ({ port, requests }) => idsOf(await getJson(port, requests[0]!.path))),
  );
  const differing = targets.filter((_, i) => responses[i] !== responses[0]);
  if (responses[0] === '' || responses[0] === 'undefined' || differing.length > 0) {
    throw new Error(
      `The rows differ from those of the minimal server: ${differing.map(({ name, requests }) => `${name} ${requests[0]!.path}`).join(', ')}`,
    );
  }
}
