import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { escapeSegment, unescapeSegment } from '../../../src/model/row-id.ts';
import { base } from '../api/client.ts';
import { Shell } from '../shell/shell.tsx';
import { NotFound } from '../shell/not-found.tsx';
import { HomePage } from '../shell/home-page.tsx';
import { parseSearch, stringifySearch } from './search-text.ts';
import type { SearchText } from './search-text.ts';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const home = createRoute({ getParentRoute: () => root, path: '/', component: HomePage });

/** Filters, sorting, page and open record are query parameters with the names of the API. */
const table = createRoute({
  getParentRoute: () => root,
  path: '/tables/$table',
  params: {
    parse: (params) => ({ table: unescapeSegment(params.table) }),
    stringify: (params) => ({ table: escapeSegment(params.table) }),
  },
  validateSearch: (search): SearchText => search as SearchText,
  component: lazyRouteComponent(() => import('../table/table-page.tsx'), 'TablePage'),
});

const sql = createRoute({
  getParentRoute: () => root,
  path: '/sql',
  component: lazyRouteComponent(() => import('../sql/sql-page.tsx'), 'SqlPage'),
});

const diagram = createRoute({
  getParentRoute: () => root,
  path: '/diagram',
  validateSearch: (search): SearchText => search as SearchText,
  component: lazyRouteComponent(() => import('../diagram/diagram-page.tsx'), 'DiagramPage'),
});

const importing = createRoute({
  getParentRoute: () => root,
  path: '/import',
  validateSearch: (search): SearchText => search as SearchText,
  component: lazyRouteComponent(() => import('../importing/import-page.tsx'), 'ImportPage'),
});

const exporting = createRoute({
  getParentRoute: () => root,
  path: '/export',
  component: lazyRouteComponent(() => import('../exporting/export-page.tsx'), 'ExportPage'),
});

const routeTree = root.addChildren([home, table, sql, diagram, importing, exporting]);

export const router = createRouter({
  routeTree,
  basepath: base,
  parseSearch,
  stringifySearch,
  defaultPreload: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
