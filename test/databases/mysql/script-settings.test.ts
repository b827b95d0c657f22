import { test } from 'vitest';
import { useMariadb } from '../../servers/mariadb.ts';
import { client, testSettings } from '../script-settings.ts';

const database = useMariadb();

const settings = [
  "SET time_zone = '+02:00'",
  "/*!40103 SET @OLD_TIME_ZONE=@@TIME_ZONE */;\n/*!40103 SET TIME_ZONE='+05:30' */",
  '/*!40103 SET TIME_ZONE=@OLD_TIME_ZONE */',
  "SET @@session.time_zone = '-03:00', foreign_key_checks = 0",
  "SET SESSION time_zone = '+00:00'",
  'SET time_zone = DEFAULT',
  "SET sql_mode = ''",
  "SET sql_mode = 'NO_BACKSLASH_ESCAPES,STRICT_TRANS_TABLES'",
  "SET SESSION sql_mode = 'ANSI_QUOTES,STRICT_TRANS_TABLES'",
  "SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='ANSI'",
  'SET SQL_MODE=@OLD_SQL_MODE',
  "SET sql_mode = CONCAT(@@sql_mode, ',NO_BACKSLASH_ESCAPES')",
  "SET sql_mode = 'EMPTY_STRING_IS_NULL'",
  "SET sql_mode = (SELECT REPLACE(@@sql_mode, 'ONLY_FULL_GROUP_BY', ''))",
  'SET NAMES latin1',
  'SET NAMES utf8mb4 COLLATE utf8mb4_bin',
  '/*!50503 SET character_set_client = utf8mb4 */',
  "SET character_set_client = 'latin1'",
  'SET foreign_key_checks = 0, unique_checks = 0',
  'SET @x = 1',
  'SET autocommit = 1',
  'START TRANSACTION',
  'COMMIT',
];

const inserts = [
  (id: number) =>
    `INSERT INTO b (id, ts, dt) VALUES (${id}, '2026-01-01 12:00:00', '2026-01-01 12:00:00')`,
  (id: number) => `INSERT INTO b (id, ts, dt) VALUES (${id}, '2026-07-01', '2026-07-01')`,
  (id: number) => `INSERT INTO b (id, ts) VALUES (${id}, '2026-07-01 01:02:03.25')`,
  (id: number) => `INSERT INTO b (id, s) VALUES (${id}, 'a\\\\nb')`,
  (id: number) => `INSERT INTO b (id, s) VALUES (${id}, "x")`,
  (id: number) => `INSERT INTO b (id, "s") VALUES (${id}, 'y')`,
  (id: number) => `INSERT INTO b (id, s) VALUES (${id}, 'é')`,
  (id: number) => `INSERT INTO b (id, s) VALUES (${id}, '')`,
];

test('settings change what an import reads as they do for the mysql client', async () => {
  await database().query(
    'CREATE TABLE b (id int, ts timestamp(2) NULL, dt datetime NULL, s varchar(20) CHARACTER SET utf8mb4)',
  );
  const { hostname, port, username, password, pathname } = new URL(database().url);
  const login = [`-h${hostname}`, `-P${port}`, `-u${username}`, `--password=${password}`];
  const settingsDatabase = {
    settings,
    inserts,
    runNative: (script: string) =>
      void client(
        'mysql',
        ['--protocol=tcp', '--default-character-set=utf8mb4', ...login, pathname.slice(1)],
        `SET time_zone = '+00:00';\n${script}\n;COMMIT`,
      ),
    rows: async () =>
      JSON.stringify(
        await database().query(
          "SET time_zone = '+00:00'; SELECT id, CAST(ts AS char) AS ts, CAST(dt AS char) AS dt, HEX(s) AS s FROM b ORDER BY id",
        ),
      ),
    empty: async () => void (await database().query('TRUNCATE b')),
    url: () => database().url,
  };
  await testSettings(settingsDatabase, 20);
});
