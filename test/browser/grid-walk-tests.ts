import { expect, test } from 'vitest';
import { subjects } from '../databases/kit/subjects.ts';
import type { NativeDatabase, Subject } from '../databases/kit/subject.ts';
import { GridModel } from './grid-walk-model.ts';
import { WalkNetwork } from './grid-walk-network.ts';
import { GridScreen } from './grid-walk-screen.ts';
import { readStored } from './grid-walk-base.ts';
import { GridWalker } from './grid-walk.ts';
import { inBrowser } from './studio-page.ts';

const rows = 70;

/** The types of a key that the database assigns, by driver; the others know `SERIAL`. */
const keyTypes: Readonly<Record<string, string>> = { sqlite: 'INTEGER' };

async function fill(native: NativeDatabase, { name }: Subject): Promise<void> {
  await native.run(
    `CREATE TABLE walked (id ${keyTypes[name] ?? 'SERIAL'} PRIMARY KEY,
       name VARCHAR(20) NOT NULL, a VARCHAR(60) CHECK (a <> 'refused'), b INTEGER)`,
  );
  await native.run('CREATE TABLE other (id INTEGER PRIMARY KEY, text VARCHAR(20))');
  await native.run("INSERT INTO other VALUES (1, 'an only row')");
}

async function refill(native: NativeDatabase): Promise<void> {
  await native.run('DELETE FROM walked');
  const values = Array.from({ length: rows }, (_, i) => {
    const a = i % 7 === 0 ? 'NULL' : `'a${i}'`;
    return `('s${i}', ${a}, ${i % 5 === 0 ? 'NULL' : i})`;
  });
  await native.run(`INSERT INTO walked (name, a, b) VALUES ${values.join()}`);
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
  for (const subject of subjects.filter(({ name }) => names.length === 0 || names.includes(name))) {
    let native: NativeDatabase;
    inBrowser(
      `random walks through the grid on ${subject.name}`,
      ({ open }) => {
        test.for(Array.from({ length: walks }, (_, i) => seed + i))(
          'leave in the database what the user saw (seed %i)',
          { timeout: 600_000 },
          async (walkSeed) => {
            await refill(native);
            const page = await open('/tables/walked?sort_by=id', {
              viewport: { width: 1200, height: 640 },
              permissions: ['clipboard-read', 'clipboard-write'],
            });
            page.removeAllListeners('console');
            page.on('dialog', (dialog) => void dialog.accept());
            const network = new WalkNetwork();
            await network.attach(page);
            await page.locator('#cell-0-0').waitFor();
            const model = new GridModel(await readStored(native));
            const parts = { screen: new GridScreen(page), model, network, native };
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
          native = await subject.makeDatabase();
          await fill(native, subject);
          return native;
        },
      },
    );
  }
}
