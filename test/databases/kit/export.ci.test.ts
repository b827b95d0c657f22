import { execFileSync } from 'node:child_process';
import { text as readText } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { parquetReadObjects } from 'hyparquet';
import { describe, expect, test } from 'vitest';
import { dataFormats } from '../../../src/formats/data-formats.ts';
import { unzip } from '../../formats/read-zip.ts';
import { exportAll, exportOne } from '../exporting.ts';
import { failureOf, describeOnEachDatabase, jsonTextsOf } from './harness.ts';
import { everyKind, onCopy, rowsOfEveryKind } from './every-kind.ts';
import { databasesUnderTest } from './databases-under-test.ts';
import {
  bigint,
  columnOf,
  int,
  foreignKeyTo,
  name,
  tableWithId,
  optional,
  tableOf,
} from './tables.ts';
import type { JsonRow } from './harness.ts';

const formats = Object.keys(dataFormats);

const shortText = 'Short "name"';
const everything = everyKind(shortText);

/** A JSON value, parsed if one of the two databases stores JSON as text. */
function parseJsonValue(name: string, value: unknown): unknown {
  return name === 'json_value' && typeof value === 'string' ? JSON.parse(value) : value;
}

/** The milliseconds of a date or timestamp, as the studio shows it. */
function timeOf(token: string): number {
  const text = JSON.parse(token) as string;
  const withTime = /[T ]/.test(text) ? text : `${text}T00:00:00`;
  return Date.parse(/Z|[+-]\d\d(?::\d\d)?$/.test(withTime.slice(19)) ? withTime : `${withTime}Z`);
}

describeOnEachDatabase('export', (harness) => {
  const url = (): string => harness.database.url;

  describe('of every kind of value', () => {
    const found: Record<string, string>[] = [];

    harness.beforeTests(async () => {
      await harness.createTables([everything]);
      const empty = ['{"words":""}', `{${JSON.stringify(shortText)}:""}`];
      const rows = [...rowsOfEveryKind(harness.underTest, shortText), ...empty];
      for (const row of rows) await harness.create('every_kind', row);
      const ids = Array.from({ length: rows.length }, (_, i) => String(i + 1));
      for (const id of ids) found.push({ ...jsonTextsOf(await harness.get('every_kind', id)) });
    });

    const whole = (): string[] =>
      found.map(
        (row) =>
          `{${Object.entries(row)
            .map(([key, token]) => `${JSON.stringify(key)}:${token}`)
            .join(',')}}`,
      );

    test('is JSON with the rows exactly as the studio shows them', async () => {
      const { text, head, rows: count } = await exportAll(url());
      expect(text).toBe(`{\n"every_kind": [\n${whole().join(',\n')}\n]\n}\n`);
      expect(count).toBe(found.length);
      expect(head).toMatchObject({ mediaType: 'application/json', consistent: true, warnings: [] });
      expect(head.fileName).toMatch(/-data\.json$/);
      const one = await exportOne(url(), { table: 'every_kind' });
      expect(one.text).toBe(`[\n${whole().join(',\n')}\n]\n`);
      expect(one.head.fileName).toBe('every_kind.json');
    });

    test('is NDJSON with one row per line', async () => {
      const lines = whole().map((row) => row.replaceAll(/[\r\n]/g, ' '));
      const { text } = await exportAll(url(), { format: 'ndjson' });
      expect(text).toBe(lines.map((row) => `{"table":"every_kind","row":${row}}\n`).join(''));
      const one = await exportOne(url(), { table: 'every_kind', format: 'ndjson' });
      expect(one.text).toBe(lines.map((row) => `${row}\n`).join(''));
    });

    test('is CSV that another parser reads', async () => {
      const { bytes, head } = await exportAll(url(), { format: 'csv' });
      expect(head.mediaType).toBe('application/zip');
      const [file, ...others] = await unzip(bytes);
      expect(others).toEqual([]);
      expect(file).toMatchObject({ name: 'every_kind.csv', comment: 'every_kind' });
      const one = await exportOne(url(), { table: 'every_kind', format: 'csv' });
      expect(file?.bytes.equals(one.bytes)).toBe(true);
      const [header, ...cells] = readCsv(one.bytes);
      expect(header).toEqual(Object.keys(found[0]!));
      expect(cells).toEqual(found.map((row) => Object.values(row).map((token) => cellOf(token))));
    });

    test('is Parquet that another library reads', async () => {
      const one = await exportOne(url(), { table: 'every_kind', format: 'parquet' });
      const all = await exportAll(url(), { format: 'parquet' });
      const [file, ...others] = await unzip(all.bytes);
      expect([file?.name, file?.bytes.equals(one.bytes), others]).toEqual([
        'every_kind.parquet',
        true,
        [],
      ]);
      const rows = await parquetReadObjects({
        file: new Uint8Array(one.bytes).buffer,
        utf8: false,
      });
      const shown = (value: unknown, token: string): string => {
        if (value === null || value === undefined) return 'null';
        if (value instanceof Uint8Array)
          return JSON.stringify({ $base64: Buffer.from(value).toString('base64') });
        if (value instanceof Date) return JSON.stringify(value.getTime() === timeOf(token));
        return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
      };
      expect(rows.length).toBe(found.length);
      for (const [i, row] of rows.entries())
        for (const [name, token] of Object.entries(found[i]!)) {
          const actual = shown(row[name], token);
          const bare = (text: string): string => {
            const digits = text.replace(/^"(-?[\d.]+(?:e[+-]?\d+)?)"$/, '$1');
            // The library reads decimals as doubles.
            return name === 'cents' && digits !== 'null' ? Number(digits).toFixed(2) : digits;
          };
          const expected = row[name] instanceof Date ? 'true' : token;
          const isJson = name === 'json_value' && actual !== 'null';
          if (isJson) expect(actual).toBe(token.startsWith('"') ? token : JSON.stringify(token));
          else expect([name, bare(actual)]).toEqual([name, bare(expected)]);
        }
    });

    test('is CSV without the formula guard on request', async () => {
      const { bytes } = await exportOne(url(), {
        table: 'every_kind',
        format: 'csv',
        formulas: 'raw',
      });
      const [, ...cells] = readCsv(bytes);
      expect(cells).toEqual(
        found.map((row) => Object.values(row).map((token) => cellOf(token, 'raw'))),
      );
    });

    test('is SQL that creates the same rows', async () => {
      const { text } = await exportAll(url(), { format: 'sql' });
      await onCopy(harness.underTest, [everything], async (copy) => {
        await copy.run(text);
        const again = await exportAll(copy.url, { format: 'sql' });
        expect(again.text).toBe(text);
        expect((await exportAll(copy.url)).text).toBe((await exportAll(url())).text);
      });
    });

    test("is SQL that the database's own client runs", async (context) => {
      const { bytes } = await exportAll(url(), { format: 'sql' });
      await onCopy(harness.underTest, [everything], async (copy) => {
        const [command, ...args] = harness.underTest.client(copy.url);
        try {
          execFileSync(command, args, { input: bytes, stdio: 'pipe' });
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
            return context.skip(`no ${command}`);
          }
          throw error;
        }
        const again = await exportAll(copy.url, { format: 'sql' });
        expect(again.text).toBe(bytes.toString());
      });
    });

    test.each(databasesUnderTest.map((target) => target.name))(
      'is SQL for another database: %s',
      async (dialect) => {
        const target = databasesUnderTest.find((underTest) => underTest.name === dialect)!;
        const { text } = await exportAll(url(), { format: 'sql', dialect });
        const expected = await exportAll(url());
        await onCopy(target, [everything], async (copy) => {
          await copy.run(text);
          const { text: found } = await exportAll(copy.url);
          expect(JSON.parse(found, parseJsonValue)).toEqual(
            JSON.parse(expected.text, parseJsonValue),
          );
        });
      },
    );

    test.each(formats)('has the same bytes each time: %s', async (format) => {
      const first = await exportAll(url(), { format });
      const second = await exportAll(url(), { format });
      expect(first.bytes.equals(second.bytes)).toBe(true);
    });
  });

  describe('of several tables', () => {
    /**
     * A cycle of two tables, a table that references itself and both, and a table without
     * references.
     */
    const tables = [
      tableWithId('z_teams', [columnOf('title', name), optional('leader_id', bigint)], {
        foreignKeys: [foreignKeyTo('people', ['leader_id'], { name: 'teams_leader' })],
      }),
      tableWithId('people', [optional('team_id', bigint), optional('boss_id', bigint)], {
        foreignKeys: [
          foreignKeyTo('z_teams', ['team_id'], { name: 'people_team' }),
          foreignKeyTo('people', ['boss_id'], { name: 'people_boss' }),
        ],
      }),
      tableOf('badges', [columnOf('code', name), columnOf('person_id', bigint)], {
        primaryKey: { columns: ['code'] },
        foreignKeys: [foreignKeyTo('people', ['person_id'], { name: 'badges_person' })],
      }),
      tableOf('loose rows', [optional('v', name), optional('n', int)]),
      tableWithId('Nothing', [optional('v', name)]),
      tableWithId('gone', [
        optional('v', name),
        optional('deleted_at', { kind: 'timestamp', precision: 0 }),
      ]),
      tableWithId('computed', [
        columnOf('base', int),
        columnOf('twice', int, {
          nullable: true,
          generated: { expression: 'base * 2', stored: true },
        }),
      ]),
    ];
    const names = ['Nothing', 'badges', 'computed', 'gone', 'loose rows', 'people', 'z_teams'];

    harness.beforeTests(async () => {
      await harness.createTables(tables);
      await harness.insertRows('z_teams', [{ title: 'one' }, { title: 'two' }]);
      await harness.insertRows('people', [{ team_id: 2 }, { team_id: 1 }, { team_id: null }]);
      await harness.database.run(`
        UPDATE people SET boss_id = 3 WHERE id = 1;
        UPDATE people SET boss_id = 2 WHERE id = 2;
        UPDATE z_teams SET leader_id = 3 - id`);
      await harness.insertRows('badges', [
        { code: 'b', person_id: 3 },
        { code: 'a', person_id: 1 },
      ]);
      await harness.insertRows('loose rows', [
        { v: 'z', n: 1 },
        { v: 'a', n: 2 },
        { v: null, n: 0 },
      ]);
      await harness.insertRows('gone', [
        { v: 'here', deleted_at: null },
        { v: 'away', deleted_at: '2026-01-31 00:00:00' },
      ]);
      await harness.insertRows('computed', [{ base: 21 }]);
    });

    const exported = (input: object = {}) => exportAll(url(), { tables: names, ...input });

    test('contains each table with all stored rows in the order of its key', async () => {
      const document = JSON.parse((await exported()).text) as Record<string, JsonRow[]>;
      expect(Object.keys(document)).toEqual(names);
      expect(document['badges']).toEqual([
        { code: 'a', person_id: 1 },
        { code: 'b', person_id: 3 },
      ]);
      expect(document['Nothing']).toEqual([]);
      expect(document['gone']?.map((row) => row['v'])).toEqual(['here', 'away']);
      expect(document['loose rows']).toHaveLength(3);
    });

    test('leaves out generated columns, unless one table is exported alone', async () => {
      const document = JSON.parse((await exported()).text) as Record<string, JsonRow[]>;
      expect(document['computed']).toEqual([{ id: 1, base: 21 }]);
      const one = await exportOne(url(), { table: 'computed' });
      expect(JSON.parse(one.text)).toEqual([{ id: 1, base: 21, twice: 42 }]);
      const { text } = await exportOne(url(), { table: 'computed', format: 'sql' });
      expect(text).not.toContain('twice');
    });

    test('can be limited to some tables', async () => {
      const { text } = await exported({ tables: ['people', 'badges'] });
      expect(Object.keys(JSON.parse(text) as object)).toEqual(['badges', 'people']);
      expect(await failureOf(exported({ tables: ['people', 'nobody'] }))).toMatchObject({
        code: 'table_not_found',
      });
    });

    test.each([{ format: 'pdf' }, { formulas: 'run' }, { dialect: 'oracle', format: 'sql' }])(
      'rejects %o',
      async (input) => {
        expect(await failureOf(exported(input))).toMatchObject({ code: 'invalid_parameter' });
      },
    );

    test('is SQL that runs whichever tables reference each other', async () => {
      const { text, head } = await exported({ format: 'sql' });
      expect(head.warnings).toEqual([]);
      await onCopy(harness.underTest, tables, async (copy) => {
        await copy.run(text);
        const again = await exportAll(copy.url, { format: 'sql' });
        expect(again.text).toBe(text);
        // Auto-increment values continue after those of the script.
        await copy.run(
          `INSERT INTO ${harness.underTest.dialect.quoteName('gone')} (v) VALUES ('next')`,
        );
        const { text: copiedText } = await exportOne(copy.url, { table: 'gone' });
        expect((JSON.parse(copiedText) as JsonRow[]).map((row) => row['id'])).toEqual([1, 3]);
      });
    });

    test('is SQL that writes nothing if one row fails', async () => {
      const { text } = await exported({ format: 'sql' });
      await onCopy(harness.underTest, tables, async (copy) => {
        await copy.run(text);
        const before = await exportAll(copy.url);
        const { quoteName } = harness.underTest.dialect;
        await copy.run(`DELETE FROM ${quoteName('badges')}; DELETE FROM ${quoteName('computed')}`);
        await expect(copy.run(text)).rejects.toThrow();
        await copy.run('ROLLBACK').catch(() => {});
        expect((await exportAll(copy.url)).rows).toBe(before.rows - 3);
      });
    });

    test('is SQL that checks foreign keys at the end', async () => {
      const { text } = await exported({ format: 'sql', tables: ['people', 'badges'] });
      await onCopy(harness.underTest, tables, async (copy) => {
        // Without the teams that they reference.
        await expect(copy.run(text)).rejects.toThrow();
        await copy.run('ROLLBACK').catch(() => {});
        expect((await exportAll(copy.url)).rows).toBe(0);
      });
    });

    test('is the same from a process of its own', async () => {
      const job = await harness.studio.start('export-data', { format: 'sql', tables: names });
      const text = await readText(job.output);
      expect(await job.head).toMatchObject({ mediaType: 'application/sql', consistent: true });
      expect(await job.result).toEqual({ rows: 13 });
      expect(text).toBe((await exported({ format: 'sql' })).text);
    });

    test('is a zip with one file per table', async () => {
      const files = await unzip((await exported({ format: 'csv' })).bytes);
      expect(files.map(({ name: file }) => file)).toEqual(names.map((table) => `${table}.csv`));
      expect(files.map(({ comment }) => comment)).toEqual(names);
      expect(files[0]?.bytes.toString()).toBe('id,v\n');
    });
  });

  describe('of a table', () => {
    harness.beforeTests(async () => {
      await harness.createTables(
        [tableWithId('listed', [columnOf('kind', name), optional('n', int)])],
        [
          {
            ...tableOf('listed_view', [columnOf('kind', name)]),
            kind: 'view',
            definition: "SELECT kind FROM listed WHERE kind <> 'b'",
          },
        ],
      );
      await harness.insertRows(
        'listed',
        ['a', 'b', 'c', 'ab'].map((kind, i) => ({ kind, n: i === 1 ? null : i })),
      );
    });

    const kinds = async (input: object): Promise<unknown[]> => {
      const { text } = await exportOne(url(), { table: 'listed', ...input });
      return (JSON.parse(text) as JsonRow[]).map((row) => row['kind']);
    };

    test('applies filters, search and sort', async () => {
      const sort = [{ column: 'n', descending: true }];
      expect(await kinds({ query: { sort } })).toEqual(['ab', 'c', 'a', 'b']);
      expect(await kinds({ query: { sort, search: 'A' } })).toEqual(['ab', 'a']);
      const filters = [{ name: 'kind__in', value: '["b","c"]' }];
      expect(await kinds({ query: { filters } })).toEqual(['b', 'c']);
    });

    test('ignores paging', async () => {
      expect(await kinds({ query: { page: 2, pageSize: 1 } })).toHaveLength(4);
    });

    test('can be a view', async () => {
      const { text, head } = await exportOne(url(), { table: 'listed_view', format: 'csv' });
      expect(text).toBe('kind\na\nab\nc\n');
      expect(head.fileName).toBe('listed_view.csv');
    });

    test('and of a view are one file, except a script, if both are named', async () => {
      const tables = ['listed', 'listed_view'];
      const { text } = await exportAll(url(), { tables, format: 'ndjson' });
      const rows = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as JsonRow);
      expect(rows).toHaveLength(7);
      const json = JSON.parse((await exportAll(url(), { tables })).text) as JsonRow;
      expect(JSON.stringify(json)).toContain('"listed_view"');
      const files = await unzip((await exportAll(url(), { tables, format: 'csv' })).bytes);
      expect(files.map(({ name: file }) => file)).toEqual(['listed.csv', 'listed_view.csv']);
      expect(files[1]?.bytes.toString()).toBe('kind\na\nab\nc\n');
      expect((await exportAll(url())).text).not.toContain('listed_view');
      expect(await failureOf(exportAll(url(), { tables, format: 'sql' }))).toMatchObject({
        code: 'invalid_parameter',
        message: expect.stringContaining('"listed_view" is a view'),
      });
    });

    test('can be limited to some columns', async () => {
      const { text } = await exportOne(url(), {
        table: 'listed',
        columns: ['n', 'kind'],
        format: 'csv',
      });
      expect(text).toBe('n,kind\n0,a\n,b\n2,c\n3,ab\n');
    });

    test.each(formats)('names no column twice (%s)', async (format) => {
      const columns = ['n', 'kind', 'n'];
      expect(await failureOf(exportOne(url(), { table: 'listed', columns, format }))).toMatchObject(
        {
          code: 'invalid_parameter',
          message: 'Column "n" is named twice.',
        },
      );
    });
  });

  describe('while other clients write', () => {
    harness.beforeTests(() =>
      harness.createTables(
        ['first_one', 'second_one'].map((table) =>
          tableWithId(table, [columnOf('v', { kind: 'text' })]),
        ),
      ),
    );

    test('shows the state at one time', async () => {
      const long = 'x'.repeat(100_000);
      const many = Array.from({ length: 40 }, () => ({ v: long }));
      await harness.insertRows('first_one', many);
      await harness.insertRows('second_one', [{ v: 'before' }]);
      let written = false;
      const { text } = await exportAll(
        url(),
        { format: 'ndjson', tables: ['first_one', 'second_one'] },
        async () => {
          if (written) return;
          written = true;
          await harness.insertRows('first_one', [{ v: 'late' }]);
          await harness.insertRows('second_one', [{ v: 'late' }]);
        },
      );
      const exportedLines = text.split('\n').filter((line) => line !== '');
      expect(written).toBe(true);
      expect(exportedLines).toHaveLength(41);
      expect(text).not.toContain('late');
    });
  });
});

/** `null` for an empty field without quotes. */
function readCsv(bytes: Buffer): readonly (readonly (string | null)[])[] {
  return parse(bytes, {
    cast: (text, { quoting }) => (text === '' && !quoting ? null : text),
  });
}

/** A JSON token as the cell of a CSV file. */
function cellOf(token: string, formulas = 'guarded'): string | null {
  const value = JSON.parse(token) as unknown;
  if (value === null) return null;
  if (typeof value === 'object') {
    const { $base64 } = value as { readonly $base64?: string };
    return $base64 === undefined ? token : `\\x${Buffer.from($base64, 'base64').toString('hex')}`;
  }
  if (typeof value !== 'string') return token;
  return formulas === 'guarded' && /^'*[=+\-@\t\r]/.test(value) && !/^-?\d{16,}$/.test(value)
    ? `'${value}`
    : value;
}
