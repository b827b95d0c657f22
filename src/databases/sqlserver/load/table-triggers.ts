import { sqlserverDdl } from '../dialect/ddl.ts';
import type { Session } from '../../../model/database.ts';
import type { RowChange } from '../../../model/load-dialect.ts';
import type { Table } from '../../../model/schema.ts';

const properties: Readonly<Record<RowChange, string>> = {
  insert: 'HasInsertTrigger',
  update: 'HasUpdateTrigger',
  delete: 'HasDeleteTrigger',
};

/** TableTemporalType 2: a system-versioned table, whose history has a row for each update. */
export async function runsTriggers(
  session: Session,
  table: Table,
  changes: readonly RowChange[],
): Promise<boolean> {
  const found = changes.map((change) => `OBJECTPROPERTY(id, '${properties[change]}')`);
  const text = `
    SELECT CASE WHEN 1 IN (${found.join(', ')}) OR OBJECTPROPERTY(id, 'TableTemporalType') = 2 THEN 1 ELSE 0 END
    FROM (SELECT OBJECT_ID(@p1) AS id) AS found`;
  const { rows } = await session.run({ text, params: [sqlserverDdl.tableName(table)] });
  return Number(rows[0]?.[0]) === 1;
}
