/** Writes docs/importing-schemas.md from the known differences of the samples; with --check only reports whether the page is out of date. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { sampleDifferences, sampleNames } from '../test/databases/sample-differences.ts';
import { dbmlDifference, dbmlDifferences } from '../test/databases/dbml-differences.ts';
import { sections, table } from './docs/markdown.ts';

const path = join(import.meta.dirname, '..', 'docs', 'importing-schemas.md');

const databases = ['sqlite', 'postgres', 'mysql'];
const titles = ['SQLite', 'PostgreSQL', 'MariaDB'];

function cell(file: string, database: string): string {
  const difference = sampleDifferences.find(
    (each) => each.file === file && each.database === database,
  );
  if (difference === undefined) return /mssql|sqlserver/i.test(file) ? 'created' : 'equal';
  return difference.rejected === true
    ? `Rejected. ${difference.description}`
    : difference.description;
}

function dbmlCell(file: string, database: string): string {
  const difference = dbmlDifference(file, database);
  if (difference === undefined) return 'equal';
  return difference.rejected === true
    ? `Rejected. ${difference.description}`
    : difference.description;
}

const dbmlFiles = [...new Set(dbmlDifferences.flatMap(({ files }) => files))].toSorted();

const page = `${sections(
  '# Importing schemas',
  '`POST /studio/api/import/schema` creates the tables of a file: `.sql` in the dialect of any of the four databases, `.json`, `.yaml` or `.dbml`, on any database. An import is all or nothing. It is one transaction; on MySQL, where every DDL statement commits, it is a journal in the state folder (a temporary one if the studio has none). With the journal, a failed, canceled or killed import, or the next start after a crash of the studio, drops the created tables that hold no rows. After a crash, it first waits five seconds for signs of life of the import, which another copy of the studio may be running, unless the process ran on the same machine (Linux, same container) and has ended. While an import creates something on MySQL, the database has a table `studio_import_…` (16 hexadecimal digits), which the studio and its exports do not show: it shows after a crash whether the rows are committed, and which tables others have imported since, through a studio with another state folder. Those stay. An import whose user may not create it is undone as far as its tables have no rows, unless its journal says that they are committed. An object is dropped only while it is as the import has created it: others may have dropped it and created their own with its name. If the process was killed while it was creating an object, one of that name is dropped only if it cannot be that of others: not if its columns or its text differ, not a view, and nothing on a cluster. A table on which others have created triggers stays. The error and the log name what stays. What cannot be dropped at once, because the server is gone, is named in the error and its `objects_left`, and dropped when the server is back. So is what stays for good, because others may have written to it or use it: a column that an index, key, check, view, trigger or routine names, or whose values are not those that the import gave it. An expression such as `uuid()` gives each row its own value, so such a column stays. Without the privileges ALTER and LOCK TABLES, tables stay too.',
  [
    '- **The dialect** of a `.sql` file is detected from its statements, or given by `dialect=`. A file without evidence is read in the dialect of the connected database.',
    '- **In its own database** a schema keeps its types and expressions unchanged. **In another** types become types that hold the same values, and defaults, checks, generated columns and index expressions are translated. A literal default is created if both types hold exactly that value. What cannot be translated without a change of meaning is left out, with a warning.',
    '- **Left out with a warning each**: triggers, routines, privileges, extensions, views of another dialect, partitions, types that the file defines, except enums (columns of a domain get its base type and its checks, and tables of a composite type its columns). Partitions become part of their table; a warning for each lists the indexes, keys, checks, defaults and comments that only it has. One warning names all owners that the file sets.',
    '- **Triggers and routines**: a dump import (“Schema and data”, `import dump`) creates triggers, rules, functions, procedures and events of a file in the dialect of the database itself (SQLite, PostgreSQL, MySQL, MariaDB), without their definers; `routines=skip` leaves them out. It also leaves out, by name, those that run SQL which their text does not show, that administer the server (`GRANT`, `CREATE ROLE`, `DROP DATABASE` …), that name another database, that use domains or composite types, or that are on tables which the file does not create. One that accesses files, programs or the network rejects the file. A trigger, routine or view that the database rejects, for example because it calls a function of a missing extension, is left out by name with the reason of the database, and so is what depends on it; a rejected table rejects the file. Triggers do not run for the rows of the file. Constraints of PostgreSQL with `NOT VALID` come after the rows, too, which may break them, and are left out by name on other databases.',
    '- **Followed**: ALTER TABLE, CREATE INDEX, COMMENT, `sp_addextendedproperty` and DROP of tables that the file creates. A DROP of anything that does not exist is ignored.',
    '- **Conditions** of T-SQL (`IF NOT EXISTS …`, `IF OBJECT_ID(…) IS NULL`), in DO blocks of PostgreSQL and in `IF EXISTS` and `IF NOT EXISTS` of MariaDB are answered from what the file has made so far, not from the database. [schema-files.md](schema-files.md#sql) says what happens where the file has no answer.',
    '- **Rejected**: statements that change data, with a hint (`data=skip` ignores them); DROP and ALTER of existing tables; ATTACH and everything that reaches files, programs or other databases. An existing table is 409 (`if_exists=skip` keeps it).',
    '- **Parsers**: the grammar of PostgreSQL itself (libpg-query); SQLite itself, in a database in memory; parsers of this project for MySQL and SQL Server. A syntax error gives line, column and reason.',
  ].join('\n'),
  '## Schemas of other projects',
  `The files are from public repositories. Each was run by its database's own client and imported by the studio. Both results were read from the catalog and compared: in its own database tables, columns, types, nullability, defaults, keys, indexes, checks, comments and views, in another everything that both databases support. The tests verify *equal* on every run (\`test/databases/import-samples*.test.ts\`). Files of SQL Server are imported without a server to compare with: *created*.`,
  table(
    ['File', ...titles],
    sampleNames.map((file) => [file, ...databases.map((database) => cell(file, database))]),
  ),
  '## DBML of other projects',
  `Of 101 files in public repositories DBML's own parser accepts 63, which are read as it reads them; the other 38 are rejected at the line that it reports (\`test/formats/schema-dbml.test.ts\`). The 63 were imported into each database and compared with its catalog. These differ, each with a warning; the rest are *equal* everywhere (\`test/databases/import-dbml.full.test.ts\`).`,
  table(
    ['File', ...titles],
    dbmlFiles.map((file) => [file, ...databases.map((database) => dbmlCell(file, database))]),
  ),
)}\n`;

function isUpToDate(): boolean {
  try {
    return readFileSync(path, 'utf8') === page;
  } catch {
    return false;
  }
}

if (!process.argv.includes('--check')) writeFileSync(path, page);
else if (!isUpToDate()) {
  console.error(
    'docs/importing-schemas.md is out of date. Run: node scripts/write-importing-doc.ts',
  );
  process.exitCode = 1;
}
