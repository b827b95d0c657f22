import { pickOne } from '../../../databases/altered-ddl/expand.ts';
import type { Pick } from '../../../databases/altered-ddl/expand.ts';
import type { Step, Target } from './model.ts';

function quoted(name: string): string {
  return `[${name}]`;
}

function change({ kind, table, name, creates }: Step): string {
  const on = `[dbo].${quoted(table)}`;
  if (kind === 'table')
    return creates ? `CREATE TABLE ${on} ([id] int NOT NULL)` : `DROP TABLE ${on}`;
  if (kind === 'index')
    return creates
      ? `CREATE INDEX ${quoted(name)} ON ${on} ([id])`
      : `DROP INDEX ${quoted(name)} ON ${on}`;
  if (kind === 'column')
    return creates
      ? `ALTER TABLE ${on} ADD ${quoted(name)} nvarchar(20) NULL`
      : `ALTER TABLE ${on} DROP COLUMN ${quoted(name)}`;
  return creates
    ? `ALTER TABLE ${on} WITH CHECK ADD CONSTRAINT ${quoted(name)} CHECK ([id] > 0)`
    : `ALTER TABLE ${on} DROP CONSTRAINT ${quoted(name)}`;
}

/** Queries with rows exactly if the target exists. */
const queries: Readonly<Record<Target['kind'], readonly string[]>> = {
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

const functions: Readonly<Record<Target['kind'], readonly string[]>> = {
  table: ["OBJECT_ID(N'[dbo].[{t}]', N'U')", "OBJECT_ID('{t}')"],
  column: ["COL_LENGTH('dbo.{t}', '{n}')", "COLUMNPROPERTY(OBJECT_ID('{t}'), '{n}', 'ColumnId')"],
  index: ["INDEXPROPERTY(OBJECT_ID('[dbo].[{t}]'), '{n}', 'IndexId')"],
  check: ["OBJECT_ID('dbo.{n}', 'C')"],
};

/** A condition that holds exactly if the target is there, or is not there. */
function condition(target: Target, holdsIfThere: boolean, pick: Pick): string {
  const fill = (text: string): string =>
    text.replaceAll('{t}', target.table).replaceAll('{n}', target.name);
  const query = fill(pickOne(pick, queries[target.kind]));
  const call = fill(pickOne(pick, functions[target.kind]));
  return pickOne(
    pick,
    holdsIfThere
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
export function sqlserverStep(step: Step, pick: Pick): string {
  const { kind, table, creates } = step;
  const own = condition(step, !creates, pick);
  const needsTable =
    kind === 'table' ? '' : `${condition({ kind: 'table', table, name: table }, true, pick)} AND `;
  const guard = `${needsTable}${own}`;
  const text = change(step);
  const executed = pickOne(pick, [
    text,
    `EXEC(N'${text.replaceAll("'", "''")}')`,
    `BEGIN\n  ${text};\nEND`,
  ]);
  return pickOne(pick, [
    `IF ${guard}\n  ${executed}`,
    `IF ${guard}\nBEGIN\n  ${executed}\nEND\nELSE\n  PRINT 'nothing'`,
    `IF NOT (${guard}) PRINT 'nothing' ELSE ${executed}`,
    `IF NOT (${guard})\n  RETURN\n${executed}`,
    `DECLARE @run bit = CASE WHEN ${guard} THEN 1 ELSE 0 END;\nIF @run = 1 ${executed}`,
    `BEGIN TRY\n  IF ${guard} ${executed}\nEND TRY\nBEGIN CATCH\n  THROW\nEND CATCH`,
    `IF ${needsTable === '' ? '1 = 1' : needsTable.replace(/ AND $/, '')}\n  IF ${own}\n    ${executed}`,
  ]);
}
