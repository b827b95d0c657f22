/**
 * `node bench/introspecting.ts URL…`: measures the introspection of 500 tables and 600 foreign
 * keys, on a new connection and on one that has introspected before. The databases must be empty. The tables
 * that are created in them are not dropped.
 */
import { median } from './statistics.ts';
import { openDatabase } from '../test/databases/registered-databases.ts';
import type { Database } from '../test/databases/registered-databases.ts';

const tableCount = 500;
const keyCount = 600;
const rounds = 5;

function statements(): readonly string[] {
  const tables = Array.from({ length: tableCount }, (_, i) => [
    `CREATE TABLE t${i} (id INTEGER PRIMARY KEY, name VARCHAR(80) NOT NULL, code VARCHAR(20) UNIQUE,
      amount DECIMAL(10,2) DEFAULT 0 CHECK (amount >= 0), made DATE NOT NULL, note VARCHAR(200),
      r1 INTEGER, r2 INTEGER${foreignKeysOf(i)})`,
    `CREATE INDEX t${i}_name ON t${i} (name)`,
    `CREATE INDEX t${i}_made ON t${i} (made, id)`,
  ]);
  return tables.flat();
}

/** Each table references an earlier table, and every fifth table a second one. */
function foreignKeysOf(i: number): string {
  const count =
    Math.floor(((i + 1) * keyCount) / tableCount) - Math.floor((i * keyCount) / tableCount);
  return Array.from({ length: count }, (_, k) => {
    const target = Math.max(0, i - 1 - k * 7);
    return `, CONSTRAINT f${i}_${k} FOREIGN KEY (r${k + 1}) REFERENCES t${target} (id)`;
  }).join('');
}

async function timeIntrospection(database: Database): Promise<number> {
  const start = performance.now();
  const { tables } = await database.introspect();
  const ms = performance.now() - start;
  const keys = tables.reduce((sum, { foreignKeys }) => sum + foreignKeys.length, 0);
  if (tables.length !== tableCount || keys !== keyCount)
    throw new Error(`${tables.length} tables, ${keys} foreign keys`);
  return ms;
}

async function measure(url: string): Promise<void> {
  const target = { url, readOnly: false, create: true };
  const database = await openDatabase(target);
  for (const text of statements()) await database.run({ text, params: [] });
  await database.close();
  const newConnectionMs: number[] = [];
  const usedConnectionMs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const database = await openDatabase(target);
    newConnectionMs.push(await timeIntrospection(database));
    usedConnectionMs.push(await timeIntrospection(database));
    await database.close();
  }
  const name = url.split(':')[0];
  console.log(
    `${name}: ${Math.round(median(newConnectionMs))} ms on a new connection, ${Math.round(median(usedConnectionMs))} ms again`,
  );
}

for (const url of process.argv.slice(2)) await measure(url);
