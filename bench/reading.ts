/** Compares reads by the studio and Soul with a minimal server, which counts and checks nothing. */
import { createRandom } from '../src/demo/random.ts';
import { copyDatabase, eventCount, removeDatabase, userCount } from './database.ts';
import { measureAlternately, startLoadClient, warmUp } from './load.ts';
import type { LoadTarget, Figures, LoadClient, LoadRequest, WindowSettings } from './load.ts';
import { preparePostgres } from './postgres-database.ts';
import { startLimit, startPostgresLimit, startSoul, startStudio } from './servers.ts';
import type { RunningServer, SoulSettings, StudioSettings } from './servers.ts';

const pageSize = 50;
/** Beyond 500,000 rows. */
const deepPages = Array.from({ length: 10 }, (_, i) => eventCount / 2 / pageSize + i + 1);

/** The requests of the scenarios for one server. Page numbers start at 1. */
interface Api {
  readonly page: (page: number) => string;
  readonly row: (id: number) => string;
  readonly rowsOfUser: (user: number) => string;
  /** The page after a page, by cursor; undefined if the server has no cursors. */
  readonly pageAfter: (page: number) => Promise<string | undefined>;
}

interface Server extends RunningServer {
  readonly name: string;
  readonly api: Api;
}

const limitApi: Api = {
  page: (page) => `/rows?limit=${pageSize}&offset=${(page - 1) * pageSize}`,
  row: (id) => `/rows/${id}`,
  rowsOfUser: (user) => `/rows?limit=${pageSize}&user_id=${user}`,
  pageAfter: async (page) => `/rows?limit=${pageSize}&after=${page * pageSize}`,
};

const soulApi: Api = {
  page: (page) => `/api/tables/events/rows?_page=${page}&_limit=${pageSize}`,
  row: (id) => `/api/tables/events/rows/${id}`,
  rowsOfUser: (user) =>
    `/api/tables/events/rows?_page=1&_limit=${pageSize}&_filters=user_id:${user}`,
  pageAfter: async () => undefined,
};

function studioApi(port: number): Api {
  const rows = '/studio/api/tables/events/rows';
  const page = (number: number): string => `${rows}?page=${number}&page_size=${pageSize}`;
  return {
    page,
    row: (id) => `${rows}/${id}`,
    rowsOfUser: (user) => `${rows}?page_size=${pageSize}&filter_user_id=${user}`,
    pageAfter: async (number) => {
      const { next_cursor: cursor } = await getJson(port, page(number));
      return `${rows}?page_size=${pageSize}&cursor=${String(cursor)}`;
    },
  };
}

type Paths = readonly (string | undefined)[];

interface Scenario {
  readonly name: string;
  paths(api: Api): Promise<Paths> | Paths;
}

const random = createRandom('requests');
const ids = Array.from({ length: 2000 }, () => random.int(1, eventCount));
const users = Array.from({ length: 2000 }, () => random.int(1, userCount));

export const scenarios = [
  { name: 'page 1', paths: (api) => [api.page(1)] },
  { name: 'one row', paths: (api) => ids.map(api.row) },
  { name: 'indexed filter', paths: (api) => users.map(api.rowsOfUser) },
  { name: 'deep page', paths: (api) => deepPages.map(api.page) },
  { name: 'cursor page', paths: (api) => Promise.all(deepPages.map(api.pageAfter)) },
] as const satisfies readonly Scenario[];

export type ScenarioName = (typeof scenarios)[number]['name'];

export interface ReadingFigures {
  readonly scenario: ScenarioName;
  readonly connections: number;
  /** By the name of the server. In the cursor scenario, `page 1` is the first page of the studio, for comparison. */
  readonly figures: ReadonlyMap<string, Figures>;
}

export interface ReadingSettings extends WindowSettings, StudioSettings {
  readonly soul?: SoulSettings | undefined;
}

/** Measures the minimal server, the studio and Soul, each on its own SQLite file. */
export async function measureReading(
  settings: ReadingSettings,
): Promise<readonly ReadingFigures[]> {
  const files = ['limit', 'studio', 'soul'].map((name) => copyDatabase(`reading-${name}`, 'wal'));
  const [limitFile = '', studioFile = '', soulFile = ''] = files;
  const { soul } = settings;
  try {
    return await measureServers(settings, {
      limit: () => startLimit(limitFile),
      studio: () => startStudio(studioFile, settings),
      ...(soul === undefined ? {} : { soul: () => startSoul(soulFile, soul) }),
    });
  } finally {
    files.forEach(removeDatabase);
  }
}

/** Measures the minimal server and the studio, both on one PostgreSQL database that contains the events. */
export async function measureReadingPostgres(
  settings: ReadingSettings,
  url: string,
): Promise<readonly ReadingFigures[]> {
  await preparePostgres(url);
  return measureServers(settings, {
    limit: () => startPostgresLimit(url),
    studio: () => startStudio(url, settings),
  });
}

interface StartServer {
  readonly limit: () => Promise<RunningServer>;
  readonly studio: () => Promise<RunningServer>;
  readonly soul?: () => Promise<RunningServer>;
}

async function measureServers(
  settings: ReadingSettings,
  startServer: StartServer,
): Promise<readonly ReadingFigures[]> {
  const client = startLoadClient();
  const servers: Server[] = [];
  try {
    servers.push({ name: 'limit', api: limitApi, ...(await startServer.limit()) });
    const studio = await startServer.studio();
    servers.push({ name: 'studio', api: studioApi(studio.port), ...studio });
    if (startServer.soul)
      servers.push({ name: 'soul', api: soulApi, ...(await startServer.soul()) });
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
    if (scenario.name === 'cursor page') targets.push(firstPage(servers));
    await warmUp(client, targets);
    for (const connections of [1, 16]) {
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
    const paths = (await scenario.paths(api)).filter((path) => path !== undefined);
    if (paths.length > 0) targets.push({ name, port, requests: paths.map(getRequest) });
  }
  return targets;
}

function firstPage(servers: readonly Server[]): LoadTarget {
  const studio = servers.find(({ name }) => name === 'studio')!;
  return { name: 'page 1', port: studio.port, requests: [getRequest(studio.api.page(1))] };
}

function getRequest(path: string): LoadRequest {
  return { method: 'GET', path };
}

type ReadResponse = Readonly<Record<string, unknown>>;

async function getJson(port: number, path: string): Promise<ReadResponse> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as ReadResponse;
}

/** Checks before measuring that every server returns the same rows as the minimal server. */
async function compareResponses(targets: readonly LoadTarget[]): Promise<void> {
  const responses = await Promise.all(
    targets.map(async ({ port, requests }) => idsOf(await getJson(port, requests[0]!.path))),
  );
  const differing = targets.filter((_, i) => responses[i] !== responses[0]);
  if (responses[0] === '' || differing.length > 0) {
    throw new Error(
      `The rows differ from those of the minimal server: ${differing.map(({ name, requests }) => `${name} ${requests[0]!.path}`).join(', ')}`,
    );
  }
}

function idsOf({ data, id }: ReadResponse): string {
  const rows = Array.isArray(data)
    ? (data as readonly ReadResponse[])
    : [{ id: id ?? (data as ReadResponse)['id'] }];
  return rows.map((row) => String(row['id'])).join();
}
