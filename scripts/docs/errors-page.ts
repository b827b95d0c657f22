/** Renders docs/errors.md: the error codes and the routes that return them. */
import { errorsOf } from '../../src/contract/route.ts';
import { routes } from '../../src/contract/routes.ts';
import { errorDefinitions } from '../../src/model/errors.ts';
import { code, codeBlock, sections, table } from './markdown.ts';
import type { Route } from '../../src/contract/route.ts';
import type { ErrorCode } from '../../src/model/errors.ts';

const sample = {
  error: 'There is no table or view "user". Did you mean "users"?',
  code: 'table_not_found',
  nearest: 'users',
};

export function errorsPage(): string {
  const rows = Object.entries(errorDefinitions).map(([name, { status, meaning }]) => [
    code(name),
    String(status),
    meaning,
    routesWith(name as ErrorCode),
  ]);
  return `${sections(
    '# Errors',
    '<!-- Written by scripts/write-docs.ts. -->',
    'Every failure has one shape: `error` is one clear sentence, `code` says which failure it is, and what else is ' +
      'known (the nearest name, the parameter at fault …) stands beside them.',
    codeBlock('json', JSON.stringify(sample, null, 2)),
    table(['code', 'status', 'when', 'routes'], rows),
  )}\n`;
}

function routesWith(name: ErrorCode): string {
  const all = Object.entries<Route>(routes);
  const those = all.filter(([, route]) => errorsOf(route).includes(name)).map(([id]) => id);
  if (those.length === all.length) return 'all';
  return those.map((id) => `[${id}](api.md#${id})`).join(', ');
}
