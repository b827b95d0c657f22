import { pickOne } from './expand.ts';
import type { RandomBelow, DdlTemplates } from './expand.ts';

/** Independent columns of T-SQL; `#` is the number of the column. */
const columns = [
  'c# {int|[int]|bigint|smallint|tinyint|bit|money|uniqueidentifier|date|datetime|sysname} {NOT NULL|NULL|} {DEFAULT 5|DEFAULT (5)|CONSTRAINT df# DEFAULT ((5))|}',
  'c# {decimal(8,2)|numeric(9)|dec|float(24)|float|real|double precision}',
  "c# {varchar(20)|nvarchar(max)|char(5)|nchar(3)|varchar|national char varying(9)|text} {COLLATE Latin1_General_BIN|} {NOT NULL|} {DEFAULT N'x'|}",
  'c# {varbinary(max)|binary(8)|image|rowversion|xml|xml (CONTENT dbo.things)|sql_variant|geography}',
  'c# {time(3)|datetime2|datetime2(7)|datetimeoffset(2)}',
  'c# int IDENTITY{(1,1)|(10, 5)|} {NOT FOR REPLICATION|} {NOT NULL|}',
  'c# uniqueidentifier ROWGUIDCOL NOT NULL DEFAULT {newid()|(newsequentialid())}',
  'c# {int SPARSE|varbinary(max) FILESTREAM} NULL',
  "c# varchar(9) MASKED WITH (FUNCTION = 'default()') NULL",
  'c# AS {(a + 1)|a * b|(a) + b % 2|dbo.f(a, 1)|CASE WHEN a > 1 THEN b END} {PERSISTED {NOT NULL|}|}',
  "c# int DEFAULT {1 + 2|-1|$0.50|{fn NOW()}|NEXT VALUE FOR [dbo].[s]|dbo.f(1, 2)|[a].[b]() * 2|N'x' + 'y'} {NOT NULL|CHECK (a > 0)|}",
  'c# xml COLUMN_SET FOR ALL_SPARSE_COLUMNS',
  'c# int {CONSTRAINT k#|} {UNIQUE {CLUSTERED|NONCLUSTERED|}} {WITH (FILLFACTOR = 70)|} {ON fg|ON [PRIMARY]|}',
  'c# int {CONSTRAINT f#|} {FOREIGN KEY|} REFERENCES base (p) {ON DELETE {CASCADE|SET NULL|NO ACTION|SET DEFAULT}|} {ON UPDATE CASCADE|} {NOT FOR REPLICATION|}',
  'c# int {CONSTRAINT n#|} CHECK {NOT FOR REPLICATION|} (c# > 0)',
  'c# int INDEX i# {UNIQUE|} {CLUSTERED|NONCLUSTERED|}',
  'c# datetime2 GENERATED ALWAYS AS ROW {START|END} {HIDDEN|} NOT NULL',
];

const keyTail =
  '{WITH (PAD_INDEX = {OFF|ON}, ALLOW_ROW_LOCKS = {ON|OFF})|WITH FILLFACTOR = 90|WITH (DATA_COMPRESSION = PAGE)|} {ON [PRIMARY]|ON fg|ON ps (a)|}';

const items = [
  `{CONSTRAINT [pk]|} PRIMARY KEY {CLUSTERED|NONCLUSTERED|} ([a] {ASC|DESC|}, b) ${keyTail}`,
  `{CONSTRAINT u#|} UNIQUE {CLUSTERED|NONCLUSTERED|} (a {DESC|}) ${keyTail}`,
  '{CONSTRAINT f#|} FOREIGN KEY (a) REFERENCES {[dbo].[base]|base} {(p)|} {ON DELETE CASCADE|} {ON UPDATE NO ACTION|} {NOT FOR REPLICATION|}',
  '{CONSTRAINT n#|} CHECK {NOT FOR REPLICATION|} (a > b)',
  `INDEX i# {UNIQUE|} {CLUSTERED|NONCLUSTERED|} (a, b {DESC|}) {INCLUDE (v)|} {WHERE a > 3|} ${keyTail}`,
  'PERIOD FOR SYSTEM_TIME (d1, d2)',
  'INDEX i# {CLUSTERED|NONCLUSTERED} COLUMNSTORE {(a)|}',
  'CONSTRAINT e# CONNECTION (made TO base) {ON DELETE {CASCADE|NO ACTION}|}',
];

const tails = [
  'ON [PRIMARY]',
  'ON fg',
  'ON ps (a)',
  'TEXTIMAGE_ON {[PRIMARY]|fg}',
  'WITH (DATA_COMPRESSION = {PAGE|NONE})',
  'WITH (SYSTEM_VERSIONING = {ON|ON (HISTORY_TABLE = dbo.past, DATA_CONSISTENCY_CHECK = ON)|OFF}, LEDGER = OFF)',
  'WITH (MEMORY_OPTIMIZED = ON, DURABILITY = SCHEMA_ONLY)',
  'WITH (DISTRIBUTION = HASH(a), CLUSTERED COLUMNSTORE INDEX)',
  'AS {NODE|EDGE}',
];

const others = [
  `CREATE {UNIQUE|} {CLUSTERED|NONCLUSTERED|} INDEX k9 ON [dbo].[made] (a {ASC|DESC|}) {INCLUDE ([v], b)|} {WHERE b IS NOT NULL|} ${keyTail}`,
  'CREATE {OR ALTER|} VIEW shown {(q, r)|} {WITH SCHEMABINDING|} AS SELECT a, b FROM dbo.made WHERE a > 1 {WITH CHECK OPTION|}',
  'CREATE SCHEMA more {AUTHORIZATION {dbo|somebody}|}',
  'CREATE TYPE kind FROM varchar(10) {NOT NULL|NULL|}',
  'ALTER TABLE made {WITH {CHECK|NOCHECK}|} ADD {CONSTRAINT n9|} FOREIGN KEY (b) REFERENCES base (p) {ON DELETE CASCADE|} {NOT FOR REPLICATION|}',
  'ALTER TABLE made {WITH {CHECK|NOCHECK}|} ADD {CONSTRAINT n9|} CHECK (b > 1)',
  'ALTER TABLE made ADD z int {NOT NULL DEFAULT 3 {WITH VALUES|}|}, y varchar(9)',
  'ALTER TABLE made ADD {CONSTRAINT df9|} DEFAULT ((7)) FOR b {WITH VALUES|}',
  'ALTER TABLE made ALTER COLUMN v varchar(60) {COLLATE Latin1_General_BIN|} {NOT NULL|NULL|}',
  'ALTER TABLE made DROP COLUMN {IF EXISTS|} v, d1',
  'ALTER TABLE made {CHECK|NOCHECK} CONSTRAINT {ALL|n9}',
  'ALTER TABLE made {ENABLE|DISABLE} TRIGGER ALL',
  'ALTER TABLE made REBUILD WITH (DATA_COMPRESSION = ROW)',
  "EXEC sp_addextendedproperty @name = N'{MS_Description|Other}', @value = N'said', @level0type = N'SCHEMA', @level0name = N'dbo', @level1type = N'TABLE', @level1name = N'made' {, @level2type = N'{COLUMN|INDEX}', @level2name = N'a'|}",
  'DROP {TABLE|VIEW} {IF EXISTS|} base',
  'ALTER TABLE made ALTER COLUMN v {ADD|DROP} {SPARSE|HIDDEN|ROWGUIDCOL|NOT FOR REPLICATION}',
  'ALTER TABLE made ALTER COLUMN v varchar(60) NOT NULL WITH (ONLINE = OFF)',
  "EXEC sp_rename N'made.{v|d1}', N'renamed', N'COLUMN'",
  "EXEC {sp_executesql N'CREATE TABLE run (a int NOT NULL)'|(N'CREATE TABLE run (a int NOT NULL)')}",
];

function createTableTemplate(pick: RandomBelow): string {
  const list = [
    '[a] [int] NOT NULL',
    'b int NULL',
    '[v] [varchar](50)',
    'd1 datetime2 NOT NULL',
    'd2 datetime2 NOT NULL',
    ...Array.from({ length: pick(3) }, () => pickOne(pick, columns)),
    ...Array.from({ length: pick(3) }, () => pickOne(pick, items)),
  ].map((each, i) => each.replaceAll('#', String(i)));
  const tail = Array.from({ length: pick(3) }, () => pickOne(pick, tails));
  return `CREATE TABLE {[dbo].[made]|made} (${list.join(', ')}) ${tail.join(' ')}`;
}

export const sqlserverTemplates: DdlTemplates = {
  dialect: 'sqlserver',
  separator: '\nGO\n',
  base: ['CREATE TABLE base (id int PRIMARY KEY, p int UNIQUE)'],
  createTable: createTableTemplate,
  others,
};
