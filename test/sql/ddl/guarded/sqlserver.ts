import { pickOne } from '../../../databases/altered-ddl/expand.ts';
import type { RandomBelow } from '../../../databases/altered-ddl/expand.ts';
import type { Step, Target } from './model.ts';

function quoteName(name: string): string {
  return `[${name}]`;
}

function changeStatement({ kind, table, name, creates }: Step): string {
  const quotedTable = `[dbo].${quoteName(table)}`;
  if (kind === 'table')
    return creates
      ? `CREATE TABLE ${quotedTable} ([id] int NOT NULL)`
      : `DROP TABLE ${quotedTable}`;
  if (kind === 'index')
    return creates
      ? `CREATE INDEX ${quoteName(name)} ON ${quotedTable} ([id])`
      : `DROP INDEX ${quoteName(name)} ON ${quotedTable}`;
  if (kind === 'column')
    return creates
      ? `ALTER TABLE ${quotedTable} ADD ${quoteName(name)} nvarchar(20) NULL`
      : `ALTER TABLE ${quotedTable} DROP COLUMN ${quoteName(name)}`;
  return creates
    ? `ALTER TABLE ${quotedTable} WITH CHECK ADD CONSTRAINT ${quoteName(name)} CHECK ([id] > 0)`
    : `ALTER TABLE ${quotedTable} DROP CONSTRAINT ${quoteName(name)}`;
}

/** Queries that return rows exactly if the target exists. */
const existenceQueries: Readonly<Record<Target['kind'], readonly string[]>> = {
  table: [
    "sys.tables WHERE name = N'{t}'",
    "sys.objects WHERE object_id = OBJECT_ID(N'[dbo].[{t}]') AND type in (N'U')",
    "INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA = 'dbo' AND TABLE_NAME = '{t}'",
    "dbo.sysobjects WHERE id = OBJECT_ID(N'[dbo].[{t}]') AND OBJECTPROPERTY(id, N'IsUserTable') = 1",
    "sys.tables t INNER JOIN sys.schemas s ON t.schema_id = s.schema_id WHERE s.name = 'dbo' AND t.name = '{t}'",
    "sysobjects WHERE xtype = 'U' AND name LIKE '{t}'",
  ],
  column: [
    "sys.columns WHERE object_id = OBJECT_ID('dbo.{t}') AND name = '{n}'",
    "sys.columns AS c JOIN sys.tables AS t ON c.object_id = t.object_id WHERE t.name = N'{t}' AND c.name = N'{n}'",
    "INFORMATION_SCHEMA.COLUMNS WHERE TABLE_NAME = '{t}' AND COLUMN_NAME = '{n}' AND DATA_TYPE = 'nvarchar'",
    "syscolumns WHERE id = OBJECT_ID('{t}') AND name = '{n}'",
  ],
  index: [
    "sys.indexes WHERE name = N'{n}' AND object_id = OBJECT_ID(N'[dbo].[{t}]')",
    "sys.indexes i, sys.tables t WHERE i.object_id = t.object_id AND t.name = '{t}' AND i.name = '{n}' AND i.is_primary_key = 0",
    "sysindexes WHERE name = '{n}'",
  ],
  check: [
    "sys.check_constraints WHERE object_id = OBJECT_ID(N'[dbo].[{n}]') AND parent_object_id = OBJECT_ID(N'[dbo].[{t}]')",
    "INFORMATION_SCHEMA.TABLE_CONSTRAINTS WHERE CONSTRAINT_NAME = '{n}' AND CONSTRAINT_TYPE = 'CHECK'",
    "sys.objects WHERE type = 'C' AND name = '{n}'",
  ],
};

/** Calls that return NULL exactly if the target does not exist. */
const existenceFunctions: Readonly<Record<Target['kind'], readonly string[]>> = {
  table: ["OBJECT_ID(N'[dbo].[{t}]', N'U')", "OBJECT_ID('{t}')"],
  column: ["COL_LENGTH('dbo.{t}', '{n}')", "COLUMNPROPERTY(OBJECT_ID('{t}'), '{n}', 'ColumnId')"],
  index: ["INDEXPROPERTY(OBJECT_ID('[dbo].[{t}]'), '{n}', 'IndexId')"],
  check: ["OBJECT_ID('dbo.{n}', 'C')"],
};

/** A condition that holds exactly if the target exists, or with `exists` false if it does not. */

function existenceCondition(target: Target, exists: boolean, randomBelow: RandomBelow): string {
  const fill = (text: string): string =>
    text.replaceAll('{t}', target.table).replaceAll('{n}', target.name);
  const query = fill(pickOne(randomBelow, existenceQueries[target.kind]));
  const call = fill(pickOne(randomBelow, existenceFunctions[target.kind]));
  return pickOne(
    randomBelow,
    exists
      ? [
          `EXISTS (SELECT * FROM ${query})`,
          `${call} IS NOT NULL`,
          `(SELECT COUNT(*) FROM ${query}) > 0`,
          `NOT (${call} IS NULL)`,
        ]
      : [
          `NOT EXISTS (SELECT 1 FROM ${query})`,
          `${call} IS NULL`,
          `0 = (SELECT COUNT(1) FROM ${query})`,
          `(NOT EXISTS(SELECT TOP 1 1 FROM ${query}))`,
        ],
  );
}

/** The step as a batch of T-SQL. */
export function sqlserverStep(step: Step, randomBelow: RandomBelow): string {
  const { kind, table, creates } = step;
  const targetCondition = existenceCondition(step, !creates, randomBelow);
  const needsTable =
    kind === 'table'
      ? ''
      : `${existenceCondition({ kind: 'table', table, name: table }, true, randomBelow)} AND `;
  const allConditions = `${needsTable}${targetCondition}`;
  const changeText = changeStatement(step);
  const runChange = pickOne(randomBelow, [
    changeText,
    `EXEC(N'${changeText.replaceAll("'", "''")}')`,
    `BEGIN\n  ${changeText};\nEND`,
  ]);
  return pickOne(randomBelow, [
    `IF ${allConditions}\n  ${runChange}`,
    `IF ${allConditions}\nBEGIN\n  ${runChange}\nEND\nELSE\n  PRINT 'nothing'`,
    `IF NOT (${allConditions}) PRINT 'nothing' ELSE ${runChange}`,
    `IF NOT (${allConditions})\n  RETURN\n${runChange}`,
    `DECLARE @run bit = CASE WHEN ${allConditions} THEN 1 ELSE 0 END;\nIF @run = 1 ${runChange}`,
    `BEGIN TRY\n  IF ${allConditions} ${runChange}\nEND TRY\nBEGIN CATCH\n  THROW\nEND CATCH`,
    `IF ${needsTable === '' ? '1 = 1' : needsTable.replace(/ AND $/, '')}\n  IF ${targetCondition}\n    ${runChange}`,
  ]);
}
