import { describe, expect, test } from 'vitest';
import { failureOf, idsOf, describeOnEachDatabase } from './harness.ts';
import {
  bigint,
  columnOf,
  int,
  foreignKeyTo,
  name,
  tableWithId,
  optional,
  tableOf,
} from './tables.ts';
import type { Table } from '../../../src/model/schema.ts';

const shop: readonly Table[] = [
  tableWithId('authors', [columnOf('name', name)]),
  tableWithId(
    'books',
    [columnOf('title', name), optional('author_id', bigint), optional('editor_id', bigint)],
    {
      foreignKeys: [foreignKeyTo('authors', ['author_id']), foreignKeyTo('authors', ['editor_id'])],
    },
  ),
  tableWithId('profiles', [columnOf('author_id', bigint)], {
    indexes: [
      { name: 'profiles_author', unique: true, constraint: true, parts: [{ column: 'author_id' }] },
    ],
    foreignKeys: [foreignKeyTo('authors', ['author_id'])],
  }),
  tableWithId('tags', [columnOf('label', name)]),
  tableOf('book_tags', [columnOf('book_id', bigint), columnOf('tag_id', bigint)], {
    primaryKey: { columns: ['book_id', 'tag_id'] },
    foreignKeys: [foreignKeyTo('books', ['book_id']), foreignKeyTo('tags', ['tag_id'])],
  }),
  tableWithId('people', [columnOf('name', name), optional('manager_id', bigint)], {
    foreignKeys: [foreignKeyTo('people', ['manager_id'])],
  }),
  tableOf('places', [columnOf('country', name), columnOf('code', int), columnOf('name', name)], {
    primaryKey: { columns: ['country', 'code'] },
  }),
  tableWithId('visits', [optional('country', name), optional('code', int)], {
    foreignKeys: [
      foreignKeyTo('places', ['country', 'code'], { referencedColumns: ['country', 'code'] }),
    ],
  }),
  tableOf(
    'routes',
    [columnOf('country', name), columnOf('code', int), columnOf('person_id', bigint)],
    {
      primaryKey: { columns: ['country', 'code', 'person_id'] },
      foreignKeys: [
        foreignKeyTo('places', ['country', 'code'], { referencedColumns: ['country', 'code'] }),
        foreignKeyTo('people', ['person_id']),
      ],
    },
  ),
];

describeOnEachDatabase('relations', (harness) => {
  harness.beforeTests(async () => {
    await harness.createTables(shop);
    await harness.insertRows('authors', [
      { id: 1, name: 'Ada' },
      { id: 2, name: 'Bo' },
      { id: 3, name: 'Cy' },
    ]);
    await harness.insertRows('books', [
      { id: 1, title: 'One', author_id: 1, editor_id: 2 },
      { id: 2, title: 'Two', author_id: 1, editor_id: null },
      { id: 3, title: 'Three', author_id: 2, editor_id: 1 },
      { id: 4, title: 'Four', author_id: null, editor_id: null },
    ]);
    await harness.insertRows('profiles', [{ id: 7, author_id: 2 }]);
    await harness.insertRows('tags', [
      { id: 1, label: 'x' },
      { id: 2, label: 'y' },
      { id: 3, label: 'z' },
    ]);
    await harness.insertRows('book_tags', [
      { book_id: 1, tag_id: 1 },
      { book_id: 1, tag_id: 3 },
      { book_id: 2, tag_id: 3 },
    ]);
    await harness.insertRows('people', [{ id: 1, name: 'root', manager_id: null }]);
    await harness.insertRows('people', [
      { id: 2, name: 'a', manager_id: 1 },
      { id: 3, name: 'b', manager_id: 1 },
    ]);
    await harness.insertRows('places', [
      { country: 'x,y', code: 1, name: 'Comma' },
      { country: 'x', code: 1, name: 'Plain' },
    ]);
    await harness.insertRows('visits', [
      { id: 1, country: 'x,y', code: 1 },
      { id: 2, country: 'x', code: 1 },
      { id: 3, country: 'x', code: null },
    ]);
    await harness.insertRows('routes', [
      { country: 'x,y', code: 1, person_id: 2 },
      { country: 'x', code: 1, person_id: 2 },
      { country: 'x', code: 1, person_id: 3 },
    ]);
  });

  test.each([
    [
      'authors',
      ['AuthorBooks has_many books', 'EditorBooks has_many books', 'Profile has_one profiles'],
    ],
    ['books', ['Author belongs_to authors', 'Editor belongs_to authors', 'Tags many_to_many tags']],
    ['profiles', ['Author belongs_to authors']],
    ['tags', ['Books many_to_many books']],
    ['book_tags', ['Book belongs_to books', 'Tag belongs_to tags']],
    [
      'people',
      ['Manager belongs_to people', 'People has_many people', 'Places many_to_many places'],
    ],
    ['visits', ['Place belongs_to places']],
    ['places', ['People many_to_many people', 'Visits has_many visits']],
  ])('of %s have the correct names and kinds', async (table, expected) => {
    const { relations } = await harness.table(table);
    expect(
      relations
        .map(
          (relation) =>
            `${String(relation['name'])} ${String(relation['type'])} ${String(relation['table'])}`,
        )
        .toSorted(),
    ).toEqual(expected);
  });

  test('name their columns on both sides', async () => {
    const one = async (table: string, relation: string) =>
      (await harness.table(table)).relations.find((entry) => entry['name'] === relation);
    expect(await one('books', 'Editor')).toEqual({
      name: 'Editor',
      type: 'belongs_to',
      table: 'authors',
      foreign_key: 'editor_id',
      reference_key: 'id',
    });
    expect(await one('authors', 'EditorBooks')).toEqual({
      name: 'EditorBooks',
      type: 'has_many',
      table: 'books',
      foreign_key: 'editor_id',
      reference_key: 'id',
    });
    expect(await one('books', 'Tags')).toEqual({
      name: 'Tags',
      type: 'many_to_many',
      table: 'tags',
      foreign_key: 'book_id',
      reference_key: 'id',
      join_table: 'book_tags',
      join_foreign_key: 'tag_id',
      join_reference_key: 'id',
    });
    expect(await one('visits', 'Place')).toEqual({
      name: 'Place',
      type: 'belongs_to',
      table: 'places',
      foreign_key: 'country,code',
      reference_key: 'country,code',
      foreign_keys: ['country', 'code'],
      reference_keys: ['country', 'code'],
    });
  });

  test.each([
    ['belongs_to', 'books', '1', 'Author', [1]],
    ['belongs_to by another foreign key', 'books', '1', 'Editor', [2]],
    ['has_many', 'authors', '1', 'AuthorBooks', [1, 2]],
    ['has_many another way', 'authors', '1', 'EditorBooks', [3]],
    ['has_many with none', 'authors', '3', 'AuthorBooks', []],
    ['has_one', 'authors', '2', 'Profile', [7]],
    ['has_one with none', 'authors', '1', 'Profile', []],
    ['many_to_many', 'books', '1', 'Tags', [1, 3]],
    ['many_to_many from the other end', 'tags', '3', 'Books', [1, 2]],
    ['many_to_many with none', 'tags', '2', 'Books', []],
    ['from the join table itself', 'book_tags', '1,3', 'Tag', [3]],
    ['to itself, up', 'people', '2', 'Manager', [1]],
    ['to itself, down', 'people', '1', 'People', [2, 3]],
    ['by a composite key with a comma', 'places', 'x%2Cy,1', 'Visits', [1]],
    ['by a composite key without', 'places', 'x,1', 'Visits', [2]],
    ['many_to_many from a composite key', 'places', 'x,1', 'People', [2, 3]],
    ['many_to_many from a composite key with a comma', 'places', 'x%2Cy,1', 'People', [2]],
  ] as const)('%s return the related rows', async (_title, table, id, relation, ids) => {
    const page = await harness.related(table, [id, relation]);
    expect(idsOf(page)).toEqual(ids);
    expect(page).toMatchObject({
      total: ids.length,
      page: 1,
      page_size: 50,
      relation: { name: relation },
    });
  });

  test('work with composite keys', async () => {
    expect((await harness.related('visits', ['1', 'Place'])).data).toEqual([
      { country: 'x,y', code: 1, name: 'Comma' },
    ]);
    expect(
      (
        await harness.related('people', ['2', 'Places'], {
          sort: [{ column: 'name', descending: true }],
        })
      ).data.map((row) => row['name']),
    ).toEqual(['Plain', 'Comma']);
  });

  describe('return no rows', () => {
    test.each([
      ['from NULL', 'books', '4', 'Author'],
      ['from a key that is NULL in part', 'visits', '3', 'Place'],
      ['from the root', 'people', '1', 'Manager'],
    ])('%s', async (_title, table, id, relation) => {
      expect(await harness.related(table, [id, relation])).toMatchObject({ data: [], total: 0 });
    });
  });

  test('accept every parameter of a list', async () => {
    const sort = [{ column: 'title', descending: true }];
    expect(
      idsOf(await harness.related('authors', ['1', 'AuthorBooks'], { sort, pageSize: 1 })),
    ).toEqual([2]);
    expect(idsOf(await harness.related('authors', ['1', 'AuthorBooks'], { search: 'on' }))).toEqual(
      [1],
    );
    expect(
      idsOf(
        await harness.related('books', ['1', 'Tags'], { filters: [{ name: 'label', value: 'z' }] }),
      ),
    ).toEqual([3]);
    const { next_cursor: cursor = '' } = await harness.related('books', ['1', 'Tags'], {
      pageSize: 1,
    });
    expect(idsOf(await harness.related('books', ['1', 'Tags'], { pageSize: 1, cursor }))).toEqual([
      3,
    ]);
    expect(
      await harness.related('authors', ['1', 'AuthorBooks'], {
        count: 'none',
        page: 2,
        pageSize: 1,
      }),
    ).toMatchObject({ total: null, page: 2, page_size: 1 });
  });

  test('are found by name in any case', async () => {
    expect(idsOf(await harness.related('authors', ['1', 'authorbooks']))).toEqual([1, 2]);
  });

  test('that do not exist are rejected with the nearest name', async () => {
    expect(await failureOf(harness.related('books', ['1', 'Autor']))).toMatchObject({
      code: 'relation_not_found',
      nearest: 'Author',
    });
    expect(await failureOf(harness.related('books', ['1', 'author_id']))).toMatchObject({
      code: 'relation_not_found',
    });
  });

  test('of a row that does not exist are rejected', async () => {
    expect(await failureOf(harness.related('books', ['99', 'Author']))).toMatchObject({
      code: 'row_not_found',
    });
    expect(await failureOf(harness.related('places', ['x', 'Visits']))).toMatchObject({
      code: 'invalid_id',
    });
  });
});
