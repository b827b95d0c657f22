import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { goFieldNames } from '../../src/model/go-names.ts';
import { deriveRelations } from '../../src/model/relations.ts';
import type { ForeignKey, Schema, Table } from '../../src/model/schema.ts';
import { references, schemaOf, table, uniqueIndex } from './tables.ts';
import type { TableParts } from './tables.ts';

const users = table('users', { columns: ['id', 'name'], key: ['id'] });

function posts(parts: Partial<TableParts>): Table {
  return table('posts', { columns: ['id', 'author_id', 'editor_id'], key: ['id'], ...parts });
}

/** Lines of the form `type name -> table (foreign keys -> reference keys)`. */
function linesOf(schema: Schema, of: string): readonly string[] {
  const relations = deriveRelations(schema).get(of) ?? [];
  return relations.map((one) => {
    const join =
      one.joinTable === undefined
        ? ''
        : ` via ${one.joinTable} (${one.joinForeignKeys} -> ${one.joinReferenceKeys})`;
    return `${one.type} ${one.name} -> ${one.table} (${one.foreignKeys} -> ${one.referenceKeys})${join}`;
  });
}

function namesOf(schema: Schema, of: string): readonly string[] {
  return (deriveRelations(schema).get(of) ?? []).map((relation) => relation.name);
}

describe('kinds', () => {
  test('the referencing side gets belongs_to, the referenced side has_many', () => {
    const schema = schemaOf(users, posts({ foreignKeys: [references('author_id', 'users.id')] }));
    expect(linesOf(schema, 'posts')).toEqual(['belongs_to Author -> users (author_id -> id)']);
    expect(linesOf(schema, 'users')).toEqual(['has_many Posts -> posts (author_id -> id)']);
  });

  const profile = {
    columns: ['id', 'user_id', 'kind'],
    foreignKeys: [references('user_id', 'users.id')],
  };

  test.each<[string, Partial<TableParts>]>([
    ['the primary key', { key: ['user_id'] }],
    ['a unique index', { key: ['id'], indexes: [uniqueIndex('user_id')] }],
  ])('columns made unique by %s get has_one', (_, parts) => {
    const schema = schemaOf(users, table('profiles', { ...profile, ...parts }));
    expect(linesOf(schema, 'users')).toEqual(['has_one Profile -> profiles (user_id -> id)']);
  });

  test.each([
    ['partial', uniqueIndex('user_id', { where: 'kind = 1' })],
    ['wider', uniqueIndex('user_id,kind')],
    ['on an expression', uniqueIndex('user_id', { parts: [{ expression: 'lower(user_id)' }] })],
    ['not unique', uniqueIndex('user_id', { unique: false })],
  ])('an index that is %s does not change has_many', (_, index) => {
    const schema = schemaOf(
      users,
      table('profiles', { ...profile, key: ['id'], indexes: [index] }),
    );
    expect(linesOf(schema, 'users')).toEqual(['has_many Profiles -> profiles (user_id -> id)']);
  });

  test('columns of a composite key are unique if some of them are', () => {
    const products = table('products', { columns: ['code', 'lang'], key: ['code', 'lang'] });
    const texts = table('texts', {
      columns: ['id', 'product_code', 'product_lang'],
      key: ['id'],
      indexes: [uniqueIndex('product_code')],
      foreignKeys: [references('product_lang,product_code', 'products.lang,code')],
    });
    const schema = schemaOf(products, texts);
    expect(linesOf(schema, 'products')).toEqual([
      'has_one Text -> texts (product_lang,product_code -> lang,code)',
    ]);
    expect(linesOf(schema, 'texts')).toEqual([
      'belongs_to Product -> products (product_lang,product_code -> lang,code)',
    ]);
  });

  test('a key can reference a unique column that is not the primary key', () => {
    const schema = schemaOf(users, posts({ foreignKeys: [references('author_id', 'users.name')] }));
    expect(linesOf(schema, 'users')).toEqual(['has_many Posts -> posts (author_id -> name)']);
  });

  test('foreign keys from or to missing columns and tables are left out', () => {
    const missing = [
      references('author_id', 'gone.id'),
      references('editor_id', 'users.gone'),
      references('gone', 'users.id'),
    ];
    const schema = schemaOf(users, posts({ foreignKeys: missing }));
    expect([...deriveRelations(schema)]).toEqual([
      ['users', []],
      ['posts', []],
    ]);
  });

  test('a foreign key that is declared twice is one relation', () => {
    const key = references('author_id', 'users.id');
    const schema = schemaOf(
      users,
      posts({
        foreignKeys: [
          { ...key, name: 'b' },
          { ...key, name: 'a' },
        ],
      }),
    );
    expect(deriveRelations(schema).get('posts')).toMatchObject([
      { name: 'Author', constraints: [{ name: 'a' }] },
    ]);
    expect(namesOf(schema, 'users')).toEqual(['Posts']);
  });
});

describe('many_to_many', () => {
  const tags = table('tags', { columns: ['id', 'label'], key: ['id'] });
  const bothKeys = [references('post_id', 'posts.id'), references('tag_id', 'tags.id')];
  const joined = (name: string, parts: Partial<TableParts> = {}) =>
    table(name, {
      columns: ['post_id', 'tag_id'],
      key: ['post_id', 'tag_id'],
      foreignKeys: bothKeys,
      ...parts,
    });

  test('a table of only two foreign keys that form its key joins both tables and keeps its own belongs_to', () => {
    const schema = schemaOf(posts({}), tags, joined('post_tags'));
    expect(linesOf(schema, 'posts')).toEqual([
      'many_to_many Tags -> tags (post_id -> id) via post_tags (tag_id -> id)',
    ]);
    expect(linesOf(schema, 'tags')).toEqual([
      'many_to_many Posts -> posts (tag_id -> id) via post_tags (post_id -> id)',
    ]);
    expect(linesOf(schema, 'post_tags')).toEqual([
      'belongs_to Post -> posts (post_id -> id)',
      'belongs_to Tag -> tags (tag_id -> id)',
    ]);
  });

  test('a unique key without NULLs is used if there is no primary key', () => {
    const { primaryKey: _, ...keyless } = joined('post_tags', {
      indexes: [uniqueIndex('tag_id,post_id')],
    });
    expect(namesOf(schemaOf(posts({}), tags, keyless), 'posts')).toEqual(['Tags']);
  });

  test.each<[string, Partial<TableParts>]>([
    ['has another column', { columns: ['post_id', 'tag_id', 'added_at'] }],
    ['has a key of its own', { columns: ['id', 'post_id', 'tag_id'], key: ['id'] }],
    ['has only one of them as its key', { key: ['post_id'] }],
    ['has a third foreign key', { foreignKeys: [...bothKeys, references('post_id', 'tags.id')] }],
    [
      'has one foreign key that contains the other',
      {
        foreignKeys: [
          references('post_id', 'posts.id'),
          references('post_id,tag_id', 'tags.id,label'),
        ],
      },
    ],
  ])('a table that %s is no join table', (_, parts) => {
    const schema = schemaOf(posts({}), tags, joined('post_tags', parts));
    const types = [...deriveRelations(schema).values()].flat().map((relation) => relation.type);
    expect(types).not.toContain('many_to_many');
    expect(types).toContain('belongs_to');
  });

  test('both ends in the same table have different names', () => {
    const follows = table('follows', {
      columns: ['follower_id', 'followee_id'],
      key: ['follower_id', 'followee_id'],
      foreignKeys: [references('follower_id', 'users.id'), references('followee_id', 'users.id')],
    });
    expect(linesOf(schemaOf(users, follows), 'users')).toEqual([
      'many_to_many FolloweeUsers -> users (follower_id -> id) via follows (followee_id -> id)',
      'many_to_many FollowerUsers -> users (followee_id -> id) via follows (follower_id -> id)',
    ]);
  });

  test('two join tables between the same tables use their own names', () => {
    const schema = schemaOf(posts({}), tags, joined('post_tags'), joined('pinned_tags'));
    expect(namesOf(schema, 'posts')).toEqual(['PinnedTags', 'PostTags']);
  });

  test('composite keys can share a column', () => {
    const tenant = (name: string) =>
      table(name, { columns: ['tenant_id', 'id'], key: ['tenant_id', 'id'] });
    const links = table('links', {
      columns: ['tenant_id', 'post_id', 'tag_id'],
      key: ['tenant_id', 'post_id', 'tag_id'],
      foreignKeys: [
        references('tenant_id,post_id', 'posts.tenant_id,id'),
        references('tenant_id,tag_id', 'tags.tenant_id,id'),
      ],
    });
    expect(linesOf(schemaOf(tenant('posts'), tenant('tags'), links), 'posts')).toEqual([
      'many_to_many Tags -> tags (tenant_id,post_id -> tenant_id,id) via links (tenant_id,tag_id -> tenant_id,id)',
    ]);
  });
});

describe('names', () => {
  test('relations in both directions of a self-reference', () => {
    const employees = table('employees', {
      columns: ['id', 'manager_id'],
      key: ['id'],
      foreignKeys: [references('manager_id', 'employees.id')],
    });
    expect(linesOf(schemaOf(employees), 'employees')).toEqual([
      'belongs_to Manager -> employees (manager_id -> id)',
      'has_many Employees -> employees (manager_id -> id)',
    ]);
  });

  test("a column's own field keeps the name, and the singular of the target is appended", () => {
    const keys = [references('author_id', 'users.id'), references('editor', 'users.id')];
    const schema = schemaOf(
      users,
      posts({ columns: ['id', 'author', 'author_id', 'editor'], foreignKeys: keys }),
    );
    expect(namesOf(schema, 'posts')).toEqual(['AuthorUser', 'EditorUser']);
  });

  test('foreign keys with the same name get the names of all their columns', () => {
    const keys = [references('author_id', 'users.id'), references('author', 'users.name')];
    const schema = schemaOf(
      users,
      posts({ columns: ['id', 'author', 'author_id'], foreignKeys: keys }),
    );
    expect(namesOf(schema, 'posts')).toEqual(['AuthorUser', 'AuthorIDUser']);
    expect(namesOf(schema, 'users')).toEqual(['AuthorPosts', 'AuthorIDPosts']);
  });

  test('a column called only id uses the name of the target', () => {
    const admins = table('admins', {
      columns: ['id'],
      key: ['id'],
      foreignKeys: [references('id', 'users.id')],
    });
    expect(namesOf(schemaOf(users, admins), 'admins')).toEqual(['User']);
    expect(namesOf(schemaOf(users, admins), 'users')).toEqual(['Admin']);
  });

  test('two foreign keys from one table to another get the names of their columns', () => {
    const keys = [references('editor_id', 'users.id'), references('author_id', 'users.id')];
    const schema = schemaOf(users, posts({ foreignKeys: keys }));
    expect(namesOf(schema, 'users')).toEqual(['AuthorPosts', 'EditorPosts']);
    const oneUnique = schemaOf(
      users,
      posts({ foreignKeys: keys, indexes: [uniqueIndex('author_id')] }),
    );
    expect(namesOf(oneUnique, 'users')).toEqual(['AuthorPost', 'EditorPosts']);
  });

  test('a composite key uses the name of its target; two of them use the column that only one has', () => {
    const tenantUsers = table('users', { columns: ['tenant_id', 'id'], key: ['tenant_id', 'id'] });
    const author = references('tenant_id,author_id', 'users.tenant_id,id');
    const editor = references('tenant_id,editor_id', 'users.tenant_id,id');
    const columns = ['id', 'tenant_id', 'author_id', 'editor_id'];
    const one = schemaOf(tenantUsers, posts({ columns, foreignKeys: [author] }));
    expect([namesOf(one, 'posts'), namesOf(one, 'users')]).toEqual([['User'], ['Posts']]);
    const two = schemaOf(tenantUsers, posts({ columns, foreignKeys: [editor, author] }));
    expect(namesOf(two, 'posts')).toEqual(['AuthorUser', 'EditorUser']);
    expect(namesOf(two, 'users')).toEqual(['AuthorPosts', 'EditorPosts']);
  });

  test('several foreign keys on one column use the names of their targets', () => {
    const people = table('people', { columns: ['id'], key: ['id'] });
    const keys = [references('author_id', 'users.id'), references('author_id', 'people.id')];
    const schema = schemaOf(users, people, posts({ foreignKeys: keys }));
    expect(namesOf(schema, 'posts')).toEqual(['AuthorPerson', 'AuthorUser']);
    expect([namesOf(schema, 'users'), namesOf(schema, 'people')]).toEqual([['Posts'], ['Posts']]);
  });

  test('belongs_to has precedence over the others', () => {
    const user = table('users', {
      columns: ['id', 'profile_id'],
      key: ['id'],
      foreignKeys: [references('profile_id', 'profiles.id')],
    });
    const profiles = table('profiles', {
      columns: ['id', 'owner_id'],
      key: ['id'],
      indexes: [uniqueIndex('owner_id')],
      foreignKeys: [references('owner_id', 'users.id')],
    });
    expect(namesOf(schemaOf(user, profiles), 'users')).toEqual(['Profile', 'OwnerProfile']);
  });

  test('remaining conflicts are numbered in the order of table names', () => {
    const items = (name: string) =>
      table(name, {
        columns: ['id', 'user_id'],
        key: ['id'],
        foreignKeys: [references('user_id', 'users.id')],
      });
    const schema = schemaOf(users, items('items'), items('item'), items('Items'));
    expect(linesOf(schema, 'users')).toEqual([
      'has_many UserItems -> Items (user_id -> id)',
      'has_many UserItems2 -> item (user_id -> id)',
      'has_many UserItems3 -> items (user_id -> id)',
    ]);
  });

  test('a schema is part of the name only in other schemas', () => {
    const keys = { foreignKeys: [references('user_id', 'app.users.id')] };
    const posts = table('app.posts', { columns: ['id', 'user_id'], key: ['id'], ...keys });
    const logs = table('audit.logs', { columns: ['id', 'user_id'], key: ['id'], ...keys });
    const schema = schemaOf(table('app.users', { columns: ['id'], key: ['id'] }), posts, logs);
    expect(namesOf(schema, 'app.users')).toEqual(['Posts', 'AuditLogs']);
  });

  test('no relation is called like the method TableName', () => {
    const tables = table('table_names', {
      columns: ['id', 'user_id'],
      key: ['user_id'],
      foreignKeys: [references('user_id', 'users.id')],
    });
    expect(namesOf(schemaOf(users, tables), 'users')).toEqual(['UserTableName']);
  });
});

describe('in any schema', () => {
  test('names are valid Go identifiers that differ from all others of the table', () => {
    fc.assert(
      fc.property(anySchema, (schema) => {
        for (const one of schema.tables) {
          const fields = goFieldNames(one.columns.map((column) => column.name));
          const names = [...fields.values(), ...namesOf(schema, one.name)];
          expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
          for (const name of names) expect(name).toMatch(/^\p{Lu}[\p{L}\p{Nd}]*$/u);
        }
      }),
    );
  });

  test('every foreign key between existing tables is a belongs_to, and a has_one, has_many or many_to_many on the other side', () => {
    fc.assert(
      fc.property(anySchema, (schema) => {
        const relations = deriveRelations(schema);
        const of = (name: string) => relations.get(name) ?? [];
        for (const { from, key } of keysOf(schema)) {
          const pointing = { foreignKeys: key.columns, referenceKeys: key.referencedColumns };
          const ownRelations = of(from.name).filter(
            (one) => one.type === 'belongs_to' && one.table === key.table,
          );
          expect(ownRelations).toContainEqual(expect.objectContaining(pointing));
          const back = of(key.table).filter(
            (one) => one.type !== 'belongs_to' && [one.table, one.joinTable].includes(from.name),
          );
          expect(back).toContainEqual(expect.objectContaining(pointing));
        }
        const count = [...relations.values()].flat().length;
        expect(count).toBe(2 * keysOf(schema).length);
      }),
    );
  });

  test('the order of tables, keys and indexes does not matter', () => {
    const shuffled = anySchema.chain((schema) =>
      fc
        .tuple(
          fc.shuffledSubarray([...schema.tables], { minLength: schema.tables.length }),
          fc.infiniteStream(fc.nat()),
        )
        .map(([tables, numbers]) => ({
          schema,
          other: { ...schema, tables: tables.map((one) => reordered(one, numbers)) },
        })),
    );
    fc.assert(
      fc.property(shuffled, ({ schema, other }) => {
        expect(Object.fromEntries(deriveRelations(other))).toEqual(
          Object.fromEntries(deriveRelations(schema)),
        );
      }),
    );
  });
});

function reordered(one: Table, numbers: Iterator<number>): Table {
  const mix = <T>(items: readonly T[]): readonly T[] =>
    items
      .map((item) => ({ item, at: Number(numbers.next().value) }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ item }) => item);
  return { ...one, foreignKeys: mix(one.foreignKeys), indexes: mix(one.indexes) };
}

/** Foreign keys to existing columns, without duplicates. */
function keysOf(schema: Schema): readonly { readonly from: Table; readonly key: ForeignKey }[] {
  const tableNames = new Set(schema.tables.map((one) => one.name));
  return schema.tables.flatMap((from) => {
    const distinct = new Map(
      from.foreignKeys.map((key) => [
        JSON.stringify([key.table, key.columns, key.referencedColumns]),
        key,
      ]),
    );
    return [...distinct.values()]
      .filter((key) => tableNames.has(key.table))
      .map((key) => ({ from, key }));
  });
}

const tableNames = [
  'users',
  'user',
  'posts',
  'author_posts',
  'Users',
  'app.users',
  'table_names',
  '名',
];
const columnNames = [
  'id',
  'author_id',
  'author',
  'Author_ID',
  'user_id',
  'posts',
  'table_name',
  '%',
];

const anyKey: fc.Arbitrary<ForeignKey> = fc
  .record({
    columns: fc.subarray(columnNames, { minLength: 1, maxLength: 2 }),
    table: fc.constantFrom(...tableNames, 'gone'),
    referenced: fc.subarray(columnNames, { minLength: 2, maxLength: 2 }),
  })
  .map(({ columns, table: target, referenced }) => ({
    columns,
    table: target,
    referencedColumns: referenced.slice(0, columns.length),
    onUpdate: 'no action',
    onDelete: 'no action',
  }));

const anyIndex = fc
  .subarray(columnNames, { minLength: 1, maxLength: 2 })
  .map((columns) => uniqueIndex(columns.join(',')));

/** A table with all columns, or a join table of two others. */
function anyTable(name: string): fc.Arbitrary<Table> {
  const wide = fc
    .tuple(
      fc.subarray(columnNames, { maxLength: 2 }),
      fc.array(anyIndex, { maxLength: 2 }),
      fc.array(anyKey, { maxLength: 5 }),
    )
    .map(([key, indexes, foreignKeys]) =>
      table(name, {
        columns: columnNames,
        ...(key.length === 0 ? {} : { key }),
        indexes,
        foreignKeys,
      }),
    );
  const joinTable = fc
    .tuple(fc.constantFrom(...tableNames), fc.constantFrom(...tableNames))
    .map(([one, two]) => [references('author_id', `${one}.id`), references('user_id', `${two}.id`)])
    .map((foreignKeys) =>
      table(name, {
        columns: ['author_id', 'user_id'],
        key: ['author_id', 'user_id'],
        foreignKeys,
      }),
    );
  return fc.oneof(wide, joinTable);
}

const anySchema: fc.Arbitrary<Schema> = fc
  .subarray(tableNames, { minLength: 1 })
  .chain((names) => fc.tuple(...names.map(anyTable)))
  .map((tables) =>
    schemaOf(
      ...tables.map((one) => ({
        ...one,
        foreignKeys: one.foreignKeys.filter((key) => hasTarget(key, tables)),
      })),
    ),
  );

/** A join table has few columns. A test of its own covers foreign keys to missing columns. */
function hasTarget(key: ForeignKey, tables: readonly Table[]): boolean {
  const target = tables.find((one) => one.name === key.table);
  return (
    target === undefined ||
    key.referencedColumns.every((name) => target.columns.some((column) => column.name === name))
  );
}
