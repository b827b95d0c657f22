/** `node bench/importing-schemas.ts`: measures the import of schema files of 500 tables into an empty SQLite file. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { importText } from '../test/databases/import-job.ts';

const tables = 500;
const columns = 12;

function sqlFile(dialect: 'sqlite' | 'mysql' | 'postgres'): string {
  const quote = dialect === 'mysql' ? '`' : '"';
  const name = (text: string): string => quote + text + quote;
  return Array.from({ length: tables }, (_, i) => {
    const columnLines = Array.from(
      { length: columns },
      (_each, c) => `  ${name(`c${c}`)} varchar(${c + 10}) DEFAULT 'x${c}' NOT NULL`,
    );
    const foreignKeyLines =
      i === 0
        ? []
        : [
            `  CONSTRAINT ${name(`fk${i}`)} FOREIGN KEY (${name('parent')}) REFERENCES ${name(`t${i - 1}`)} (${name('id')})`,
          ];
    const lines = [
      `  ${name('id')} INTEGER PRIMARY KEY`,
      `  ${name('parent')} INTEGER`,
      ...columnLines,
      ...foreignKeyLines,
    ];
    return `CREATE TABLE ${name(`t${i}`)} (\n${lines.join(',\n')}\n);\nCREATE INDEX ${name(`i${i}`)} ON ${name(`t${i}`)} (${name('c1')}, ${name('c2')});\n`;
  }).join('\n');
}

function dbmlFile(): string {
  return Array.from({ length: tables }, (_, i) => {
    const columnLines = Array.from(
      { length: columns },
      (_each, c) => `  c${c} varchar(${c + 10}) [default: 'x${c}', not null]`,
    );
    const parent = i === 0 ? '  parent int' : `  parent int [ref: > t${i - 1}.id]`;
    return `Table t${i} {\n  id int [pk, increment]\n${parent}\n${columnLines.join('\n')}\n  indexes { (c1, c2) [name: 'i${i}'] }\n}\n`;
  }).join('\n');
}

async function measure(name: string, text: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-bench-'));
  const url = join(folder, 'bench.db');
  const file = new BetterSqlite3(url);
  file.exec('PRAGMA user_version = 1');
  file.close();
  const start = performance.now();
  const before = process.cpuUsage();
  const { tables_created: createdTables } = await importText(name, text, { url });
  const ms = Math.round(performance.now() - start);
  const { user, system } = process.cpuUsage(before);
  const cpuMs = Math.round((user + system) / 1000);
  rmSync(folder, { recursive: true });
  console.log(
    `${name}: ${createdTables.length} tables, ${(text.length / 1024).toFixed(0)} kB, ${ms} ms (${cpuMs} ms of processor time)`,
  );
}

await measure('sqlite.sql', sqlFile('sqlite'));
await measure('mysql.sql', sqlFile('mysql'));
await measure('postgres.sql', sqlFile('postgres'));
await measure('schema.dbml', dbmlFile());
