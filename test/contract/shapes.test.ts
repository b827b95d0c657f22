/** The JSON shapes that clients rely on, member by member. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../../src/contract/routes.ts';
import { serve } from './server.ts';
import type { RouteId } from '../../src/contract/routes.ts';
import type { TestRequest, TestStudio } from './server.ts';

type Json = Readonly<Record<string, unknown>>;

let served: TestStudio;

beforeAll(async () => {
  served = await serve();
});

afterAll(() => served.close());

async function read(id: RouteId, testRequest: TestRequest = {}): Promise<Json> {
  return JSON.parse((await served.ask(routes[id], testRequest)).text) as Json;
}

const members = (value: unknown): readonly string[] => Object.keys(value as object).toSorted();
const sorted = (names: string): readonly string[] => names.split(' ').toSorted();

/** Members named by interface.md, and those that the contract adds. */
const shapes = {
  schema: { named: 'tables driver', added: 'database server_version views enums capabilities' },
  table: {
    named: 'name columns relations row_count',
    added: 'primary_key kind schema comment indexes foreign_keys checks row_key soft_delete_column',
  },
  column: {
    named: 'name type is_primary_key is_nullable default_value is_foreign_key',
    added: 'ordinal comment is_unique is_auto_increment is_generated kind',
  },
  relation: { named: 'name type table foreign_key reference_key', added: '' },
} as const;

function expectShape(value: unknown, shape: keyof typeof shapes, sometimes = ''): void {
  const { named, added } = shapes[shape];
  expect(members(value)).toEqual(expect.arrayContaining(sorted(named) as string[]));
  const optional = sometimes.split(' ');
  expect(members(value).filter((member) => !optional.includes(member))).toEqual(
    sorted(`${named} ${added}`.trim()),
  );
}

describe.each(['get-schema', 'refresh-schema'] as const)('%s', (id) => {
  test('has exactly the documented members', async () => {
    const schema = await read(id);
    expectShape(schema, 'schema');
    expect(schema).toMatchObject({
      driver: 'sqlite',
      tables: expect.any(Array) as unknown,
      database: expect.any(String) as unknown,
    });
  });

  test('has tables, columns and relations with exactly the documented members', async () => {
    const { tables, views } = (await read(id)) as {
      tables: readonly Json[];
      views: readonly Json[];
    };
    for (const table of tables) {
      expectShape(table, 'table', 'options');
      for (const column of table['columns'] as readonly Json[])
        expectShape(column, 'column', 'enum_values references generated_expression is_stored');
      for (const relation of table['relations'] as readonly Json[]) {
        expectShape(
          relation,
          'relation',
          'foreign_keys reference_keys join_table join_foreign_key join_reference_key join_foreign_keys join_reference_keys',
        );
      }
    }
    expect(views.map((view) => view['name'])).toEqual(['user_names']);
    for (const view of views) expectShape(view, 'table', 'definition');
  });

  test('describes a table', async () => {
    const { tables } = (await read(id)) as { tables: readonly Json[] };
    const users = tables.find((table) => table['name'] === 'users');
    expect(users).toMatchObject({
      kind: 'table',
      row_count: 40,
      primary_key: ['id'],
      soft_delete_column: 'deleted_at',
    });
    const columns = users?.['columns'] as readonly Json[];
    expect(
      columns
        .slice(0, 4)
        .map(({ name, type, is_primary_key, is_nullable, default_value, is_foreign_key }) => [
          name,
          type,
          is_primary_key,
          is_nullable,
          default_value,
          is_foreign_key,
        ]),
    ).toEqual([
      ['id', 'INTEGER', true, false, '', false],
      ['name', 'VARCHAR(100)', false, false, '', false],
      ['age', 'INTEGER', false, true, '', false],
      ['score', 'DECIMAL(10,2)', false, false, '1.5', false],
    ]);
    const posts = tables.find((table) => table['name'] === 'posts');
    expect(posts?.['relations']).toEqual([
      {
        name: 'User',
        type: 'belongs_to',
        table: 'users',
        foreign_key: 'user_id',
        reference_key: 'id',
      },
      {
        name: 'Tags',
        type: 'many_to_many',
        table: 'tags',
        foreign_key: 'post_id',
        reference_key: 'id',
        join_table: 'post_tags',
        join_foreign_key: 'tag_id',
        join_reference_key: 'id',
      },
    ]);
  });
});

describe('the configuration', () => {
  test('has exactly its members', async () => {
    expect(await read('get-config')).toStrictEqual({
      read_only: false,
      disable_sql: false,
      prefix: '/studio',
    });
  });
});

describe('a list', () => {
  test('has exactly its documented members by default', async () => {
    const page = await read('list-rows', { params: { table: 'tags' } });
    expect(page).toStrictEqual({
      data: [
        { id: 1, label: 'taken' },
        { id: 2, label: 'other' },
      ],
      total: 2,
      page: 1,
      page_size: 50,
    });
  });

  test('says whether there are more rows', async () => {
    expect(
      members(await read('list-rows', { params: { table: 'users' }, query: 'page_size=1' })),
    ).toEqual(sorted('data total page page_size next_cursor'));
  });

  test('filters by value and by pattern, as clients send them', async () => {
    const names = async (query: string) =>
      (
        (await read('list-rows', { params: { table: 'users' }, query }))['data'] as readonly Json[]
      ).map((row) => row['name']);
    expect(await names('filter_name=user%203')).toEqual(['user 3']);
    expect(await names('filter_name=user%203%25&sort_by=name&sort_order=desc&page_size=2')).toEqual(
      ['user 39', 'user 38'],
    );
    expect(await names('filter_name=taken&filter_age=30')).toEqual(['taken']);
    expect(await names('filter_name=taken&filter_age=31')).toEqual([]);
    const either = `any=${encodeURIComponent('filter_name=user%203&filter_name__eq=taken')}`;
    expect(await names(`${either}&sort_by=id`)).toEqual(['taken', 'user 3']);
    expect(await names(`${either}&${either}&filter_age=30`)).toEqual(['taken']);
    const exported = await served.ask(routes['export-table'], {
      params: { table: 'users' },
      query: `${either}&sort_by=id&columns=name`,
    });
    expect(JSON.parse(exported.text)).toEqual([{ name: 'taken' }, { name: 'user 3' }]);
    for (const text of ['', 'x=1', 'filter_name=a&filte_name=b', 'filter_name=%zz'])
      expect(
        await read('list-rows', {
          params: { table: 'users' },
          query: `any=${encodeURIComponent(text)}`,
        }),
      ).toMatchObject({ code: 'invalid_parameter' });
    expect(await names('show_deleted=true&sort_by=id&sort_order=desc&page_size=1')).toEqual([
      'user 40',
    ]);
  });
});

describe('a row', () => {
  test('is the object itself', async () => {
    expect(
      await read('get-row', { params: { table: 'memberships', id: 'a%2Cb,1' } }),
    ).toStrictEqual({ team: 'a,b', user_id: 1, since: '2026-01-31' });
  });

  test('in a relation is the same as in a list', async () => {
    const page = await read('list-related', {
      params: { table: 'profiles', id: '1', relation: 'User' },
    });
    expect(members(page)).toEqual(sorted('data total page page_size relation'));
    expect(page).toMatchObject({
      total: 1,
      page: 1,
      page_size: 50,
      data: [{ id: 1, name: 'taken' }],
    });
  });
});

describe('the results of writes', () => {
  const params = { table: 'tags' };

  test('have exactly their members', async () => {
    const created = await read('create-row', { params, body: '{"label":"new"}' });
    expect(created).toStrictEqual({ message: 'created', data: { id: 3, label: 'new' } });
    const row = { ...params, id: '3' };
    expect(await read('update-row', { params: row, body: '{"label":"newer"}' })).toStrictEqual({
      message: 'updated',
      rows_affected: 1,
      data: { id: 3, label: 'newer' },
    });
    expect(await read('delete-row', { params: row })).toStrictEqual({
      message: 'deleted',
      rows_affected: 1,
    });
    await read('create-row', { params, body: '{"id":4,"label":"last"}' });
    expect(await read('bulk-delete', { params, body: '{"ids":["3","4"]}' })).toStrictEqual({
      message: 'deleted',
      rows_affected: 1,
      not_found: ['3'],
    });
  });
});
