import { describe, expect, test } from 'vitest';
import { useMariadb } from '../../servers/mariadb.ts';
import { countsOf, load, rowsOf } from '../kit/loading.ts';
import type { FileRows, LoadTestOptions } from '../kit/loading.ts';

const database = useMariadb();
const loadFile = (rows: readonly FileRows[], options?: LoadTestOptions) =>
  load(database().url, rows, options);
const run = (text: string) => database().query(text);

describe('a file with many rows is as strict as INSERT', () => {
  const faults: readonly (readonly [
    title: string,
    row: Readonly<Record<string, string | number | null>>,
    code: string,
  ])[] = [
    ['a text that is too long', { t: 'longer than ten' }, 'invalid_value'],
    ['a number out of range', { n: 40_000 }, 'invalid_value'],
    ['no value', { t: null }, 'not_null_violation'],
    ['a text for a date', { d: 'never' }, 'invalid_value'],
    ['a day that there is not', { d: '2026-02-30' }, 'invalid_value'],
    ['a text for a number', { n: 'x' }, 'invalid_value'],
    ['the empty text for a number', { n: '' }, 'invalid_value'],
    ['a value that is not in the enum', { e: 'c' }, 'invalid_value'],
    ['a key that is there', { id: 1 }, 'unique_violation'],
    ['a check', { n: -1 }, 'check_violation'],
    ['a foreign key', { p: 9 }, 'foreign_key_violation'],
    ['a character that the column has not', { l: '日本' }, 'invalid_value'],
  ];

  test.each(faults)('%s', async (title, fault, code) => {
    const table = `strict_${faults.findIndex(([name]) => name === title)}`;
    await run(`CREATE TABLE IF NOT EXISTS parents (id int PRIMARY KEY);  INSERT IGNORE INTO parents VALUES (1);
      CREATE TABLE ${table} (id int PRIMARY KEY, n smallint CHECK (n <> -1), t varchar(10) NOT NULL, d date, e enum('a','b'), l varchar(20) CHARACTER SET latin1, p int, FOREIGN KEY (p) REFERENCES parents (id))`);
    const good = (i: number) => ({
      id: i,
      n: i,
      t: `t${i}`,
      d: '2026-01-31',
      e: 'a',
      l: 'é',
      p: 1,
    });
    const rows = rowsOf(200, (i) => (i === 150 ? { ...good(i), ...fault } : good(i)));
    await expect(loadFile([[table, rows]])).rejects.toMatchObject({
      code: 'import_failed',
      details: { errors: [{ code, row: 150, line: 151 }] },
    });
    expect(await run(`SELECT COUNT(*) AS n FROM ${table}`)).toEqual([{ n: '0' }]);
    const pendingLoad = await loadFile([[table, rows]], { onError: 'skip' });
    expect(countsOf(pendingLoad, table)).toEqual([199, 0, 1]);
    expect(
      await run(
        `SELECT COUNT(*) AS n, SUM(id) AS s FROM ${table} WHERE t = CONCAT('t', id) AND n = id AND l = 'é'`,
      ),
    ).toEqual([{ n: '199', s: String(20_100 - 150) }]);
  });

  test('and parses years and missing times like INSERT', async () => {
    await run('CREATE TABLE years (id int PRIMARY KEY, y year)');
    const years = [0, 1, 69, 70, 99, 1901, 2155];
    const rows = rowsOf(140, (i) => ({ id: i, y: years[i % years.length]! }));
    await loadFile([['years', rows]]);
    const inserts = years.map((year, i) => `(${1000 + i}, ${year})`).join(', ');
    await run(`INSERT INTO years VALUES ${inserts}`);
    expect(
      await run(
        'SELECT COUNT(*) AS n FROM years a JOIN years b ON b.id = 1000 + a.id % 7 WHERE a.id <= 140 AND a.y = b.y',
      ),
    ).toEqual([{ n: '140' }]);
    await run(
      'CREATE TABLE times (id int PRIMARY KEY, at timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP)',
    );
    const outcome = async (count: number): Promise<string> =>
      loadFile([['times', rowsOf(count, (i) => ({ id: count * 1000 + i, at: null }))]]).then(
        () => 'taken',
        () => 'refused',
      );
    expect(await outcome(100)).toBe(await outcome(1));
  });

  test('and is as exact', async () => {
    await run(
      'CREATE TABLE exact (id int PRIMARY KEY, b bigint unsigned, m decimal(40,20), f double, s float, t longtext, at timestamp(6) NULL, dt datetime(6), ti time(3), y year, se set("x","y"), bo tinyint(1))',
    );
    const row = (i: number) => ({
      id: i,
      b: 18446744073709551615n,
      m: '12345678901234567890.12345678901234567891',
      f: 1 / 3 + i,
      s: 0.1,
      t: `\\N \t \n \r \0 ' " \\ \u001a 😀 ${i}`,
      at: '2026-01-31T13:05:00.123456+02:00',
      dt: '2026-01-31T13:05:00.5',
      ti: '-838:59:59',
      y: 2026,
      se: 'x,y',
      bo: i % 2 === 0,
    });
    const some = rowsOf(60, row);
    await loadFile([['exact', some]]);
    await loadFile([['exact', some.slice(0, 1).map((each) => ({ ...each, id: 1000 }))]]);
    const found = await run('SELECT DISTINCT b, m, s, at, dt, ti, y, se FROM exact');
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({
      m: '12345678901234567890.12345678901234567891',
      b: '18446744073709551615',
    });
    const texts = await run('SELECT id, HEX(t) AS t, f FROM exact WHERE id <= 60 ORDER BY id');
    expect(texts.map(({ t }) => Buffer.from(String(t), 'hex').toString())).toEqual(
      some.map(({ t }) => t),
    );
    expect(texts.map(({ f }) => f)).toEqual(some.map(({ f }) => f));
  });

  test('and if the server rejects local files, uses INSERT', async () => {
    await run('SET GLOBAL local_infile = 0; CREATE TABLE plain (id int PRIMARY KEY, t text)');
    try {
      const rows = rowsOf(3000, (i) => ({ id: i, t: `\\${i}` }));
      expect(countsOf(await loadFile([['plain', rows]]), 'plain')).toEqual([3000, 0, 0]);
      expect(await run('SELECT COUNT(*) AS n FROM plain WHERE t = CONCAT(CHAR(92), id)')).toEqual([
        { n: '3000' },
      ]);
    } finally {
      await run('SET GLOBAL local_infile = 1');
    }
  });
});

test('text that is not a geometry is rejected with its row', async () => {
  await run('CREATE TABLE spots (id int PRIMARY KEY, at point)');
  const rows = rowsOf(100, (i) => ({ id: i, at: i === 70 ? 'POINT(1 2' : `POINT(${i} 2)` }));
  await expect(loadFile([['spots', rows]])).rejects.toMatchObject({
    details: { errors: [{ code: 'invalid_value', row: 70 }] },
  });
  expect(await run('SELECT * FROM spots')).toEqual([]);
});

test('a table without rollback is rejected', async () => {
  await run('CREATE TABLE old (id int PRIMARY KEY) ENGINE = MyISAM');
  await expect(loadFile([['old', [{ id: 1 }]]])).rejects.toMatchObject({
    code: 'not_writable',
    message: expect.stringContaining('MyISAM') as string,
  });
  expect(await run('SELECT * FROM old')).toEqual([]);
});

test('a column that the database sets on each change keeps the value of the file', async () => {
  await run(`CREATE TABLE tree (id int PRIMARY KEY, up int NULL, at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
    FOREIGN KEY (up) REFERENCES tree (id))`);
  await loadFile([
    [
      'tree',
      [
        { id: 1, up: 2, at: '2001-01-01T00:00:00' },
        { id: 2, up: null, at: '2002-02-02T00:00:00' },
      ],
    ],
  ]);
  expect(await run('SELECT id, up, YEAR(at) AS y FROM tree')).toEqual([
    { id: 1, up: 2, y: 2001 },
    { id: 2, up: null, y: 2002 },
  ]);
});

test('a case-insensitive key matches its row', async () => {
  await run('CREATE TABLE words (w varchar(20) COLLATE utf8mb4_general_ci PRIMARY KEY, n int)');
  const rows = [
    { w: 'Ape', n: 1 },
    { w: 'APE', n: 2 },
    { w: 'bee', n: 3 },
  ];
  expect(countsOf(await loadFile([['words', rows]], { onConflict: 'update' }), 'words')).toEqual([
    2, 1, 0,
  ]);
  expect(await run('SELECT w, n FROM words ORDER BY n')).toEqual([
    { w: 'Ape', n: 2 },
    { w: 'bee', n: 3 },
  ]);
  await expect(loadFile([['words', [{ w: 'BEE', n: 4 }]]])).rejects.toMatchObject({
    details: { errors: [{ code: 'unique_violation', row: 1 }] },
  });
});

test('the connection checks foreign keys again after a failed load', async () => {
  await run(
    'CREATE TABLE x (id int PRIMARY KEY, y int NOT NULL); CREATE TABLE y (id int PRIMARY KEY, x int NOT NULL, FOREIGN KEY (x) REFERENCES x (id)); ALTER TABLE x ADD FOREIGN KEY (y) REFERENCES y (id)',
  );
  await expect(
    loadFile([
      ['x', [{ id: 1, y: 1 }]],
      ['y', [{ id: 1, x: 2 }]],
    ]),
  ).rejects.toMatchObject({
    details: { errors: [{ code: 'foreign_key_violation' }] },
  });
  expect(await run('SELECT COUNT(*) AS n FROM x')).toEqual([{ n: '0' }]);
  await loadFile([
    ['x', [{ id: 1, y: 1 }]],
    ['y', [{ id: 1, x: 1 }]],
  ]);
});
