import { expect, test } from 'vitest';
import { databasesUnderTest } from '../databases/kit/databases-under-test.ts';
import type { KitDatabase, DatabaseUnderTest } from '../databases/kit/database-under-test.ts';
import { GridModel } from './grid-walk-model.ts';
import { WalkNetwork } from './grid-walk-network.ts';
import { GridScreen } from './grid-walk-screen.ts';
import { readStored } from './grid-walk-base.ts';
import { GridWalker } from './grid-walk.ts';
import { inBrowser } from './studio-page.ts';

const rows = 70;

/** The types of a key that the database assigns, by driver; the others use `SERIAL`. */
const keyTypes: Readonly<Record<string, string>> = { sqlite: 'INTEGER' };

async function fill(database: KitDatabase, { name }: DatabaseUnderTest): Promise<void> {
  await database.run(
    `CREATE TABLE walked (id ${keyTypes[name] ?? 'SERIAL'} PRIMARY KEY,
       name VARCHAR(20) NOT NULL, a VARCHAR(60) CHECK (a <> 'rejected'), b INTEGER)`,
  );
  await database.run('CREATE TABLE other (id INTEGER PRIMARY KEY, text VARCHAR(20))');
  await database.run("INSERT INTO other VALUES (1, 'an only row')");
}

async function refill(database: KitDatabase): Promise<void> {
  await database.run('DELETE FROM walked');
  const values = Array.from({ length: rows }, (_, i) => {
    const a = i % 7 === 0 ? 'NULL' : `'a${i}'`;
    return `('s${i}', ${a}, ${i % 5 === 0 ? 'NULL' : i})`;
  });
  await database.run(`INSERT INTO walked (name, a, b) VALUES ${values.join()}`);
}

/** mulberry32 */
function randomOf(seed: number): () => number {
  let state = Math.trunc(seed);
  return () => {
    state = Math.trunc(state + 0x6d2b79f5);
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Tests that random walks leave in the database what the user saw. */
export function testGridWalks(names: readonly string[], walks: number): void {
  const seed = Number(process.env['STUDIO_TEST_SEED']);
  for (const underTest of databasesUnderTest.filter(
    ({ name }) => names.length === 0 || names.includes(name),
  )) {
    let database: KitDatabase;
    inBrowser(
      `random walks through the grid on ${underTest.name}`,
      ({ open }) => {
        test.for(Array.from({ length: walks }, (_, i) => seed + i))(
          'leave in the database what the user saw (seed %i)',
          { timeout: 600_000 },
          async (walkSeed) => {
            await refill(database);
            const page = await open('/tables/walked?sort_by=id', {
              viewport: { width: 1200, height: 640 },
              permissions: ['clipboard-read', 'clipboard-write'],
            });
            page.removeAllListeners('console');
            page.on('dialog', (dialog) => void dialog.accept());
            const network = new WalkNetwork();
            await network.attach(page);
            await page.locator('#cell-0-0').waitFor();
            const model = new GridModel(await readStored(database));
            const parts = { screen: new GridScreen(page), model, network, database };
            const walker = new GridWalker(parts, randomOf(walkSeed));
            try {
              await walker.run(50);
            } catch (error) {
              throw new Error(`seed ${walkSeed}:\n${walker.log.join('\n')}`, { cause: error });
            }
            expect(walker.log.length).toBeGreaterThan(10);
          },
        );
      },
      {
        database: async () => {
          database = await underTest.makeDatabase();
          await fill(database, underTest);
          return database;
        },
      },
    );
  }
}
