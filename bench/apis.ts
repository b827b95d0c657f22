/** The requests that are compared, in the words of each server. */

export const pageSize = 50;

type Path = string | undefined;

/** Paths of the requests of a server; undefined where it has no such request. Page numbers start at 1. */
export interface ServerApi {
  page(page: number): Path | Promise<Path>;
  row(id: number): Path | Promise<Path>;
  rowsOfUser(user: number): Path | Promise<Path>;
  /** The page after a page, by cursor. */
  pageAfter(page: number): Promise<Path>;
}

export const limitApi: ServerApi = {
  page: (page) => `/rows?limit=${pageSize}&offset=${(page - 1) * pageSize}`,
  row: (id) => `/rows/${id}`,
  rowsOfUser: (user) => `/rows?limit=${pageSize}&user_id=${user}`,
  pageAfter: async (page) => `/rows?limit=${pageSize}&after=${page * pageSize}`,
};

export function studioApi(port: number): ServerApi {
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

export type JsonResponse = Readonly<Record<string, unknown>>;

export async function getJson(port: number, path: string): Promise<JsonResponse> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as JsonResponse;
}

/** The ids of the rows of a response, in any of the shapes of the servers. */
export function idsOf(response: JsonResponse): string {
  const data = response['data'] ?? response['rows'] ?? response['row'] ?? response;
  const rows = Array.isArray(data) ? (data as readonly unknown[]) : [data];
  const columns = response['columns'];
  const idIndex = Array.isArray(columns) ? columns.indexOf('id') : -1;
  return rows
    .map((row) =>
      String(
        Array.isArray(row)
          ? row[idIndex]
          : ((row as JsonResponse)['id'] ?? (row as JsonResponse)['ID']),
      ),
    )
    .join();
}
