import { pickOne } from './expand.ts';
import type { RandomBelow, DdlTemplates } from './expand.ts';

/** Templates of columns in MariaDB: of `{a|b}`, `expand` takes one. `#` is the ordinal of the item in the table. */
const columns = [
  'c# {int|integer|tinyint|smallint|mediumint|bigint}{(9)|} {UNSIGNED|SIGNED|UNSIGNED ZEROFILL|} {NOT NULL|NULL|} {DEFAULT 5|DEFAULT -5|DEFAULT (1 + 1)|}',
  "c# {int|varchar(7)} {NOT NULL|} {COMMENT 'x'|COMMENT ''|} {INVISIBLE DEFAULT 3|}",
  'c# {decimal|numeric|dec|fixed}{(8,2)|(8)|} {UNSIGNED|}',
  'c# {float|double|double precision|real}{(8,2)|} {DEFAULT 1.5|DEFAULT -2|}',
  'c# {varchar(20)|char(5)|tinytext|text|text(300)|mediumtext|longtext} {{CHARACTER SET|CHARSET} {latin1|utf8mb4}|ASCII|UNICODE|BINARY|}',
  "c# {varchar(20)|char(5)} {COLLATE {utf8mb4_bin|utf8mb4_general_ci}|} {NOT NULL|} {DEFAULT {'it''s'|''|'x'}|}",
  'c# {national varchar(5)|nchar(4)|national char(3)|nvarchar(6)|char varying(9)|character(3)|long|long varchar}',
  "c# {enum('a','b ')|set('a','it''s')} {CHARACTER SET latin1|} {DEFAULT 'a'|}",
  'c# {binary(4)|varbinary(9)|tinyblob|blob|blob(70000)|mediumblob|longblob|long varbinary}',
  'c# {date|time|time(3)|datetime|datetime(6)|year|year(4)} {NULL|NOT NULL|}',
  'c# {timestamp|datetime}(3) {NULL|NOT NULL} {DEFAULT {CURRENT_TIMESTAMP|NOW|LOCALTIME}(3)|} {ON UPDATE {CURRENT_TIMESTAMP|NOW}(3)|}',
  'c# {json|uuid|inet6|bit|bit(3)|boolean|bool}',
  'c# {geometry|point|linestring|polygon} {REF_SYSTEM_ID=4326|} {NOT NULL|}',
  'c# varchar(20) COMPRESSED{=zlib|}',
  'c# int {UNIQUE|UNIQUE KEY|KEY}',
  'c# int {CHECK (c# > 0)|CONSTRAINT n# CHECK (c# > 0)}',
  'c# int {REFERENCES base (id)|REFERENCES base (id) {MATCH SIMPLE|MATCH FULL|MATCH PARTIAL|} {ON DELETE {CASCADE|SET NULL|RESTRICT|NO ACTION}|} {ON UPDATE CASCADE|}}',
  "c# int {GENERATED ALWAYS|} AS (a + 1) {VIRTUAL|STORED|PERSISTENT|} {INVISIBLE|} {COMMENT 'g'|} {UNIQUE|}",
  'c# int {WITHOUT SYSTEM VERSIONING|WITH SYSTEM VERSIONING}',
  'c# bigint NOT NULL AUTO_INCREMENT UNIQUE',
  'c# {SERIAL|bigint SERIAL DEFAULT VALUE}',
  'c# int /*!40101 DEFAULT 6 */',
  'c# int /*M!100100 NOT NULL */',
  'c# int DEFAULT NEXT VALUE FOR s',
  'c# timestamp(6) {GENERATED ALWAYS|} AS ROW {START|END} {INVISIBLE|}',
  "c# varchar(9) DEFAULT {_latin1'x'|_utf8mb4'y'|NULL|X'41'|b'1000001'|(concat('a', 'b'))|uuid()}",
];

const keyOptions =
  "{USING {BTREE|HASH}|} {COMMENT 'k'|} {KEY_BLOCK_SIZE{=| }4|} {IGNORED|NOT IGNORED|}";

const items = [
  `PRIMARY KEY {USING BTREE|} ({a|a DESC|a, b|v(10)|b ASC, a}) ${keyOptions.replace('{IGNORED|NOT IGNORED|}', '')}`,
  'CONSTRAINT {pk|} PRIMARY KEY (a)',
  `{KEY|INDEX} {IF NOT EXISTS|} k# {USING HASH|} ({a|b DESC|v(5)|a, v(4) DESC}) ${keyOptions}`,
  '{KEY|INDEX} (b, a)',
  `{CONSTRAINT n#|} UNIQUE {KEY|INDEX|} {k#|} ({a|b, a|v(5)|v}) ${keyOptions}`,
  "FULLTEXT {KEY|INDEX|} k# (x) {COMMENT 'f'|}",
  'SPATIAL {KEY|INDEX|} k# (p)',
  '{CONSTRAINT n#|} FOREIGN KEY {k#|} (a) REFERENCES base {(id)} {MATCH SIMPLE|MATCH FULL|MATCH PARTIAL|} {ON DELETE {CASCADE|RESTRICT|NO ACTION|SET NULL}|} {ON UPDATE {CASCADE|SET NULL}|}',
  '{CONSTRAINT n#|} CHECK (a > b)',
  'PERIOD FOR due (d1, d2)',
  'PERIOD FOR due (d1, d2), {CONSTRAINT n#|} UNIQUE {KEY|INDEX|} (a, due WITHOUT OVERLAPS)',
];

const options = [
  'ENGINE{=| }{InnoDB|MyISAM|Aria}',
  'AUTO_INCREMENT=500',
  'ROW_FORMAT{=| }{DYNAMIC|COMPACT}',
  '{DEFAULT|} {CHARACTER SET|CHARSET}{ = | |=}{latin1|utf8mb4}',
  '{DEFAULT|} COLLATE{ = | }{utf8mb4_bin|utf8mb4_unicode_ci}',
  "COMMENT{=| }'it''s'",
  'MAX_ROWS=5',
  'MIN_ROWS 2',
  'CHECKSUM=1',
  'PACK_KEYS=DEFAULT',
  'STATS_PERSISTENT=0',
  'STATS_SAMPLE_PAGES=7',
  '{PAGE_COMPRESSED|`PAGE_COMPRESSED`}=1',
  'KEY_BLOCK_SIZE=8',
  'AVG_ROW_LENGTH=99',
  'WITH SYSTEM VERSIONING',
];

const partitions =
  'PARTITION BY {HASH (a)|LINEAR HASH (a)|KEY (a)|KEY ALGORITHM=2 (a)} {PARTITIONS 2|(PARTITION p0, PARTITION p1)|}';

const others = [
  "CREATE {UNIQUE|} INDEX {IF NOT EXISTS|} k9 {USING HASH|} ON made ({a|b DESC|v(5), a}) {COMMENT 'i'|} {USING BTREE|} {ALGORITHM={INPLACE|COPY|DEFAULT}|} {LOCK={NONE|SHARED}|}",
  'CREATE FULLTEXT INDEX k9 ON made (x)',
  'CREATE TABLE IF NOT EXISTS copy LIKE made',
  'CREATE TABLE copy (LIKE made)',
  'CREATE OR REPLACE TABLE other (z int)',
  'CREATE {OR REPLACE|} {ALGORITHM={MERGE|TEMPTABLE|UNDEFINED}|} {DEFINER=CURRENT_USER|} {SQL SECURITY {INVOKER|DEFINER}|} VIEW shown {(q, r)|} AS SELECT a, b FROM made WHERE a > 1 {WITH {LOCAL|CASCADED|} CHECK OPTION|}',
  'RENAME TABLE other TO renamed',
  'DROP TABLE {IF EXISTS|} other {CASCADE|RESTRICT|}',
  'DROP INDEX ko ON other',
  'ALTER TABLE made ADD {COLUMN|} {IF NOT EXISTS|} z int {NOT NULL|} {FIRST|AFTER a|}',
  'ALTER TABLE made ADD {COLUMN|} (z int, y int DEFAULT 3)',
  'ALTER TABLE made ADD {INDEX|KEY|UNIQUE|UNIQUE INDEX} k9 {(b)|(v(3))}',
  'ALTER TABLE made ADD {CONSTRAINT n9|} FOREIGN KEY (b) REFERENCES base (id) {ON DELETE CASCADE|}',
  'ALTER TABLE made ADD {CONSTRAINT n9|} CHECK (b > 1)',
  "ALTER {IGNORE|} TABLE made MODIFY {COLUMN|} v varchar(60) {NOT NULL|} {COMMENT 'm'|} {AFTER a|FIRST|}",
  "ALTER TABLE made CHANGE {COLUMN|} v w varchar(70) {DEFAULT 'd'|} {FIRST|}",
  'ALTER TABLE made ALTER {COLUMN|} b {SET DEFAULT 4|DROP DEFAULT}',
  'ALTER TABLE other ALTER {INDEX|KEY} ko {IGNORED|NOT IGNORED}',
  'ALTER TABLE made DROP {COLUMN|} {IF EXISTS|} v',
  'ALTER TABLE other DROP {INDEX|KEY} {IF EXISTS|} ko, ADD z int',
  'ALTER TABLE other RENAME {INDEX|KEY} ko TO kp',
  'ALTER TABLE other RENAME COLUMN a TO z',
  'ALTER TABLE other RENAME {TO|AS|} renamed',
  "ALTER TABLE made COMMENT{=| }'changed'",
  'ALTER TABLE made ENGINE=Aria {ROW_FORMAT=DYNAMIC|STATS_PERSISTENT=1, MAX_ROWS 9|, FORCE}',
  'ALTER TABLE made {WAIT 5|NOWAIT|} {ADD SYSTEM VERSIONING|ADD PERIOD FOR due (d1, d2)}',
  'ALTER TABLE made PARTITION BY HASH (a) {PARTITIONS 2|}',
  'ALTER TABLE made AUTO_INCREMENT=700',
  'ALTER TABLE made CONVERT TO CHARACTER SET latin1',
  'ALTER TABLE made DEFAULT CHARACTER SET latin1 COLLATE latin1_bin',
  'ALTER TABLE made {DISABLE|ENABLE} KEYS',
  'ALTER TABLE made ORDER BY a',
  'ALTER TABLE made ADD z int, {ALGORITHM=COPY|ALGORITHM=COPY, LOCK=SHARED}',
];

function createTableTemplate(pick: RandomBelow): string {
  const list = [
    'a int NOT NULL',
    'b int',
    'v varchar(50)',
    'x text',
    'p point NOT NULL',
    'd1 date NOT NULL',
    'd2 date NOT NULL',
    ...Array.from({ length: pick(3) }, () => pickOne(pick, columns)),
    ...Array.from({ length: pick(3) }, () => pickOne(pick, items)),
  ].map((each, i) => each.replaceAll('#', String(i)));
  const tail = Array.from({ length: pick(3) }, () => pickOne(pick, options));
  return `CREATE {OR REPLACE TABLE|TABLE|TABLE IF NOT EXISTS} made (${list.join(', ')}) ${tail.join('{ |, }')} ${pick(6) === 0 ? partitions : ''}`;
}

export const mysqlTemplates: DdlTemplates = {
  dialect: 'mysql',
  separator: ';\n',
  base: ['CREATE TABLE base (id int PRIMARY KEY, p int)', 'CREATE TABLE other (a int, KEY ko (a))'],
  createTable: createTableTemplate,
  others,
};
