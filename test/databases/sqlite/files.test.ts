import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { isInWalMode } from '../../../src/databases/sqlite/driver/files.ts';
import { kindOf } from '../../../src/databases/index.ts';
import { failure, makeFile, makeFolder, openFile, openRaw, query, run } from './fixture.ts';
import type { DatabaseTarget } from '../../../src/model/database.ts';
import { openDatabase } from '../registered-databases.ts';

const target = (url: string, more: Partial<DatabaseTarget> = {}): DatabaseTarget => ({
  url,
  readOnly: false,
  create: false,
  ...more,
});
const unavailableError = (message: string | RegExp): unknown =>
  expect.objectContaining({
    code: 'database_unavailable',
    message: expect.stringMatching(message) as string,
  });

describe('a file', () => {
  test('that does not exist is an error, unless creation is allowed', async () => {
    const path = join(makeFolder(), 'new.db');
    await expect(openDatabase(target(path))).rejects.toThrow(
      unavailableError(/^The database file "new.db" does not exist\.$/),
    );
    await expect(openDatabase(target(path, { readOnly: true, create: true }))).rejects.toThrow(
      unavailableError('does not exist'),
    );
    const database = await openDatabase(target(path, { create: true }));
    await run(database, 'CREATE TABLE t (v)');
    await database.close();
    expect(statSync(path).size).toBeGreaterThan(0);
    await expect(openDatabase(target(join(path, 'x.db')))).rejects.toThrow(
      unavailableError('does not exist'),
    );
    await expect(
      openDatabase(target(join(dirname(path), 'no', 'x.db'), { create: true })),
    ).rejects.toThrow(unavailableError('does not exist'));
  });

  test('that is not a database is an error that says so', async () => {
    const folder = makeFolder();
    const path = join(folder, 'other.db');
    for (const content of [
      'hello, world, this is no database',
      'short',
      Buffer.alloc(4096, 0x5a),
    ]) {
      writeFileSync(path, content);
      await expect(openDatabase(target(path))).rejects.toThrow(
        unavailableError(/"other.db" is not a SQLite database, or it is encrypted/),
      );
    }
    writeFileSync(
      path,
      Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(4096, 0x5a)]),
    );
    await expect(openDatabase(target(path))).rejects.toThrow(
      unavailableError('"other.db" is not a SQLite database, or it is encrypted'),
    );
    await expect(openDatabase(target(folder))).rejects.toThrow(unavailableError('is a folder'));
  });

  test.skipIf(process.platform === 'win32')(
    'that is a named pipe or a device is rejected without waiting for it',
    async () => {
      const pipe = join(makeFolder(), 'pipe.db');
      spawnSync('/bin/sh', ['-c', 'mkfifo "$0"', pipe]);
      for (const path of [pipe, '/dev/null'])
        for (const more of [{}, { readOnly: true }, { create: true }])
          await expect(openDatabase(target(path, more))).rejects.toThrow(
            unavailableError('is a pipe or a device, not a file'),
          );
      expect(await isInWalMode(pipe)).toBe(false);
    },
  );

  test('without content is an empty database', async () => {
    const path = join(makeFolder(), 'empty.db');
    writeFileSync(path, '');
    const database = await openDatabase(target(path, { readOnly: true }));
    expect((await database.introspect()).tables).toEqual([]);
    await database.close();
  });

  test('that is damaged has tables that cannot be read', async () => {
    const path = makeFile('CREATE TABLE t (v); INSERT INTO t VALUES (zeroblob(100000))');
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xff, 4096));
    const database = openFile(path);
    const error = await failure(database, run(database, 'SELECT * FROM t'));
    expect(error).toMatchObject({
      code: 'table_unreadable',
      message: expect.stringContaining('"test.db" is damaged') as string,
    });
  });

  test('keeps the journal mode that its owner set', async () => {
    for (const mode of ['wal', 'delete', 'truncate']) {
      const path = makeFile(`PRAGMA journal_mode = ${mode}; CREATE TABLE t (v)`);
      const database = await openDatabase(target(path));
      await run(database, 'INSERT INTO t VALUES (1)');
      await database.close();
      const found = openRaw(path).pragma('journal_mode', { simple: true });
      expect(found).toBe(mode === 'wal' ? 'wal' : 'delete');
    }
  });

  test('whose name ends with a blank is rejected, because the driver would open another file', async () => {
    const path = join(makeFolder(), 'x.db');
    writeFileSync(`${path} `, '');
    await expect(openDatabase(target(`${path} `))).rejects.toThrow(
      unavailableError('ends with a space'),
    );
  });
});

describe('a file that is locked', () => {
  test('for writing is busy for writers after their wait', async () => {
    const path = makeFile('CREATE TABLE t (v)');
    const database = openFile(path, { busyTimeoutMs: 20 });
    openRaw(path).exec('BEGIN IMMEDIATE');
    const error = await failure(database, run(database, 'INSERT INTO t VALUES (1)'));
    expect(error).toMatchObject({
      code: 'database_busy',
      message: 'Another process holds a lock on "test.db".',
    });
    expect(
      (
        await failure(
          database,
          database.transaction('write', (session) => run(session, 'DELETE FROM t')),
        )
      )?.code,
    ).toBe('database_busy');
    expect((await run(database, 'SELECT * FROM t')).rows).toEqual([]);
  });

  test('exclusively is busy for readers too', async () => {
    const path = makeFile('CREATE TABLE t (v)');
    const database = openFile(path, { readOnly: true, busyTimeoutMs: 20 });
    openRaw(path).exec('BEGIN EXCLUSIVE');
    expect((await failure(database, run(database, 'SELECT * FROM t')))?.code).toBe('database_busy');
    expect(() => openFile(path, { readOnly: true, busyTimeoutMs: 20 })).toThrow(
      expect.objectContaining({ code: 'database_busy' }),
    );
  });
});

describe('a file that is removed while it is open', () => {
  test('is unavailable until it is back', async () => {
    const path = makeFile('CREATE TABLE t (v)');
    const database = openFile(path);
    renameSync(path, `${path}.away`);
    const error = await failure(database, run(database, 'SELECT * FROM t'));
    expect(error).toMatchObject({
      code: 'database_unavailable',
      message: 'The database file "test.db" was moved or removed.',
    });
    expect(existsSync(path)).toBe(false);
    renameSync(`${path}.away`, path);
    expect((await run(database, 'SELECT * FROM t')).rows).toEqual([]);
  });

  test('that is replaced is read again and reported as changed', async () => {
    const path = makeFile('CREATE TABLE t (v); INSERT INTO t VALUES (1)');
    const other = makeFile('CREATE TABLE t (v); INSERT INTO t VALUES (2)');
    const database = openFile(path);
    expect((await run(database, 'SELECT v FROM t')).rows).toEqual([[1n]]);
    const before = [await database.structureVersion(), await database.changeToken(database)];
    renameSync(other, path);
    expect((await run(database, 'SELECT v FROM t')).rows).toEqual([[2n]]);
    const after = [await database.structureVersion(), await database.changeToken(database)];
    expect(after[0]).not.toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  });

  test('in a transaction stays the one that it began with', async () => {
    const path = makeFile('CREATE TABLE t (v); INSERT INTO t VALUES (1)');
    const other = makeFile('CREATE TABLE t (v); INSERT INTO t VALUES (2)');
    const database = openFile(path, { readOnly: true });
    const rowsBeforeAndAfter = await database.read(async (session) => {
      const first = await run(session, 'SELECT v FROM t');
      renameSync(other, path);
      return [first.rows, (await run(session, 'SELECT v FROM t')).rows];
    });
    expect(rowsBeforeAndAfter).toEqual([[[1n]], [[1n]]]);
    expect((await run(database, 'SELECT v FROM t')).rows).toEqual([[2n]]);
  });

  test('is not mixed with another while a stream is read', async () => {
    const path = makeFile('CREATE TABLE t (v); INSERT INTO t VALUES (1)');
    const database = openFile(path);
    for await (const batch of (await database.stream(query('SELECT v FROM t'))).batches) {
      expect(batch).toEqual([[1n]]);
      unlinkSync(path);
      openRaw(path).exec('CREATE TABLE t (v); INSERT INTO t VALUES (2)');
      expect((await run(database, 'SELECT v FROM t')).rows).toEqual([[2n]]);
    }
  });
});

describe('the state after a crash', () => {
  const driver = JSON.stringify(import.meta.resolve('better-sqlite3'));

  /** A process that dies in the middle of a write, after some pages have reached the file. */
  function crash(path: string): void {
    const code = `import Database from ${driver}; const db = new Database(${JSON.stringify(path)});
      db.exec("PRAGMA cache_size = 5; BEGIN; UPDATE t SET v = v || 'x'"); process.kill(process.pid, 'SIGKILL');`;
    spawnSync(process.execPath, ['--input-type=module', '-e', code]);
  }

  const rows = `CREATE TABLE t (v TEXT); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO t SELECT hex(zeroblob(50)) FROM n`;

  test('a rollback journal blocks readers with a reason, and a writable studio rolls it back', async () => {
    const path = makeFile(rows);
    crash(path);
    expect(statSync(`${path}-journal`).size).toBeGreaterThan(0);
    await expect(openDatabase(target(path, { readOnly: true }))).rejects.toThrow(
      unavailableError(
        /A crash left an unfinished transaction in "test.db"; open it once for writing/,
      ),
    );
    const kind = (await kindOf(path))!;
    const prepared = await kind.prepare(target(path));
    const reader = await kind.open({ ...prepared.target, readOnly: true });
    expect((await run(reader, `SELECT count(*) FROM t WHERE v LIKE '%x%'`)).rows).toEqual([[0n]]);
    await reader.close();
    await prepared.release();
  });

  test('a write-ahead log has no effect', async () => {
    const path = makeFile(`PRAGMA journal_mode = WAL; ${rows}`);
    crash(path);
    const reader = await openDatabase(target(path, { readOnly: true }));
    expect((await run(reader, `SELECT count(*) FROM t WHERE v LIKE '%x%'`)).rows).toEqual([[0n]]);
    await reader.close();
  });
});

const isRoot = process.getuid?.() === 0;

/** The output of work by a user without rights on the file. */
function asNobody(path: string, work: string): string {
  const module = JSON.stringify(new URL('../../../src/databases/index.ts', import.meta.url).href);
  const code = `process.setgid(65534); process.setuid(65534); const { openDatabase } = await import(${module});
    const say = (error) => { const known = database?.dialect.translateError(error) ?? error; console.log(known.code + ': ' + known.message); };
    let database;
    try { database = await openDatabase({ url: ${JSON.stringify(path)}, readOnly: false, create: false }); ${work}; console.log('ok'); } catch (error) { say(error); }`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    encoding: 'utf8',
  });
  return stdout.trim() || stderr;
}

describe('a file with few permissions', () => {
  beforeEach((context) => {
    if (!isRoot) context.skip('only root can become a user with fewer rights');
  });

  const readRows = `await database.run({ text: 'SELECT * FROM t', params: [] })`;
  const write = `await database.run({ text: 'INSERT INTO t VALUES (1)', params: [] })`;

  function lock(path: string, fileMode: number, folderMode: number): string {
    chmodSync(path, fileMode);
    chmodSync(dirname(path), folderMode);
    return path;
  }

  test('cannot be read', () => {
    expect(asNobody(lock(makeFile('CREATE TABLE t (v)'), 0o600, 0o755), readRows)).toBe(
      'database_unavailable: The database file "test.db" cannot be opened: the user that the studio runs as lacks the permission.',
    );
  });

  test('can only be read', () => {
    const path = lock(makeFile('CREATE TABLE t (v)'), 0o644, 0o755);
    expect(asNobody(path, readRows)).toBe('ok');
    expect(asNobody(path, write)).toBe('read_only: "test.db" is open read-only.');
  });

  test('cannot be read in WAL mode if its folder is not writable', () => {
    const path = lock(makeFile('PRAGMA journal_mode = WAL; CREATE TABLE t (v)'), 0o644, 0o755);
    expect(asNobody(path, readRows)).toMatch(/^database_unavailable: .*"test.db".*/);
  });
});

describe(':memory:', () => {
  const privateFolders = (): readonly string[] =>
    readdirSync(tmpdir()).filter((name) => name.startsWith('database-studio-'));

  test('is a private file in WAL mode, which can be opened several times and is deleted at its release', async () => {
    const kind = (await kindOf(':memory:'))!;
    const prepared = await kind.prepare(target(':memory:'));
    const [one, other] = [
      await kind.open(prepared.target),
      await kind.open({ ...prepared.target, readOnly: true }),
    ];
    await run(one, 'CREATE TABLE t (v)');
    expect((await other.introspect()).tables).toHaveLength(1);
    expect((await run(one, 'PRAGMA journal_mode')).rows).toEqual([['wal']]);
    await one.close();
    await other.close();
    const path = prepared.target.url.replace('sqlite:', '');
    expect(statSync(dirname(path)).mode & 0o077).toBe(0);
    await prepared.release();
    expect(existsSync(dirname(path))).toBe(false);
  });

  test('opened directly is deleted when it is closed', async () => {
    const database = await openDatabase(target(':memory:'));
    const { rows } = await run(database, 'SELECT file FROM pragma_database_list');
    const folder = dirname(String(rows[0]?.[0]));
    expect(privateFolders().map((name) => join(tmpdir(), name))).toContain(folder);
    await database.close();
    expect(existsSync(folder)).toBe(false);
  });
});

test('a folder with a hostile name can contain a database', async () => {
  const folder = join(makeFolder(), `a'b"c%20?#é`);
  mkdirSync(folder);
  const database = await openDatabase(
    target(`sqlite:${join(folder, 'x?mode=ro.db')}`, { create: true }),
  );
  await run(database, 'CREATE TABLE t (v)');
  expect((await database.introspect()).database).toBe('x?mode=ro.db');
  await database.close();
});
