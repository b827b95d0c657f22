/** A scratch database for every response and every error of the contract. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';

const structure = `
CREATE TABLE users (
  id INTEGER PRIMARY KEY,
  name VARCHAR(100) NOT NULL UNIQUE,
  age INTEGER CHECK (age >= 0),
  score DECIMAL(10,2) NOT NULL DEFAULT 1.5,
  avatar BLOB,
  bio TEXT CHECK (length(bio) < 100),
  settings JSON,
  deleted_at DATETIME
);
CREATE TABLE profiles (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL UNIQUE REFERENCES users (id));
CREATE TABLE posts (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users (id), title TEXT);
CREATE TABLE tags (id INTEGER PRIMARY KEY, label TEXT NOT NULL UNIQUE);
CREATE TABLE post_tags (
  post_id INTEGER NOT NULL REFERENCES posts (id),
  tag_id INTEGER NOT NULL REFERENCES tags (id),
  PRIMARY KEY (post_id, tag_id)
);
CREATE TABLE mentions (id INTEGER PRIMARY KEY, label TEXT REFERENCES tags (label));
CREATE TABLE memberships (team TEXT NOT NULL, user_id INTEGER NOT NULL REFERENCES users (id), since DATE, PRIMARY KEY (team, user_id));
CREATE VIEW user_names AS SELECT id, name FROM users;
CREATE TABLE parents (id INTEGER PRIMARY KEY);
CREATE TABLE children (id INTEGER PRIMARY KEY, parent_id INTEGER REFERENCES parents (id) ON DELETE CASCADE);
CREATE TABLE long_texts (id INTEGER PRIMARY KEY, text TEXT);
CREATE TABLE typed (id INTEGER PRIMARY KEY, n INTEGER) STRICT;

-- Two rows whose keys, '1' and 1, have the same id in a URL.
CREATE TABLE ambiguous (k NOT NULL UNIQUE, user_id INTEGER REFERENCES users (id));

CREATE TABLE frozen (id INTEGER PRIMARY KEY, note TEXT);
CREATE TRIGGER frozen_insert BEFORE INSERT ON frozen WHEN new.id <> 1 BEGIN SELECT RAISE(IGNORE); END;
CREATE TRIGGER frozen_update BEFORE UPDATE ON frozen BEGIN SELECT RAISE(IGNORE); END;
CREATE TRIGGER frozen_delete BEFORE DELETE ON frozen BEGIN SELECT RAISE(IGNORE); END;
`;

/** Tables with triggers that violate a constraint on every change, by the resulting error code. */
const rejecting = {
  unique_violation: "INSERT INTO tags (label) VALUES ('taken')",
  not_null_violation: 'INSERT INTO tags (label) VALUES (NULL)',
  check_violation: "SELECT RAISE(ABORT, 'not today')",
  invalid_value: "INSERT INTO typed (n) VALUES ('text')",
};

const triggers = Object.entries(rejecting).flatMap(([code, statement]) => [
  `CREATE TABLE rejecting_${code} (id INTEGER PRIMARY KEY, note TEXT)`,
  `INSERT INTO rejecting_${code} VALUES (1, 'x')`,
  ...['UPDATE', 'DELETE'].map(
    (event) =>
      `CREATE TRIGGER rejecting_${code}_${event} BEFORE ${event} ON rejecting_${code} BEGIN ${statement}; END`,
  ),
]);

const rows = `
INSERT INTO users (name, age, avatar, bio, settings) VALUES ('taken', 30, X'00ff', 'about', '{"a":1}'), ('free', NULL, NULL, NULL, NULL);
WITH RECURSIVE n (i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 40) INSERT INTO users (name) SELECT 'user ' || i FROM n;
UPDATE users SET deleted_at = '2026-01-01 00:00:00' WHERE id = 40;
INSERT INTO profiles (user_id) VALUES (1);
INSERT INTO posts (user_id, title) VALUES (1, 'One'), (1, 'Two'), (2, 'Three');
INSERT INTO tags (label) VALUES ('taken'), ('other');
INSERT INTO post_tags VALUES (1, 1), (1, 2);
INSERT INTO mentions (label) VALUES ('taken');
INSERT INTO memberships VALUES ('a,b', 1, '2026-01-31'), ('a', 2, NULL);
INSERT INTO parents VALUES (1);
INSERT INTO children VALUES (1, 1);
INSERT INTO long_texts VALUES (1, hex(zeroblob(20000)));
INSERT INTO typed (n) VALUES (1);
INSERT INTO ambiguous VALUES ('1', 1), (1, 1);
INSERT INTO frozen VALUES (1, 'x');
`;

export interface ScratchDatabase {
  readonly path: string;
  /** Direct access, without the studio. */
  readonly raw: BetterSqlite3.Database;
  drop(): void;
}

export function makeScratchDatabase(): ScratchDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'studio-contract-'));
  const path = join(folder, 'scratch.db');
  const raw = new BetterSqlite3(path);
  raw.exec(structure + rows + triggers.join(';\n'));
  return {
    path,
    raw,
    drop: () => {
      raw.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
