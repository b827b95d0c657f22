/** Writes docs/importing-schemas.md from what is known of the samples; with --check it only says whether it is in step. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { sampleDifferences, sampleNames } from '../test/databases/sample-differences.ts';
import { dbmlDifference, dbmlDifferences } from '../test/databases/dbml-differences.ts';
import { sections, table } from './docs/markdown.ts';

const path = join(import.meta.dirname, '..', 'docs', 'importing-schemas.md');

const databases = ['sqlite', 'postgres', 'mysql'];
const titles = ['SQLite', 'PostgreSQL', 'MariaDB'];

function cell(file: string, database: string): string {
  const known = sampleDifferences.find((each) => each.file === file && each.database === database);
  if (known === undefined) return /mssql|sqlserver/i.test(file) ? 'made' : 'equal';
  return known.refused === true ? `Refused. ${known.what}` : known.what;
}

function dbmlCell(file: string, database: string): string {
  const known = dbmlDifference(file, database);
  if (known === undefined) return 'equal';
  return known.refused === true ? `Refused. ${known.what}` : known.what;
}

const dbmlFiles = [...new Set(dbmlDifferences.flatMap(({ files }) => files))].toSorted();

const page = `${sections(
  '# Importing schemas',
  '`POST /studio/api/import/schema` makes tables of a file: `.sql` in the dialect of any of the four databases, `.json`, `.yaml` or `.dbml`, whatever database the studio is on. It is all or nothing: one transaction, or on MySQL, where every statement of DDL commits, a journal in the state folder (a temporary one where the studio has none) by which a failure, an import that is cancelled or killed, or the next start after a crash of the studio takes away what was made and holds no rows. What cannot be removed at once, because the server is gone, is named in the error as `left`, and removed when the server is back.',
  [
    '- **The dialect** of a `.sql` file is found out from what it shows; `dialect=` says so. What shows nothing is taken for the database of the studio.',
    '- **In its own database** a schema keeps its types and expressions to the letter. **In another** types are told by what they hold, and defaults, checks, generated columns and the expressions of indexes are said in the words of the database. What cannot be said without a change of meaning is left out, with a warning.',
    "- **Left out with a warning each**: triggers, routines, privileges, extensions, views of another dialect, partitions, types of the file's own but for enums (a domain's columns are of the type under it, with its checks). Owners go in one warning.",
    '- **Followed**: ALTER TABLE, CREATE INDEX, COMMENT and `sp_addextendedproperty` of tables that the file makes, DROP of them too. A DROP of what is not there is left out.',
    '- **Refused**: statements that change data, with a hint (`data=skip` leaves them out); DROP and ALTER of tables that are there; ATTACH and whatever reaches files, programs or other databases. Tables that exist are 409 (`if_exists=skip` leaves them).',
    "- **Who reads**: PostgreSQL's own grammar (libpg-query); SQLite itself, in a database in memory; for MySQL and SQL Server a reader of ours. A syntax error tells line, column and a reason.",
  ].join('\n'),
  '## Schemas of others',
  `The files are from public repositories. Each was run by its database's own client, and imported; then both were read from the catalogue and compared: in its own database tables, columns, types, NULL, defaults, keys, indexes, checks, comments and views, in another all that both can have. *Equal* is what the tests prove on every run (\`test/databases/import-samples*.test.ts\`). Files of SQL Server are imported, but there is no free server to compare with: *made*.`,
  table(
    ['File', ...titles],
    sampleNames.map((file) => [file, ...databases.map((database) => cell(file, database))]),
  ),
  '## DBML of others',
  `Of 101 files in public repositories DBML's own parser takes 63, which are read as it reads them; the other 38 are refused at the line that it names (\`test/formats/schema-dbml.test.ts\`). The 63 were imported into each database and compared with what the catalogue then said. These came out otherwise, each with a warning about it; the rest are *equal* everywhere (\`test/databases/import-dbml.full.test.ts\`).`,
  table(
    ['File', ...titles],
    dbmlFiles.map((file) => [file, ...databases.map((database) => dbmlCell(file, database))]),
  ),
)}\n`;

function isInStep(): boolean {
  try {
    return readFileSync(path, 'utf8') === page;
  } catch {
    return false;
  }
}

if (!process.argv.includes('--check')) writeFileSync(path, page);
else if (!isInStep()) {
  console.error(
    'docs/importing-schemas.md is not in step: run node scripts/write-importing-doc.ts',
  );
  process.exitCode = 1;
}
