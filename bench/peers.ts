/** Other studios and REST servers that are measured beside this one, where the options name their programs. */
import type { ServerApi } from './apis.ts';
import { getJson, pageSize } from './apis.ts';
import { startOnPort } from './servers.ts';
import type { RunningServer } from './servers.ts';

export interface Peer {
  readonly name: string;
  readonly database: 'sqlite' | 'postgres';
  /** How to get the program whose path `--peer NAME=PATH` gives. */
  readonly program: string;
  /** The command that serves a database, a file or a URL, on a port. */
  command(program: string, database: string, port: string): readonly string[];
  api(port: number): ServerApi;
}

const soul: Peer = {
  name: 'Soul',
  database: 'sqlite',
  program: '`node_modules/.bin/soul` of `npm install soul-cli`',
  command: (program, file, port) => [program, '-d', file, '-p', port],
  api: () => {
    const rows = '/api/tables/events/rows';
    return {
      page: (page) => `${rows}?_page=${page}&_limit=${pageSize}`,
      row: (id) => `${rows}/${id}`,
      rowsOfUser: (user) => `${rows}?_page=1&_limit=${pageSize}&_filters=user_id:${user}`,
      pageAfter: async () => undefined,
    };
  },
};

/** Pages have no numbers, so only page 1 exists. */
const datasette: Peer = {
  name: 'Datasette',
  database: 'sqlite',
  program: '`datasette` of `pip install datasette`',
  command: (program, file, port) => [program, 'serve', file, '-p', port],
  api: (port) => {
    let database: Promise<string> | undefined;
    const table = async (): Promise<string> => {
      database ??= getJson(port, '/-/databases.json').then((databases) =>
        String((databases as unknown as readonly { readonly name: string }[])[0]?.name),
      );
      return `/${await database}/events`;
    };
    const rows = async (query: string): Promise<string> =>
      `${await table()}.json?_shape=objects&_size=${pageSize}${query}`;
    return {
      page: (page) => (page === 1 ? rows('') : undefined),
      row: async (id) => `${await table()}/${id}.json?_shape=objects`,
      rowsOfUser: (user) => rows(`&user_id=${user}`),
      pageAfter: (page) => rows(`&_next=${page * pageSize}`),
    };
  },
};

/** Models are compiled in: the program is `gorm-studio/main.go`. */
const gormStudio: Peer = {
  name: 'gorm-studio',
  database: 'sqlite',
  program: '`go build` of a checkout of gorm-studio whose `main.go` is `bench/gorm-studio/main.go`',
  command: (program, file, port) => [program, file, port],
  api: () => {
    const rows = '/studio/api/tables/events/rows';
    return {
      page: (page) => `${rows}?page=${page}&page_size=${pageSize}`,
      row: (id) => `${rows}/${id}`,
      rowsOfUser: (user) => `${rows}?page_size=${pageSize}&filter_user_id=${user}`,
      pageAfter: async () => undefined,
    };
  },
};

/** A page is not sorted unless the request says so; one row is a condition in SQL. */
const pgweb: Peer = {
  name: 'pgweb',
  database: 'postgres',
  program: '`go build` of a checkout of pgweb',
  command: (program, url, port) => [program, '--url', url, '--listen', port, '--skip-open'],
  api: () => {
    const rows = `/api/tables/events/rows?sort_column=id&sort_order=ASC`;
    const page = (query: string): string => `${rows}&limit=${pageSize}${query}`;
    return {
      page: (number) => page(`&offset=${(number - 1) * pageSize}`),
      row: (id) => `${rows}&limit=1&where=id%3D${id}`,
      rowsOfUser: (user) => page(`&where=user_id%3D${user}`),
      pageAfter: async () => undefined,
    };
  },
};

export const peers: readonly Peer[] = [soul, datasette, gormStudio, pgweb];

/** A peer whose program is installed. */
export interface InstalledPeer {
  readonly peer: Peer;
  readonly program: string;
}

/** Parses the values of `--peer`, such as `Datasette=/usr/bin/datasette`. */
export function parsePeers(values: readonly string[]): readonly InstalledPeer[] {
  return values.map((value) => {
    const [name = '', ...path] = value.split('=');
    const peer = peers.find((each) => each.name.toLowerCase() === name.toLowerCase());
    const program = path.join('=');
    if (peer === undefined || program === '') {
      const names = peers.map((each) => each.name).join(', ');
      throw new Error(`--peer takes NAME=PATH, where NAME is one of ${names}; "${value}" is not.`);
    }
    return { peer, program };
  });
}

export function startPeer(
  { peer, program }: InstalledPeer,
  database: string,
): Promise<RunningServer> {
  return startOnPort((port) => peer.command(program, database, port));
}
