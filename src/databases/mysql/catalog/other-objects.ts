import { readOtherObjects } from '../../read-other-objects.ts';
import type { Session } from '../../../model/database.ts';
import type { OtherObject } from '../../../model/other-objects.ts';

/**
 * Objects that the login may see. The catalog views have different collations, so each name is
 * converted to the same one. AUTO_INCREMENT counters are listed for empty tables only, since the rows
 * determine the others.
 */
const text = (column: string): string => `CONVERT(${column} USING utf8mb4) COLLATE utf8mb4_bin`;

const query = `
SELECT /*+ SET_VAR(information_schema_stats_expiry = 0) */ ${text("'trigger'")}, ${text('trigger_name')}, NULL, ${text('event_object_table')}
FROM information_schema.triggers WHERE trigger_schema = DATABASE()
UNION ALL
SELECT ${text('LOWER(routine_type)')}, ${text('routine_name')}, NULL, NULL
FROM information_schema.routines WHERE routine_schema = DATABASE()
UNION ALL
SELECT ${text("'event'")}, ${text('event_name')}, NULL, NULL
FROM information_schema.events WHERE event_schema = DATABASE()
UNION ALL
SELECT ${text("'sequence'")}, ${text('table_name')}, NULL, NULL
FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type = 'SEQUENCE'
UNION ALL
SELECT ${text("'counter'")}, ${text("CONCAT('AUTO_INCREMENT=', auto_increment)")}, NULL, ${text('table_name')}
FROM information_schema.tables
WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE' AND auto_increment > 1 AND table_rows = 0
ORDER BY 1, 4, 2`;

export function otherObjects(session: Session): Promise<readonly OtherObject[]> {
  return readOtherObjects(session, query);
}
