import { otherObjectsQuery, readOtherObjects } from '../../read-other-objects.ts';
import type { Session } from '../../../model/database.ts';
import type { OtherObject } from '../../../model/other-objects.ts';

/** Names are qualified unless the object is in the default schema. The catalog views show only what the login may see. */
const qualifiedName = (namespace: string, name: string): string =>
  `CONCAT(NULLIF(${namespace}, SCHEMA_NAME()) + N'.', ${name})`;

const query = otherObjectsQuery([
  {
    kind: `N'trigger'`,
    name: 'CAST(t.name AS nvarchar(256))',
    namespace: 'OBJECT_SCHEMA_NAME(t.parent_id)',
    table: 'OBJECT_NAME(t.parent_id)',
    from: 'FROM sys.triggers t WHERE t.is_ms_shipped = 0',
  },
  {
    kind: `CASE WHEN o.type IN ('P', 'PC', 'X') THEN N'procedure' WHEN o.type = 'AF' THEN N'aggregate' WHEN o.type = 'SO' THEN N'sequence'
    WHEN o.type = 'SN' THEN N'synonym' WHEN o.type = 'R' THEN N'rule' WHEN o.type = 'D' THEN N'default' ELSE N'function' END`,
    name: qualifiedName('SCHEMA_NAME(o.schema_id)', 'o.name'),
    from: `FROM sys.objects o
WHERE o.is_ms_shipped = 0 AND o.parent_object_id = 0
  AND o.type IN ('P', 'PC', 'X', 'AF', 'SO', 'SN', 'R', 'D', 'FN', 'IF', 'TF', 'FS', 'FT')`,
  },
  {
    kind: `N'policy'`,
    name: qualifiedName('SCHEMA_NAME(p.schema_id)', 'p.name'),
    from: 'FROM sys.security_policies p WHERE p.is_ms_shipped = 0',
  },
  {
    kind: `N'type'`,
    name: qualifiedName('SCHEMA_NAME(u.schema_id)', 'u.name'),
    from: 'FROM sys.types u WHERE u.is_user_defined = 1',
  },
]);

export function otherObjects(session: Session): Promise<readonly OtherObject[]> {
  return readOtherObjects(session, query);
}
