/** Compares reads by the studio and Soul with a minimal server, which counts and checks nothing. */
import { createRandom } from '../src/demo/random.ts';
import { copyDatabase, eventCount, removeDatabase, userCount } from './database.ts';
import { interleave, startLoadClient, warm } from './load.ts';
import type { Contestant, Figures, LoadClient, LoadRequest, WindowSettings } from './load.ts';
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
  readonly ofUser: (user: number) => string;
  /** The page behind a page, without counting the rows before it; undefined where that cannot be asked for. */
  readonly behind: (page: number) => Promise<string | undefined>;
}

interface Server extends RunningServer {
  readonly name: string;
  readonly api: Api;
}

const limitApi: Api = {
  page: (page) => `/rows?limit=${pageSize}&offset=${(page - 1) * pageSize}`,
  row: (id) => `/rows/${id}`,
  ofUser: (user) => `/rows?limit=${pageSize}&user_id=${user}`,
  behind: async (page) => `/rows?limit=${pageSize}&after=${page * pageSize}`,
};

const soulApi: Api = {
  page: (page) => `/api/tables/events/rows?_page=${page}&_limit=${pageSize}`,
  row: (id) => `/api/tables/events/rows/${id}`,
  ofUser: (user) => `/api/tables/events/rows?_page=1&_limit=${pageSize}&_filters=user_id:${user}`,
  behind: async () => undefined,
};

function studioApi(port: number): Api {
  const rows = '/studio/api/tables/events/rows';
  const page = (number: number): string => `${rows}?page=${number}&page_size=${pageSize}`;
  return {
    page,
    row: (id) => `${rows}/${id}`,
    ofUser: (user) => `${rows}?page_size=${pageSize}&filter_user_id=${user}`,
    behind: async (number) => {
      const { next_cursor: cursor } = await ask(port, page(number));
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
  { name: 'indexed filter', paths: (api) => users.map(api.ofUser) },
  { name: 'deep page', paths: (api) => deepPages.map(api.page) },
  { name: 'cursor page', paths: (api) => Promise.all(deepPages.map(api.behind)) },
] as const satisfies readonly Scenario[];

export type ScenarioName = (typeof scenarios)[number]['name'];

export interface ReadingFigures {
  readonly scenario: ScenarioName;
  readonly connections: number;
  /** By the server's name; in the cursor scenario `page 1` is the studio's first page beside it. */
  readonly figures: ReadonlyMap<string, Figures>;
}

export interface ReadingSettings extends WindowSettings, StudioSettings {
  readonly soul?: SoulSettings | undefined;
}

/** The three on a SQLite file each. */
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

/** The studio beside a server written by hand, both on a PostgreSQL database with the events in it. */
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

interface Starts {
  readonly limit: () => Promise<RunningServer>;
  readonly studio: () => Promise<RunningServer>;
  readonly soul?: () => Promise<RunningServer>;
}

async function measureServers(
  settings: ReadingSettings,
  starts: Starts,
): Promise<readonly ReadingFigures[]> {
  const client = startLoadClient();
  const servers: Server[] = [];
  try {
    servers.push({ name: 'limit', api: limitApi, ...(await starts.limit()) });
    const studio = await starts.studio();
    servers.push({ name: 'studio', api: studioApi(studio.port), ...studio });
    if (starts.soul) servers.push({ name: 'soul', api: soulApi, ...(await starts.soul()) });
    return await measureScenarios({ client, settings, servers });
  } finally {
    client.stop();
    await Promise.all(servers.map((server) => server.stop()));
  }
}

interface Setting {
  readonly client: LoadClient;
  readonly settings: ReadingSettings;
  readonly servers: readonly Server[];
}

async function measureScenarios({
  client,
  settings,
  servers,
}: Setting): Promise<readonly ReadingFigures[]> {
  const all: ReadingFigures[] = [];
  for (const scenario of scenarios) {
    const contestants = await contestantsFor(scenario, servers);
    await compareResponses(contestants);
    if (scenario.name === 'cursor page') contestants.push(firstPage(servers));
    await warm(client, contestants);
    for (const connections of [1, 16]) {
      const figures = await interleave(client, settings, { connections, contestants });
      all.push({
        scenario: scenario.name,
        connections,
        figures: new Map(figures.map((it) => [it.name, it])),
      });
      process.stderr.write('.');
    }
  }
  return all;
}

async function contestantsFor(
  scenario: Scenario,
  servers: readonly Server[],
): Promise<Contestant[]> {
  const contestants: Contestant[] = [];
  for (const { name, port, api } of servers) {
    const paths = (await scenario.paths(api)).filter((path) => path !== undefined);
    if (paths.length > 0) contestants.push({ name, port, requests: paths.map(get) });
  }
  return contestants;
}

function firstPage(servers: readonly Server[]): Contestant {
  const studio = servers.find(({ name }) => name === 'studio')!;
  return { name: 'page 1', port: studio.port, requests: [get(studio.api.page(1))] };
}

function get(path: string): LoadRequest {
  return { method: 'GET', path };
}

type ReadResponse = Readonly<Record<string, unknown>>;

async function ask(port: number, path: string): Promise<ReadResponse> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as ReadResponse;
}

/** Checks before measuring that every server returns the same rows as the minimal server. */
async function compareResponses(contestants: readonly Contestant[]): Promise<void> {
  const responses = await Promise.all(
    contestants.map(async ({ port, requests }) => idsOf(await ask(port, requests[0]!.path))),
  );
  const differing = contestants.filter((_, i) => responses[i] !== responses[0]);
  if (responses[0] === '' || differing.length > 0) {
    throw new Error(
      `Other rows than the limit's: ${differing.map(({ name, requests }) => `${name} ${requests[0]!.path}`).join(', ')}`,
    );
  }
}

function idsOf({ data, id }: ReadResponse): string {
  const rows = Array.isArray(data)
    ? (data as readonly ReadResponse[])
    : [{ id: id ?? (data as ReadResponse)['id'] }];
  return rows.map((row) => String(row['id'])).join();
}
