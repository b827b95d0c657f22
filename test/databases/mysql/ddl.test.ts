import { expect, test } from 'vitest';

import { mysql } from '../../../src/databases/mysql/kind.ts';
import { demoSchema } from '../../../src/demo/schema.ts';
import { createSchema } from '../../../src/sql/create-schema.ts';
import { createTestDatabase } from '../../servers/mariadb.ts';
import { tableOf, useDatabase } from './open-test-database.ts';
import type { Schema } from '../../../src/model/schema.ts';

const open = useDatabase(`
CREATE TABLE composite (region char(2), number int, PRIMARY KEY (number, region)) COMMENT='it''s';
CREATE TABLE every (
  id bigint unsigned PRIMARY KEY AUTO_INCREMENT,
  t tinyint, tu tinyint unsigned, b tinyint(1) NOT NULL DEFAULT 1, s smallint, m mediumint, big bigint DEFAULT -5,
  d decimal(20,5) DEFAULT 1.50, f float, dbl double DEFAULT 0.1, bits bit(5) DEFAULT b'101', y year,
  day date DEFAULT '2026-01-31', at datetime(3) DEFAULT CURRENT_TIMESTAMP(3), stamp timestamp(6) NULL, clock time(2),
  c char(3), v varchar(100) NOT NULL DEFAULT 'it''s \\\\ "x"', txt text, lt longtext,
  bin binary(4), vb varbinary(20), bl blob,
  e enum('a','it''s','c,d') DEFAULT 'a', st set('x','y') DEFAULT 'x,y', j json,
  place point, loud varchar(10) COLLATE utf8mb4_bin,
  doubled int AS (t * 2) STORED, label varchar(30) AS (concat(v, '-')) VIRTUAL,
  region char(2), number int,
  UNIQUE KEY by_v (v), KEY by_both (t, big DESC),
  CONSTRAINT small CHECK (t < 100 and v <> 'x''y'),
  CONSTRAINT to_composite FOREIGN KEY (number, region) REFERENCES composite (number, region) ON DELETE SET NULL ON UPDATE CASCADE
) ROW_FORMAT=COMPRESSED;
CREATE VIEW some AS SELECT id, v FROM every WHERE t > 1;
`);

async function createdSchema(statements: readonly string[]): Promise<Schema> {
  const ownDatabase = await createTestDatabase();
  const database = await mysql.open({ url: ownDatabase.url, readOnly: false, create: false });
  try {
    await ownDatabase.query(statements.join(';\n'));
    return await database.introspect();
  } finally {
    await database.close();
    await ownDatabase.drop();
  }
}

/** MySQL treats a literal in parentheses as an expression, and prints both differently. */
function normalized(schema: Schema): unknown {
  const text = JSON.stringify({ tables: schema.tables, views: schema.views });
  return JSON.parse(
    text
      .replaceAll(/(?<="(?:expression|default)":")\((.*?)\)(?=")/g, '$1')
      .replaceAll('"now(3)"', '"CURRENT_TIMESTAMP(3)"')
      .replaceAll('"0x05"', `"b'101'"`),
  );
}

test('the DDL of a schema creates the same schema', async () => {
  const { database } = open();
  const schema = await database.introspect();
  const again = await createdSchema(
    createSchema(schema, database.dialect.ddl, { native: true }).statements,
  );
  expect(normalized(again)).toEqual(normalized(schema));
});

test('a neutral schema uses types that can hold its values', async () => {
  const { database } = open();
  const schema = await createdSchema([
    ...database.dialect.ddl.neutralSession.begin,
    ...createSchema(demoSchema, database.dialect.ddl, { native: false }).statements,
  ]);
  expect(schema.tables.map(({ name }) => name).toSorted()).toEqual(
    demoSchema.tables.map(({ name }) => name).toSorted(),
  );
  const kinds = (of: Schema, name: string): object =>
    Object.fromEntries(tableOf(of, name).columns.map((column) => [column.name, column.type.kind]));
  for (const { name } of demoSchema.tables) {
    const expected = Object.entries(kinds(demoSchema, name)).map(([column, kind]) => [
      column,
      kind === 'uuid' ? 'text' : kind,
    ]);
    expect(kinds(schema, name)).toEqual(Object.fromEntries(expected));
  }
});
