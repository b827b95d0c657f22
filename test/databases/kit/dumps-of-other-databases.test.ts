/** Values of dumps that each database writes in its own way, imported into every database. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { exportOne } from '../exporting.ts';
import { importDumpFile } from '../importing.ts';
import { describeOnEachDatabase } from './harness.ts';
import { onNewDatabase } from '../on-new-database.ts';

type Json = string | number | boolean | null | readonly Json[];

interface Imported {
  readonly rows: readonly Readonly<Record<string, Json>>[];
  readonly warnings: readonly string[];
}

const text = fc
  .array(
    fc.constantFrom('a', 'é名', ' ', ',', '"', "'", '\\', '{', '}', '[', ']', 'NULL', '\n', '\t', ';', 'N', '1'), // prettier-ignore
    { maxLength: 5 },
  )
  .map((parts) => parts.join(''));

const bytes = fc.uint8Array({ maxLength: 12 }).map((array) => Buffer.from(array));

const doubled = (value: string): string => `'${value.replaceAll("'", "''")}'`;
const copied = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t');

describeOnEachDatabase('dumps of other databases', (harness) => {
  const { underTest } = harness;
  const numRuns = underTest.name === 'sqlite' ? 30 : 8;

  const imported = async (
    dump: string | Uint8Array,
    dialect: string | undefined,
  ): Promise<Imported> => {
    let result: Imported = { rows: [], warnings: [] };
    await onNewDatabase(
      () => underTest.makeDatabase(),
      async ({ url }) => {
        const { warnings } = await importDumpFile(url, dump, { dialect });
        const exported = await exportOne(url, { table: 't', format: 'ndjson' });
        const lines = exported.text.split('\n').filter((line) => line !== '');
        const rows = lines.map((line) => JSON.parse(line) as Record<string, Json>);
        result = { rows: rows.toSorted((a, b) => Number(a['id']) - Number(b['id'])), warnings };
      },
    );
    return result;
  };

  /** The rows of a dump of PostgreSQL, by COPY and by INSERT. */
  const importedFromPostgres = async (
    type: string,
    literals: readonly string[],
  ): Promise<readonly Json[]> => {
    const structure = `CREATE TABLE t (id integer PRIMARY KEY, v ${type});\n`;
    const lines = literals.map((literal, id) => `${id}\t${copied(literal)}\n`).join('');
    const inserts = literals
      .map(
        (literal, id) =>
          `INSERT INTO public.t VALUES (${id + literals.length}, ${doubled(literal)});\n`,
      )
      .join('');
    const dump = `${structure}COPY public.t (id, v) FROM stdin;\n${lines}\\.\n\n${inserts}`;
    const { rows } = await imported(dump, 'postgres');
    return rows.map((row) => row['v'] ?? null);
  };

  test('are read in the dialect that a comment at their head names', async () => {
    const servers: Readonly<Record<string, readonly string[]>> = {
      mysql: ['MySQL', 'MySql', 'MariaDB'],
      postgres: ['PostgreSQL', 'PostgreSql', 'postgres'],
      sqlite: ['SQLite', 'Sqlite'],
      sqlserver: ['SQL Server', 'SqlServer', 'Microsoft SQL Server'],
    };
    const heads = [
      (name: string) => `/*****\n   Chinook Database - Version 1.4\n   DB Server: ${name}\n*****/`,
      (name: string) => `/*\n Source Server Type    : Oracle\n Target Server Type    : ${name}\n*/`,
      (name: string) => `-- Adminer 4.8.1 ${name} 15.1 dump`,
      (name: string) => `-- A database\n-- Target DBMS:           ${name} 9`,
      (name: string) => `/*=====*/\n/* DBMS name:      ${name} 5.0    */\n/*=====*/`,
    ];
    const server = fc
      .constantFrom(...Object.keys(servers))
      .chain((dialect) => fc.constantFrom(...servers[dialect]!).map((name) => ({ dialect, name })));
    await fc.assert(
      fc.asyncProperty(server, fc.constantFrom(...heads), async ({ dialect, name }, head) => {
        const body = "CREATE TABLE t (id integer PRIMARY KEY, v varchar(9));\nINSERT INTO t VALUES (1, 'a');\n"; // prettier-ignore
        const { rows, warnings } = await imported(`${head(name)}\n${body}`, undefined);
        expect(rows).toEqual([{ id: 1, v: 'a' }]);
        const found = /was read as SQL of (\w+): it contains/.exec(warnings.join('\n'))?.[1];
        expect(found ?? underTest.name).toBe(dialect);
      }),
      { numRuns },
    );
  }, 120_000);

  test('are read as T-SQL if a column is numbered by IDENTITY without its numbers', async () => {
    const clauses = [
      'identity primary key',
      'primary key identity',
      'NOT NULL IDENTITY PRIMARY KEY',
    ];
    for (const clause of clauses) {
      const script = `create table t(id int ${clause}, v varchar(9) not null)\ninsert into t values ('a')\ninsert into t (v) values ('b')\n`;
      const { rows } = await imported(script, undefined);
      expect(rows).toEqual([{ id: 1, v: 'a' }, { id: 2, v: 'b' }]); // prettier-ignore
    }
  }, 60_000);

  test('leave out by name what binds rules and defaults', async () => {
    const script = `CREATE RULE dbo.r AS @v IN ('a', 'b')\nGO\nCREATE TABLE t (id int PRIMARY KEY, v varchar(9))\nGO\nEXEC sys.sp_bindrule @rulename = N'[dbo].[r]', @objname = N'[dbo].[t].[v]'\nEXEC sp_unbindefault 't.v'\nGO\nINSERT t VALUES (1, 'a')\nGO\n`;
    const { rows, warnings } = await imported(script, 'sqlserver');
    expect(rows).toEqual([{ id: 1, v: 'a' }]);
    expect(warnings).toEqual(
      expect.arrayContaining([
        'Line 1: the rule dbo.r is left out.',
        'Line 5: the call of sys.sp_bindrule is left out.',
        'Line 6: the call of sp_unbindefault is left out.',
      ]),
    );
  }, 60_000);

  test('have the items of arrays', async () => {
    const items = fc.array(fc.option(text), { maxLength: 4 });
    const literalOf = (array: readonly (string | null)[]): string => {
      const texts = array.map((item) =>
        item === null ? 'NULL' : `"${item.replaceAll(/["\\]/g, String.raw`\$&`)}"`,
      );
      return `{${texts.join(',')}}`;
    };
    await fc.assert(
      fc.asyncProperty(fc.array(items, { minLength: 1, maxLength: 6 }), async (arrays) => {
        const values = await importedFromPostgres('text[]', arrays.map(literalOf));
        expect(values).toEqual([...arrays, ...arrays]);
      }),
      { numRuns },
    );
    const numbers = await importedFromPostgres('integer[]', ['{1,NULL,-3}', '{}', '{{1,2},{3,4}}']);
    const expected = [[1, null, -3], [], [[1, 2], [3, 4]]]; // prettier-ignore
    expect(numbers).toEqual([...expected, ...expected]);
    const constructors = `CREATE TABLE t (id integer PRIMARY KEY, v integer[]);
      INSERT INTO t VALUES (1, ARRAY[1, NULL, 30]), (2, ARRAY[[1, 2], [3, 4]]);`;
    const { rows } = await imported(constructors, 'postgres');
    expect(rows.map((row) => row['v'])).toEqual([[1, null, 30], [[1, 2], [3, 4]]]); // prettier-ignore
  }, 120_000);

  test('have the bytes of binary strings', async () => {
    const escaped = (value: Buffer): string =>
      [...value]
        .map((byte) => {
          const character = String.fromCharCode(byte);
          if (character === '\\') return '\\\\';
          return byte < 0x20 || byte > 0x7e ? `\\${byte.toString(8).padStart(3, '0')}` : character;
        })
        .join('');
    const escapes: Readonly<Record<string, string>> = {
      '\0': '0',
      '\n': 'n',
      '\r': 'r',
      '\u001a': 'Z',
      '\\': '\\',
      "'": "'",
    };
    const mysqlString = (value: Buffer): Buffer => {
      const characters = [...value.toString('latin1')].map((character) =>
        character in escapes ? `\\${escapes[character]}` : character,
      );
      return Buffer.from(`'${characters.join('')}'`, 'latin1');
    };
    const base64 = (value: Json | undefined): Json => (value as unknown as { $base64?: string } | null)?.$base64 ?? value ?? null; // prettier-ignore
    await fc.assert(
      fc.asyncProperty(fc.array(bytes, { minLength: 1, maxLength: 6 }), async (values) => {
        const expected = values.map((value) => value.toString('base64'));
        const literals = values.flatMap((value) => [`\\x${value.toString('hex')}`, escaped(value)]);
        const twice = expected.flatMap((value) => [value, value]);
        const ofPostgres = await importedFromPostgres('bytea', literals);
        expect(ofPostgres.map(base64)).toEqual([...twice, ...twice]);
        const rows = values.flatMap((value, id) => [
          Buffer.from(`INSERT INTO \`t\` VALUES (${3 * id},`),
          mysqlString(value),
          Buffer.from(`),(${3 * id + 1},_binary `),
          mysqlString(value),
          Buffer.from(`),(${3 * id + 2},x'${value.toString('hex')}');\n`),
        ]);
        const structure = 'CREATE TABLE `t` (`id` int PRIMARY KEY, `v` longblob) ENGINE=InnoDB;\n';
        const dump = Buffer.concat([Buffer.from(structure), ...rows]);
        const ofMysql = await imported(dump, 'mysql');
        expect(ofMysql.rows.map((row) => base64(row['v']))).toEqual(
          expected.flatMap((value) => [value, value, value]),
        );
      }),
      { numRuns },
    );
  }, 120_000);

  test('of MySQL have the coordinates of geometries', async () => {
    const number = fc.integer({ min: -1000, max: 1000 }).map((value) => value / 8);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(number, number), { minLength: 1, maxLength: 5 }),
        async (points) => {
          const hexOf = ([x, y]: readonly [number, number]): string => {
            const buffer = Buffer.alloc(25);
            buffer.writeUInt8(1, 4);
            buffer.writeUInt32LE(1, 5);
            buffer.writeDoubleLE(x, 9);
            buffer.writeDoubleLE(y, 17);
            return buffer.toString('hex');
          };
          const rows = points.map((point, id) => `(${id},0x${hexOf(point)})`);
          const dump = `CREATE TABLE \`t\` (\`id\` int PRIMARY KEY, \`v\` geometry NOT NULL) ENGINE=InnoDB;\nINSERT INTO \`t\` VALUES ${rows.join(',')};\n`;
          const { rows: found } = await imported(dump, 'mysql');
          expect(found.map((row) => row['v'])).toEqual(
            points.map(
              ([x, y]) => `POINT(${Object.is(x, -0) ? 0 : x} ${Object.is(y, -0) ? 0 : y})`,
            ),
          );
        },
      ),
      { numRuns },
    );
  }, 120_000);

  test('have their dates in whatever form begins with the year', async () => {
    const day = fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }); // prettier-ignore
    await fc.assert(
      fc.asyncProperty(fc.array(day, { minLength: 1, maxLength: 6 }), async (days) => {
        const dates = days.map((date) => date.toISOString().slice(0, 10));
        const forms: readonly ((iso: string) => string)[] = [
          (iso) => iso,
          (iso) => iso.replaceAll('-', ''),
          (iso) => iso.replaceAll('-', '/'),
          (iso) => iso.replace(/-0?(\d+)-0?(\d+)$/, '/$1/$2'),
        ];
        for (const dialect of ['postgres', 'mysql', 'sqlserver']) {
          const name = dialect === 'sqlserver' ? '[dbo].[t]' : 't';
          const rows = dates.flatMap(
            (iso, at) =>
            forms.map((form, i) => `INSERT INTO ${name} VALUES (${at * forms.length + i}, '${form(iso)}');\n`), // prettier-ignore
          );
          const dump = `CREATE TABLE ${name} (id int PRIMARY KEY, v date);\n${rows.join('')}`;
          const { rows: found } = await imported(dump, dialect);
          expect(
            found.map((row) => row['v']),
            dialect,
          ).toEqual(dates.flatMap((iso) => forms.map(() => iso)));
        }
      }),
      { numRuns },
    );
  }, 120_000);

  test.each([
    ['sqlite', 'id INTEGER PRIMARY KEY AUTOINCREMENT', ['NULL']],
    ['mysql', 'id int NOT NULL AUTO_INCREMENT PRIMARY KEY', ['NULL', 'DEFAULT', '0']],
  ])(
    'of %s number the keys that they leave to it',
    async (dialect, column, words) => {
      const key = fc.option(fc.integer({ min: 1, max: 30 }), { freq: 2 });
      const keys = fc
        .array(fc.tuple(key, fc.constantFrom(...words)), { minLength: 1, maxLength: 8 })
        .map((parts) => {
          // The database takes the number after the highest one so far.
          const seen = new Set<number>();
          let highest = 0;
          return parts.flatMap(([given, word]) => {
            const number = given ?? highest + 1;
            if (seen.has(number)) return [];
            seen.add(number);
            highest = Math.max(highest, number);
            return [{ number, text: given === null ? word : String(given) }];
          });
        });
      await fc.assert(
        fc.asyncProperty(keys, async (rows) => {
          const inserts = rows.map(({ number, text: key }) => `INSERT INTO t VALUES (${key}, ${number});\n`); // prettier-ignore
          const dump = `CREATE TABLE t (${column}, v int);\n${inserts.join('')}`;
          const { rows: found } = await imported(dump, dialect);
          const numbers = rows.map(({ number }) => number).toSorted((a, b) => a - b);
          expect(found).toEqual(numbers.map((number) => ({ id: number, v: number })));
        }),
        { numRuns },
      );
    },
    120_000,
  );
});
