import { describe, expect, test } from 'vitest';

import { listParameters } from '../../src/contract/list-parameters.ts';
import { routes } from '../../src/contract/routes.ts';
import { askApi, failureOf } from './requests.ts';
import type { QueryParameter, QueryParameters } from '../../src/contract/parameter.ts';
import type { Route } from '../../src/contract/route.ts';

const everyParameter = Object.entries<Route>(routes).flatMap(([id, { query }]) =>
  Object.entries(query).map(([name, parameter]) => ({ title: `${name} of ${id}`, parameter })),
);

describe('a parameter has the default of its schema', () => {
  test.for(everyParameter.filter(({ parameter }) => !parameter.repeated))(
    '$title',
    ({ parameter }) => {
      const parsed = parameter.schema.safeParse(undefined);
      expect(parameter.default).toStrictEqual(parsed.success ? parsed.data : undefined);
    },
  );
});

async function queryFor(search: string): Promise<unknown> {
  const { studio, response } = await askApi(`/tables/t/rows?${search}`);
  expect(response.status).toBe(200);
  const input = studio.calls[0]?.input as { readonly query: unknown } | undefined;
  return input?.query;
}

async function failureFor(search: string) {
  const { studio, response } = await askApi(`/tables/t/rows?${search}`);
  expect(studio.calls).toStrictEqual([]);
  const failure = await failureOf(response);
  expect(failure).toMatchObject({ status: 400, code: 'invalid_parameter' });
  return failure;
}

const defaults = {
  page: 1,
  pageSize: 50,
  sort: [],
  showDeleted: false,
  filters: [],
  count: 'auto',
  etags: false,
  labels: false,
  cells: 'full',
};

describe('the row list', () => {
  test('has the defaults of the contract', async () => {
    expect(await queryFor('')).toStrictEqual(defaults);
  });

  test('accepts all parameters together', async () => {
    const search =
      'page=2&page_size=10&sort_by=a&sort_order=DESC&sort_by=b+c&search=x%2By&show_deleted=1&cursor=c0' +
      '&count=exact&etags=true&labels=1&cells=preview&filter_price__gt=5&filter_name=A%25&filter_name=%C3%A9';
    expect(await queryFor(search)).toStrictEqual({
      page: 2,
      pageSize: 10,
      sort: [
        { column: 'a', descending: true },
        { column: 'b c', descending: false },
      ],
      search: 'x+y',
      showDeleted: true,
      cursor: 'c0',
      count: 'exact',
      etags: true,
      labels: true,
      cells: 'preview',
      filters: [
        { name: 'price__gt', value: '5' },
        { name: 'name', value: 'A%' },
        { name: 'name', value: 'é' },
      ],
    });
  });

  test.for([
    ['page=0', { page: 1 }],
    ['page=-7', { page: 1 }],
    ['page=99999999999999999999999999', { page: 18_014_398_509_481 }],
    ['page_size=0', { pageSize: 1 }],
    ['page_size=501', { pageSize: 500 }],
    ['page_size=007', { pageSize: 7 }],
  ] as const)('clamps %s', async ([search, expectedQuery]) => {
    expect(await queryFor(search)).toMatchObject(expectedQuery);
  });

  test('returns input that can be serialized as JSON', async () => {
    const query = await queryFor('search=x&filter_a=1');
    expect(JSON.parse(JSON.stringify(query))).toStrictEqual(query);
  });

  test('accepts a sort_order before its sort_by; missing directions are ascending', async () => {
    expect(await queryFor('sort_order=desc&sort_by=a&sort_by=b')).toMatchObject({
      sort: [
        { column: 'a', descending: true },
        { column: 'b', descending: false },
      ],
    });
  });

  test('applies a sort_order without sort_by to the key', async () => {
    expect(await queryFor('sort_order=asc')).toStrictEqual(defaults);
    expect(await queryFor('sort_order=DESC')).toStrictEqual({ ...defaults, keyDescending: true });
  });

  test('rejects a sort_order without a matching sort_by', async () => {
    const two = await failureFor('sort_order=asc&sort_order=desc');
    expect(two.error).toContain('sort_order is given 2 times but sort_by never');
    const failure = await failureFor('sort_by=a&sort_order=asc&sort_order=desc');
    expect(failure.error).toContain('sort_order is given 2 times but sort_by once');
  });

  test('accepts filters on columns of any name', async () => {
    expect(
      await queryFor('filter_=1&filter___proto__=2&filter_filter_%5B%5D=3&filter_constructor'),
    ).toMatchObject({
      filters: [
        { name: '', value: '1' },
        { name: '__proto__', value: '2' },
        { name: 'filter_[]', value: '3' },
        { name: 'constructor', value: '' },
      ],
    });
  });

  test('skips empty parts of a query', async () => {
    expect(await queryFor('&&page=3&')).toMatchObject({ page: 3 });
  });
});

describe('a wrong parameter is rejected with its name and value', () => {
  test.for([
    ['page=x', 'page must be an integer, not "x".'],
    ['page=', 'page must be an integer, not "".'],
    ['page=1.5', 'page must be an integer, not "1.5".'],
    ['page_size=1e2', 'page_size must be an integer, not "1e2".'],
    ['show_deleted=yes', 'show_deleted must be true, false, 1 or 0, not "yes".'],
    ['show_deleted=TRUE', 'show_deleted must be true, false, 1 or 0, not "TRUE".'],
    ['etags=2', 'etags must be true, false, 1 or 0, not "2".'],
    ['labels=', 'labels must be true, false, 1 or 0, not "".'],
    ['count=all', 'count must be auto, exact, estimated or none, not "all".'],
    ['cells=cut', 'cells must be full or preview, not "cut".'],
    ['sort_by=a&sort_order=up', 'sort_order must be asc or desc, not "up".'],
  ] as const)('%s', async ([search, sentence]) => {
    const failure = await failureFor(search);
    expect(failure.error).toBe(sentence);
    expect(failure['parameter']).toBe(sentence.split(' ')[0]);
  });

  const single = Object.entries<QueryParameter>(listParameters satisfies QueryParameters).filter(
    ([, { repeated }]) => !repeated,
  );
  test.for(single)('rejects %s given twice', async ([name, parameter]) => {
    const value =
      typeof parameter.default === 'string'
        ? parameter.default
        : JSON.stringify(parameter.default ?? 'x');
    const failure = await failureFor(`${name}=${value}&${name}=${value}`);
    expect(failure.error).toBe(`${name} is given more than once.`);
  });

  test.for([
    ['pagesize=5', 'page_size'],
    ['Page=5', 'page'],
    ['sortby=a', 'sort_by'],
    ['filter=a', undefined],
  ] as const)('rejects %s and suggests %s', async ([search, near]) => {
    const failure = await failureFor(search);
    expect(failure['nearest']).toBe(near);
    expect(failure.error).toContain(
      near === undefined ? 'This route takes page, page_size, sort_by' : `Did you mean "${near}"?`,
    );
  });

  test('a route without parameters says so', async () => {
    const { response } = await askApi('/config?verbose=1');
    expect(await failureOf(response)).toMatchObject({
      status: 400,
      error: 'There is no parameter "verbose". This route takes none.',
    });
  });

  test.for([
    'search=%',
    'search=%zz',
    'search=%C3',
    'search=%FF',
    'search=%ED%A0%80',
    '%FF=1',
    'search=a%00b',
    'filter_a%00=1',
  ])('%s is not UTF-8 or contains a NUL character', async (search) => {
    expect((await failureFor(search)).error).toContain(
      'is not percent-encoded UTF-8 or contains a NUL character',
    );
  });
});

describe('booleans of a single row', () => {
  test.for([
    ['', false],
    ['?show_deleted=1', true],
    ['?show_deleted=true', true],
    ['?show_deleted=0', false],
  ] as const)('"%s" means %s', async ([search, showDeleted]) => {
    const { studio } = await askApi(`/tables/t/rows/1${search}`);
    expect(studio.calls[0]?.input).toStrictEqual({ table: 't', id: '1', showDeleted });
  });

  test('other values are rejected', async () => {
    const { response } = await askApi('/tables/t/rows/1?show_deleted=no');
    expect(await failureOf(response)).toMatchObject({
      status: 400,
      parameter: 'show_deleted',
      value: 'no',
    });
  });
});
