/**
 * Random structures in each database's own SQL, with features that other databases may not have.
 */
import * as fc from 'fast-check';

/** A part of a table: its lines in CREATE TABLE, and statements after it. */
interface Part {
  readonly lines: readonly string[];
  readonly after: readonly string[];
  /** The words in the warning about a feature that the studio's schema does not contain. */
  readonly warning?: RegExp;
}

interface FeatureNames {
  readonly table: string;
  /** A unique name for the column of the part. `name_i` is the name of its index or constraint. */
  readonly name: string;
}

type Feature = (names: FeatureNames) => Part;

const column =
  (definition: (name: string) => string): Feature =>
  ({ name }) => ({ lines: [`${name} ${definition(name)}`], after: [] });

/** A column and an index on it. */
const indexed =
  (type: string, index: (names: FeatureNames) => string): Feature =>
  (names) => ({ lines: [`${names.name} ${type}`], after: [index(names)] });

/** A column, and a line after all columns of the table. */
const constrained =
  (type: string, constraint: (names: FeatureNames) => string, warning?: RegExp): Feature =>
  (names) => ({
    lines: [`${names.name} ${type}`, `\u0000${constraint(names)}`],
    after: [],
    ...(warning === undefined ? {} : { warning }),
  });

const sqlite: readonly Feature[] = [
  column(() => 'TEXT COLLATE NOCASE'),
  column(() => "VARCHAR(20) NOT NULL DEFAULT 'x'"),
  column(() => 'INTEGER UNSIGNED'),
  column(() => 'INTEGER AS (id * 2) VIRTUAL'),
  column(() => 'INTEGER AS (id * 2) STORED'),
  column((name) => `INTEGER CHECK (${name} > 3)`),
  indexed('VARCHAR(20)', ({ table, name }) => `CREATE INDEX ${name}_i ON ${table} (${name} COLLATE NOCASE)`),
  indexed('VARCHAR(20)', ({ table, name }) => `CREATE INDEX ${name}_i ON ${table} (lower(${name}))`),
  indexed('INTEGER', ({ table, name }) => `CREATE INDEX ${name}_i ON ${table} (${name} DESC)`),
  indexed('INTEGER', ({ table, name }) => `CREATE UNIQUE INDEX ${name}_i ON ${table} (${name}) WHERE ${name} > 2`),
  indexed('INTEGER', ({ table, name }) => `CREATE INDEX ${name}_i ON ${table} (${name}) WHERE ${name} > 2`),
  constrained('INTEGER', ({ table, name }) => `CONSTRAINT ${name}_i FOREIGN KEY (${name}) REFERENCES ${table} (id) DEFERRABLE INITIALLY DEFERRED`),
  constrained('INTEGER', ({ table, name }) => `CONSTRAINT ${name}_i FOREIGN KEY (${name}) REFERENCES ${table} (id) ON DELETE SET DEFAULT`),
  constrained('INTEGER', ({ name }) => `CONSTRAINT ${name}_i UNIQUE (${name}) ON CONFLICT REPLACE`, /ON CONFLICT REPLACE/),
]; // prettier-ignore

const postgres: readonly Feature[] = [
  column(() => 'text COLLATE "C"'),
  column(() => "varchar(20) NOT NULL DEFAULT 'x'"),
  column(() => 'integer GENERATED ALWAYS AS (id * 2) STORED'),
  column(() => 'integer GENERATED ALWAYS AS (id * 2) VIRTUAL'),
  column(() => 'mood'),
  column(() => 'integer[]'),
  column((name) => `integer CHECK (${name} > 3)`),
  indexed('integer', ({ table, name }) => `CREATE INDEX ${name}_i ON ${table} USING hash (${name})`),
  indexed('varchar(20)', ({ table, name }) => `CREATE INDEX ${name}_i ON ${table} (${name} COLLATE "C")`),
  indexed('varchar(20)', ({ table, name }) => `CREATE INDEX ${name}_i ON ${table} (${name} varchar_pattern_ops)`),
  indexed('varchar(20)', ({ table, name }) => `CREATE INDEX ${name}_i ON ${table} (lower(${name}))`),
  indexed('integer', ({ table, name }) => `CREATE UNIQUE INDEX ${name}_i ON ${table} (${name}) WHERE ${name} > 2`),
  indexed('integer', ({ table, name }) => `CREATE INDEX ${name}_i ON ${table} (${name}) WHERE ${name} > 2`),
  indexed('integer', ({ table, name }) => `CREATE INDEX ${name}_i ON ${table} (${name} DESC) INCLUDE (id)`),
  indexed('integer', ({ table, name }) => `CREATE UNIQUE INDEX ${name}_i ON ${table} (${name}) NULLS NOT DISTINCT`),
  indexed('integer[]', ({ table, name }) => `CREATE INDEX ${name}_i ON ${table} USING gin (${name})`),
  indexed('integer', ({ table, name }) => `CREATE INDEX ${name}_i ON ${table} (${name}); COMMENT ON INDEX ${name}_i IS 'why'`),
  indexed('integer', ({ table, name }) => `COMMENT ON COLUMN ${table}.${name} IS 'what'`),
  constrained('integer', ({ name }) => `CONSTRAINT ${name}_i UNIQUE NULLS NOT DISTINCT (${name})`),
  constrained('integer', ({ name }) => `CONSTRAINT ${name}_i UNIQUE (${name}) DEFERRABLE INITIALLY DEFERRED`, /DEFERRABLE/),
  constrained('integer', ({ name }) => `CONSTRAINT ${name}_i EXCLUDE USING btree (${name} WITH =)`),
  constrained('integer', ({ table, name }) => `CONSTRAINT ${name}_i FOREIGN KEY (${name}) REFERENCES ${table} (id) DEFERRABLE`),
  constrained('integer', ({ table, name }) => `CONSTRAINT ${name}_i FOREIGN KEY (${name}) REFERENCES ${table} (id) MATCH FULL ON DELETE SET DEFAULT`, /MATCH FULL/),
  ({ table, name }) => ({
    lines: [`${name} integer`],
    after: [`ALTER TABLE ${table} ADD CONSTRAINT ${name}_i CHECK (${name} > 1) NOT VALID`],
    warning: /NOT VALID/,
  }),
  constrained('integer', ({ name }) => `CONSTRAINT ${name}_i CHECK (${name} > 5) NOT ENFORCED`, /check/),
  ({ table, name }) => ({
    lines: [`${name} integer DEFAULT 1`],
    after: [
      `CREATE SEQUENCE ${name}_s INCREMENT BY -3`,
      `ALTER TABLE ${table} ALTER ${name} SET DEFAULT nextval('${name}_s')`,
    ],
    warning: /INCREMENT BY -3/,
  }),
]; // prettier-ignore

const mysql: readonly Feature[] = [
  column(() => 'varchar(20) COLLATE utf8mb4_bin'),
  column(() => "varchar(20) NOT NULL DEFAULT 'x'"),
  column(() => 'int unsigned'),
  column(() => 'bigint unsigned NOT NULL DEFAULT 7'),
  column(() => 'int(5) unsigned zerofill'),
  column(() => "enum('a','b''c') DEFAULT 'a'"),
  column(() => "set('x','y')"),
  column(() => 'int AS (k * 2) VIRTUAL'),
  column(() => 'int AS (k * 2) STORED'),
  column(() => 'timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP'),
  column(() => 'int INVISIBLE DEFAULT 1'),
  column(() => "int COMMENT 'what'"),
  column((name) => `int CHECK (${name} > 3)`),
  constrained('varchar(50)', ({ name }) => `KEY ${name}_i (${name}(5))`),
  constrained('varchar(50)', ({ name }) => `UNIQUE KEY ${name}_i (${name}(5))`),
  constrained('text', ({ name }) => `FULLTEXT KEY ${name}_i (${name})`),
  constrained('int', ({ name }) => `KEY ${name}_i (${name}) COMMENT 'why'`),
  constrained('int', ({ name }) => `KEY ${name}_i (${name} DESC)`),
  constrained('int', ({ name }) => `KEY ${name}_i (${name}) IGNORED`),
  ({ name }) => ({
    lines: [],
    after: [`CREATE TABLE ${name}_m (${name} int, KEY ${name}_i (${name}) USING HASH) ENGINE=MEMORY`],
  }),
  constrained('int', ({ table, name }) => `CONSTRAINT ${name}_i FOREIGN KEY (${name}) REFERENCES ${table} (k) ON DELETE CASCADE`),
]; // prettier-ignore

interface Source {
  readonly setUp: string;
  /** The columns of the key. After a bar, the clause after the closing parenthesis of CREATE TABLE. */
  readonly keys: readonly string[];
  readonly features: readonly Feature[];
}

/** By the name of the database. */
export const sources: Readonly<Record<string, Source>> = {
  sqlite: {
    setUp: '',
    keys: ['id INTEGER PRIMARY KEY', 'id INTEGER PRIMARY KEY AUTOINCREMENT', 'id INT PRIMARY KEY'],
    features: sqlite,
  },
  postgres: {
    setUp: "CREATE TYPE mood AS ENUM ('glad', 'it''s')",
    keys: [
      'id integer PRIMARY KEY',
      'id serial PRIMARY KEY',
      'id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
      'id integer GENERATED BY DEFAULT AS IDENTITY (START WITH 1000 INCREMENT BY 10) PRIMARY KEY',
    ],
    features: postgres,
  },
  mysql: {
    setUp: '',
    keys: [
      'id int PRIMARY KEY, k int NOT NULL UNIQUE',
      'id bigint AUTO_INCREMENT PRIMARY KEY, k int NOT NULL UNIQUE',
      'id bigint AUTO_INCREMENT PRIMARY KEY, k int NOT NULL UNIQUE|AUTO_INCREMENT=1000',
    ],
    features: mysql,
  },
};

export interface TableDraft {
  /** Statements that create the table with some of the features. */
  readonly statements: readonly string[];
  /** The words that warnings must contain, by the name of the feature's object. */
  readonly warning: readonly (readonly [name: string, words: RegExp])[];
}

export function tableOf({ keys, features }: Source, table: string): fc.Arbitrary<TableDraft> {
  const choice = {
    key: fc.constantFrom(...keys),
    selected: fc.uniqueArray(fc.nat(features.length - 1), { minLength: 3, maxLength: 8 }),
  };
  return fc.record(choice).map(({ key: keyColumns, selected }) => {
    const [key = '', option = ''] = keyColumns.split('|');
    const parts = selected.map((i) => {
      const name = `${table}_f${i}`;
      return { name, ...features[i]!({ table, name }) };
    });
    const lines = parts.flatMap((part) => part.lines);
    const columns = lines.filter((line) => !line.startsWith('\u0000'));
    const constraints = lines
      .filter((line) => line.startsWith('\u0000'))
      .map((line) => line.slice(1));
    const body = [key, ...columns, ...constraints].join(', ');
    const counted = /START WITH|AUTO_INCREMENT=/.exec(keyColumns)?.[0];
    return {
      statements: [
        `CREATE TABLE ${table} (${body}) ${option}`.trimEnd(),
        ...parts.flatMap(({ after }) => after),
      ],
      warning: [
        ...parts.flatMap(({ name, warning }) =>
          warning === undefined
            ? []
            : [[warning.source === 'ON CONFLICT REPLACE' ? table : name, warning] as const],
        ),
        ...(counted === undefined ? [] : [[table, new RegExp(counted)] as const]),
      ],
    };
  });
}
