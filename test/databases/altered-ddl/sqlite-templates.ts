import { pickOne } from './expand.ts';
import type { RandomBelow, DdlTemplates } from './expand.ts';

const conflict = '{ON CONFLICT {ROLLBACK|ABORT|FAIL|IGNORE|REPLACE}|}';

/** Independent columns of SQLite; `#` is the number of the column. */
const columns = [
  `c# {INT|TEXT|REAL|BLOB|VARCHAR(9)|DECIMAL(8, 2)|any words|} {NOT NULL ${conflict}|NULL|} {DEFAULT {5|-5|'x'|(1 + 1)|CURRENT_TIMESTAMP|NULL|x'41'|TRUE}|}`,
  `c# {CONSTRAINT n#|} UNIQUE ${conflict}`,
  'c# TEXT COLLATE {NOCASE|RTRIM|BINARY} {UNIQUE|}',
  'c# {CONSTRAINT n#|} CHECK (c# > 0)',
  'c# {CONSTRAINT f#|} REFERENCES base (id) {ON DELETE {CASCADE|SET NULL|SET DEFAULT|RESTRICT|NO ACTION}|} {ON UPDATE CASCADE|} {MATCH {FULL|SIMPLE|PARTIAL}|} {{NOT|} DEFERRABLE {INITIALLY {DEFERRED|IMMEDIATE}|}|}',
  'c# INT {GENERATED ALWAYS|} AS (a + 1) {STORED|VIRTUAL|} {NOT NULL|}',
];

const items = [
  `{CONSTRAINT pk|} PRIMARY KEY (a {COLLATE NOCASE|} {ASC|DESC|}, b) ${conflict}`,
  `{CONSTRAINT n#|} UNIQUE (a {DESC|} {COLLATE NOCASE|}) ${conflict}`.replace(
    '{DESC|} {COLLATE NOCASE|}',
    '{COLLATE NOCASE|} {DESC|}',
  ),
  '{CONSTRAINT n#|} CHECK (a > b)',
  '{CONSTRAINT f#|} FOREIGN KEY (a) REFERENCES base (id) {ON DELETE {CASCADE|SET NULL}|} {ON UPDATE {RESTRICT|SET DEFAULT}|} {MATCH FULL|} {DEFERRABLE INITIALLY DEFERRED|}',
];

const others = [
  'CREATE {UNIQUE|} INDEX {IF NOT EXISTS|} k9 ON made (a {COLLATE NOCASE|} {ASC|DESC|}, lower(v)) {WHERE b > 3|}',
  'CREATE VIEW {IF NOT EXISTS|} shown {(q, r)|} AS SELECT a, b FROM made WHERE a > 1',
  'CREATE TRIGGER touch AFTER INSERT ON made BEGIN DELETE FROM base; END',
  'ALTER TABLE made ADD {COLUMN|} z INT {DEFAULT 3|} {CHECK (z > 0)|}',
  'ALTER TABLE made RENAME {COLUMN|} v TO w',
  'ALTER TABLE base RENAME TO renamed',
  'ALTER TABLE made DROP {COLUMN|} x',
  'DROP TABLE {IF EXISTS|} base',
];

function createTableTemplate(pick: RandomBelow): string {
  const list = [
    'a INT',
    'b',
    'v TEXT',
    'x',
    ...Array.from({ length: pick(3) }, () => pickOne(pick, columns)),
    ...Array.from({ length: pick(3) }, () => pickOne(pick, items)),
  ].map((each, i) => each.replaceAll('#', String(i)));
  const keyed = `id INTEGER PRIMARY KEY {ASC|DESC|} ${conflict} {AUTOINCREMENT|}`;
  const columnsAndKeys = list.some((each) => each.includes('PRIMARY')) ? list : [keyed, ...list];
  return `CREATE TABLE {IF NOT EXISTS|} made (${columnsAndKeys.join(', ')}) {WITHOUT ROWID|||}`;
}

export const sqliteTemplates: DdlTemplates = {
  dialect: 'sqlite',
  separator: ';\n',
  base: ['CREATE TABLE base (id INTEGER PRIMARY KEY, p)'],
  createTable: createTableTemplate,
  others,
};
