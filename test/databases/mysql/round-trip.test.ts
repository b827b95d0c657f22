/** Features that only MySQL or MariaDB has are the same after an export and import. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { mysqlDdl } from '../../../src/databases/mysql/dialect/ddl.ts';
import { mysql } from '../../../src/databases/mysql/kind.ts';
import { createSchema } from '../../../src/sql/create-schema.ts';
import { createStudio } from '../../../src/studio/studio.ts';
import { createTestDatabase, useMariadb } from '../../servers/mariadb.ts';
import type { Schema } from '../../../src/model/schema.ts';
import type { Studio } from '../../../src/studio/studio.ts';
import type { TestDatabase } from '../../servers/mariadb.ts';

const server = useMariadb();
let copy: TestDatabase;

beforeAll(async () => {
  try {
    server();
  } catch {
    // Its tests are skipped, with the reason.
    return;
  }
  copy = await createTestDatabase();
});

afterAll(() => copy?.drop());

async function structureOf({ url }: TestDatabase): Promise<Schema> {
  const database = await mysql.open({ url, readOnly: true, create: false });
  try {
    return await database.introspect();
  } finally {
    await database.close();
  }
}

interface Features {
  readonly column: boolean;
  readonly index: boolean;
  readonly enforced: boolean;
  readonly descending: boolean;
  readonly text: string;
}

const features: fc.Arbitrary<Features> = fc.record({
  column: fc.boolean(),
  index: fc.boolean(),
  enforced: fc.boolean(),
  descending: fc.boolean(),
  // MySQL prints no character of four bytes in an expression.
  text: fc.string({ unit: fc.constantFrom(...'aé"\'Öß日Ã¼–'), maxLength: 6 }),
});

/** A CREATE TABLE statement with these features, as far as the server has them. */
function tableOf(
  { column, index, enforced, descending, text }: Features,
  isMariadb: boolean,
): string {
  const literal = mysqlDdl.quoteText(text);
  const state = enforced || isMariadb ? '' : ' NOT ENFORCED';
  const use = index ? (isMariadb ? ' IGNORED' : ' INVISIBLE') : '';
  return `CREATE TABLE featured (
    id int PRIMARY KEY,
    secret varchar(20) DEFAULT (concat(${literal}, 'x'))${column ? ' INVISIBLE' : ''},
    \`ünï\` varchar(20),
    made varchar(40) GENERATED ALWAYS AS (concat(\`ünï\`, ${literal})) VIRTUAL${column ? ' INVISIBLE' : ''},
    KEY by_secret (secret${descending ? ' DESC' : ''})${use},
    CONSTRAINT is_featured CHECK (\`ünï\` <> ${literal})${state})`;
}

test('invisible columns and indexes, checks that are not enforced, expressions of any letter', async () => {
  const { isMariadb } = server();
  const property = fc.asyncProperty(features, async (facts) => {
    await server().query(`DROP TABLE IF EXISTS featured; ${tableOf(facts, isMariadb)}`);
    const readSchema = await structureOf(server());
    const [table] = readSchema.tables;
    const isHidden = facts.column ? true : undefined;
    expect(table?.columns.map(({ invisible }) => invisible)).toEqual([
      undefined,
      isHidden,
      undefined,
      isHidden,
    ]);
    expect(table?.indexes[0]?.invisible).toBe(facts.index ? true : undefined);
    expect(table?.checks[0]?.enforced).toBe(facts.enforced || isMariadb ? undefined : false);
    const { statements } = createSchema(readSchema, mysqlDdl, { native: true });
    await copy.query(`DROP TABLE IF EXISTS featured; ${statements.join(';\n')}`);
    expect((await structureOf(copy)).tables).toEqual(readSchema.tables);
  });
  await fc.assert(property, { numRuns: 12 });
});

test('versioned tables and checks of columns; an application-time period is listed as another object', async (context) => {
  if (!server().isMariadb) context.skip('MySQL has none of them');
  await server().query(`DROP TABLE IF EXISTS made;
    CREATE TABLE made (id int PRIMARY KEY, n int CHECK (n > 0), j json, CHECK (n < id),
      since timestamp(6) AS ROW START INVISIBLE, until timestamp(6) AS ROW END INVISIBLE,
      PERIOD FOR SYSTEM_TIME (since, until)) WITH SYSTEM VERSIONING;
    CREATE TABLE versioned (id int) WITH SYSTEM VERSIONING;
    CREATE TABLE partly_versioned (id int PRIMARY KEY, n int WITHOUT SYSTEM VERSIONING COMMENT 'x',
      at timestamp DEFAULT current_timestamp ON UPDATE current_timestamp INVISIBLE WITHOUT SYSTEM VERSIONING)
      WITH SYSTEM VERSIONING;
    CREATE TABLE booked (room int, \`from\` date, until date, PERIOD FOR \`t\`\`o\` (\`from\`, until))`);
  const wholeSchema = await structureOf(server());
  const schema = {
    ...wholeSchema,
    tables: wholeSchema.tables.filter(({ options }) => options?.['temporal']),
  };
  const { statements, warnings } = createSchema(schema, mysqlDdl, { native: true });
  expect([schema.tables.length, warnings]).toEqual([3, []]);
  await copy.query(statements.join(';\n'));
  for (const table of ['made', 'versioned', 'partly_versioned']) {
    const text = `SHOW CREATE TABLE ${table}`;
    expect(await copy.query(text)).toEqual(await server().query(text));
  }
  const database = await mysql.open({ url: server().url, readOnly: true, create: false });
  try {
    const periods = (await database.otherObjects()).filter(({ kind }) => kind === 'period');
    expect(periods).toEqual([{ kind: 'period', name: 't`o', table: { localName: 'booked' } }]);
  } finally {
    await database.close();
    await server().query('DROP TABLE made, versioned, partly_versioned, booked');
  }
});

describe('values', () => {
  let studio: Studio | undefined;

  const open = async (structure: string): Promise<Studio> => {
    await server().query(structure);
    studio = await createStudio({ url: server().url });
    return studio;
  };

  afterAll(() => studio?.close());

  const list = async (table: string): Promise<readonly Record<string, unknown>[]> => {
    const query = {
      ...{ page: 1, pageSize: 100, sort: [], showDeleted: false, filters: [] },
      ...{ count: 'auto', etags: false, labels: false, cells: 'full' },
    };
    const { body } = await studio!.perform('list-rows', { table, query });
    const { data } = JSON.parse(Buffer.from(body as Uint8Array).toString()) as {
      data: Record<string, unknown>[];
    };
    return data;
  };

  const create = (table: string, row: object): Promise<unknown> =>
    studio!.perform('create-row', { table, body: JSON.stringify(row) });

  test('of VECTOR', async (context) => {
    if (server().isMariadb) context.skip('MariaDB has no VECTOR before 11.7');
    await open('CREATE TABLE vectors (id int PRIMARY KEY, v vector(3) NOT NULL)');
    // JSON.stringify writes -0 as 0.
    const single = fc.float({ noNaN: true, noDefaultInfinity: true }).map((n) => (n === 0 ? 0 : n));
    const three = fc.array(single, { minLength: 3, maxLength: 3 });
    let id = 0;
    await fc.assert(
      fc.asyncProperty(three, async (numbers) => {
        id += 1;
        await create('vectors', { id, v: JSON.stringify(numbers) });
        const [row] = await server().query(`SELECT HEX(v) AS v FROM vectors WHERE id = ${id}`);
        const bytes = Buffer.from(Float32Array.from(numbers).buffer);
        expect(row?.['v']).toBe(bytes.toString('hex').toUpperCase());
        const listed = (await list('vectors')).find((one) => one['id'] === id)?.['v'];
        expect((JSON.parse(String(listed)) as number[]).map(Math.fround)).toEqual(numbers);
      }),
      { numRuns: 20 },
    );
    await expect(create('vectors', { id: 0, v: 'none' })).rejects.toMatchObject({
      code: 'invalid_value',
    });
  });

  test('of a reference system with latitudes first', async (context) => {
    if (server().isMariadb) context.skip('MariaDB has no columns of one reference system');
    await open('CREATE TABLE places (id int PRIMARY KEY, p point NOT NULL SRID 4326)');
    const point = fc.tuple(
      fc.integer({ min: -9000, max: 9000 }),
      fc.integer({ min: -17_999, max: 18_000 }),
    );
    let id = 0;
    await fc.assert(
      fc.asyncProperty(point, async ([latitude, longitude]) => {
        id += 1;
        const text = `POINT(${latitude / 100} ${longitude / 100})`;
        await create('places', { id, p: text });
        const [row] = await server().query(
          `SELECT ST_Latitude(p) AS y, ST_Longitude(p) AS x FROM places WHERE id = ${id}`,
        );
        // The server computes both from radians.
        expect(Number(row?.['y'])).toBeCloseTo(latitude / 100, 6);
        expect(Number(row?.['x'])).toBeCloseTo(longitude / 100, 6);
        const p = `SRID=4326;POINT(${longitude / 100} ${latitude / 100})`;
        expect((await list('places')).find((one) => one['id'] === id)).toEqual({ id, p });
      }),
      { numRuns: 15 },
    );
    await expect(create('places', { id: 0, p: 'POINT(200 100)' })).rejects.toMatchObject({
      code: 'invalid_value',
      message: expect.stringContaining('Latitude') as string,
    });
  });
});

test('reference systems of columns, which exports leave out, are among the other objects', async (context) => {
  if (!server().isMariadb) context.skip('MySQL has SRID instead, which is part of the type');
  await server().query('CREATE TABLE placed (g point REF_SYSTEM_ID=4326, h point)');
  const database = await mysql.open({ url: server().url, readOnly: true, create: false });
  try {
    expect(await database.otherObjects()).toContainEqual({
      kind: 'attribute',
      name: 'REF_SYSTEM_ID=4326 (g)',
      table: { localName: 'placed' },
    });
  } finally {
    await database.close();
    await server().query('DROP TABLE placed');
  }
});
