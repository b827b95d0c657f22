/**
 * A geometry keeps its spatial reference system (SRID), compared by the bytes that the server stores.
 */
import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createStudio } from '../../../src/studio/studio.ts';
import { createTestDatabase, useMariadb } from '../../servers/mariadb.ts';
import { exportAll, exportOne } from '../exporting.ts';
import { importFile } from '../importing.ts';
import { listDefaults } from '../kit/harness.ts';
import { mysqlUnderTest } from '../kit/databases-under-test/mysql.ts';
import type { Studio } from '../../../src/studio/studio.ts';
import type { TestDatabase } from '../../servers/mariadb.ts';

const server = useMariadb();
let copy: TestDatabase;
let studio: Studio;

const structure = 'CREATE TABLE places (id int PRIMARY KEY, g geometry)';

beforeAll(async () => {
  try {
    server();
  } catch {
    // Its tests are skipped, with the reason.
    return;
  }
  await server().query(structure);
  copy = await createTestDatabase();
  await copy.query(structure);
  studio = await createStudio({ url: server().url });
});

afterAll(async () => {
  await studio?.close();
  await copy?.drop();
});

/** Planar, geographic in degrees (latitude first on MySQL), projected, and geographic in grads. */
const systems = [0, 4326, 3857, 4807];

/**
 * Raw SQL and columns format numbers near 0 with different numbers of digits, which another test
 * covers.
 */
const number = (most: number): fc.Arbitrary<number> =>
  fc.double({ min: -most, max: most, noNaN: true }).map((n) => (Math.abs(n) < 1e-5 ? 0 : n));

const position = fc.tuple(number(170), number(80)).map(([x, y]) => `${x} ${y}`);
const line = fc.array(position, { minLength: 2, maxLength: 4 }).map((all) => `(${all.join(',')})`);
const shape: fc.Arbitrary<string> = fc.oneof(
  position.map((at) => `POINT(${at})`),
  line.map((all) => `LINESTRING${all}`),
  fc.constant('POLYGON((0 0,10 0,10 10,0 10,0 0),(1 1,2 1,2 2,1 1))'),
  fc.array(position, { minLength: 1, maxLength: 3 }).map((all) => `MULTIPOINT(${all.join(',')})`),
  fc.array(line, { minLength: 1, maxLength: 3 }).map((all) => `MULTILINESTRING(${all.join(',')})`),
  fc.tuple(position, line).map(([at, all]) => `GEOMETRYCOLLECTION(POINT(${at}),LINESTRING${all})`),
);
const geometries = fc.array(fc.record({ wkt: shape, srid: fc.constantFrom(...systems) }), {
  minLength: 4,
  maxLength: 12,
});

async function storedIn(database: TestDatabase): Promise<readonly unknown[]> {
  return database.query('SELECT id, HEX(g) AS g FROM places ORDER BY id');
}

interface Page {
  readonly data: readonly { readonly id: number; readonly g: string }[];
  readonly etags: readonly string[];
}

async function list(): Promise<Page> {
  const query = { ...listDefaults, pageSize: 500, etags: true };
  const { body } = await studio.perform('list-rows', { table: 'places', query });
  return JSON.parse(Buffer.from(body as Uint8Array).toString()) as Page;
}

/** Stores the values with the database's own client. */
async function store(
  all: readonly { readonly wkt: string; readonly srid: number }[],
): Promise<void> {
  const options = server().isMariadb ? '' : ", 'axis-order=long-lat'";
  const values = all.map(
    ({ wkt, srid }, id) => `(${id}, ST_GeomFromText('${wkt}', ${srid}${options}))`,
  );
  await server().query(`DELETE FROM places; INSERT INTO places VALUES ${values.join(', ')}`);
}

test('row routes, raw SQL and every export keep the reference system', async () => {
  const property = fc.asyncProperty(geometries, async (all) => {
    await store(all);
    const stored = await storedIn(server());
    const { data, etags } = await list();
    data.forEach(({ g }, i) => {
      const srid = all[i]?.srid ?? 0;
      expect(g.startsWith(`SRID=${srid};`)).toBe(srid !== 0);
    });
    const raw = await studio.perform('run-sql', {
      body: JSON.stringify({ query: 'SELECT id, g FROM places ORDER BY id' }),
    });
    const { rows } = JSON.parse(Buffer.from(raw.body as Uint8Array).toString()) as {
      rows: unknown;
    };
    expect(rows).toEqual(data);
    // A change of the system must change the ETag, and a write back must restore it.
    await server().query('UPDATE places SET g = ST_GeomFromText("POINT(1 2)", 3857)');
    const changed = await list();
    expect(changed.etags.some((etag, i) => etag === etags[i])).toBe(false);
    for (const row of data)
      await studio.perform('update-row', {
        ...{ table: 'places', id: String(row.id), showDeleted: false },
        body: JSON.stringify(row),
      });
    expect(await storedIn(server())).toEqual(stored);
    await everyExport(stored);
  });
  await fc.assert(property, { numRuns: 3 });
});

async function everyExport(stored: readonly unknown[]): Promise<void> {
  const { url } = server();
  for (const format of ['json', 'ndjson', 'csv', 'sql', 'xlsx']) {
    const { bytes } = await exportOne(url, { table: 'places', format });
    const name = `places.${format}`;
    await importFile(copy.url, [name, bytes], { table: 'places', mode: 'replace' });
    expect(await storedIn(copy), format).toEqual(stored);
  }
  await importFile(copy.url, ['dump.sql', dumpOf(stored as readonly Stored[])], {
    mode: 'replace',
  });
  expect(await storedIn(copy), 'dump').toEqual(stored);
  await copy.query('DELETE FROM places');
  const [command, ...args] = mysqlUnderTest.client(copy.url);
  execFileSync(command, args, { input: (await exportAll(url, { format: 'sql' })).bytes });
  expect(await storedIn(copy)).toEqual(stored);
}

test('a file with geometry functions is imported as the server reads it', async () => {
  const { isMariadb } = server();
  const latitudeFirst = isMariadb ? '' : ", 'axis-order=lat-long'";
  const script = `INSERT INTO places VALUES (1, ST_GeomFromText('POINT(40 -70)', 4326)),
    (2, ST_GeomFromText('POINT(40 -70)', 3857)), (3, ST_GeomFromText('POINT(40 -70)')),
    (4, ST_GeomFromText('LINESTRING(40 -70,41 -71)', 4326${latitudeFirst}));`;
  await server().query(`DELETE FROM places; ${script}`);
  await importFile(copy.url, ['places.sql', script], { mode: 'replace' });
  expect(await storedIn(copy)).toEqual(await storedIn(server()));
});

test.each([
  'SRID=4326',
  'SRID=x;POINT(1 2)',
  'SRID=4326;',
  'SRID=0;SRID=0;POINT(1 2)',
  'x;POINT(1 2)',
])('%s is rejected, and the row is unchanged', async (g) => {
  await store([{ wkt: 'POINT(1 2)', srid: 4326 }]);
  const stored = await storedIn(server());
  const update = studio.perform('update-row', {
    ...{ table: 'places', id: '0', showDeleted: false },
    body: JSON.stringify({ g }),
  });
  await expect(update).rejects.toMatchObject({ code: 'invalid_value' });
  expect(await storedIn(server())).toEqual(stored);
});

interface Stored {
  readonly id: number;
  readonly g: string;
}

const escapes: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\n': '\\n',
  '\r': '\\r',
  '\u001A': '\\Z',
  "'": "\\'",
  '"': '\\"',
  '\\': '\\\\',
};

/** Geometries as mysqldump writes them without `--hex-blob`: their bytes in strings. */
function dumpOf(rows: readonly Stored[]): Buffer {
  const values = rows.map(({ id, g }) => {
    const characters = Array.from(Buffer.from(g, 'hex').toString('latin1'));
    return `(${id},'${characters.map((character) => escapes[character] ?? character).join('')}')`;
  });
  const script = `-- MySQL dump 10.13\n\nINSERT INTO \`places\` VALUES ${values.join(',')};\n`;
  return Buffer.from(script, 'latin1');
}
