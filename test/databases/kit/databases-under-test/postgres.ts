import { postgresDialect } from '../../../../src/databases/postgres/dialect/dialect.ts';
import {
  createTestDatabase,
  rolesOutsideTests,
  settingsOutsideTests,
} from '../../../servers/postgres.ts';
import type { TestDatabase } from '../../../servers/postgres.ts';
import type { KitDatabase, DatabaseUnderTest } from '../database-under-test.ts';

export const postgresUnderTest: DatabaseUnderTest = {
  name: 'postgres',
  dialect: postgresDialect,
  makeDatabase,
  skip: [],
  kinds: {},
  storageEngines: {},
  binaryLiteral: (hex) => String.raw`'\x${hex}'::bytea`,
  exactText: (name) => `${name}::text`,
  client: (url) => ['psql', '-q', '-v', 'ON_ERROR_STOP=1', '-f', '-', url],
  ignoreWrites: (event, table) => `
    CREATE FUNCTION ${table}_${event}() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
    CREATE TRIGGER ${table}_${event} BEFORE ${event} ON ${table} FOR EACH ROW EXECUTE FUNCTION ${table}_${event}()`,
};

async function makeDatabase(): Promise<KitDatabase> {
  const server = await createTestDatabase();
  return {
    url: server.url,
    run: async (sql) => void (await server.query(sql)),
    query: async (sql) => (await server.query(sql)).map(Object.values),
    runsReadOnly: (sql) => runsReadOnly(server, sql),
    fingerprint: async () => JSON.stringify(await server.query(everything)),
    drop: () => server.drop(),
  };
}

async function runsReadOnly(server: TestDatabase, sql: string): Promise<boolean> {
  try {
    await server.query(`SET default_transaction_read_only = on; ${sql}`);
    return true;
  } catch {
    return false;
  }
}

/** Leaves out what autovacuum may change. */
const everything = `
  SELECT 'rows' AS what, to_jsonb(schema_to_xml('public', true, false, '')::text) AS it
  UNION ALL SELECT 'classes', jsonb_agg(to_jsonb(c) - '{reltuples,relpages,relallvisible,relallfrozen,relfrozenxid,relminmxid,relhasindex}'::text[] ORDER BY oid)
    FROM pg_class c WHERE oid >= 16384
  UNION ALL SELECT 'columns', jsonb_agg(to_jsonb(a) ORDER BY attrelid, attnum) FROM pg_attribute a WHERE attrelid >= 16384
  UNION ALL SELECT 'versions', jsonb_agg(xmin::text || ctid::text ORDER BY ctid) FROM users
  UNION ALL SELECT 'sequences', jsonb_agg(to_jsonb(s) ORDER BY sequencename) FROM pg_sequences s
  UNION ALL SELECT 'functions', jsonb_agg(to_jsonb(p) ORDER BY oid) FROM pg_proc p WHERE oid >= 16384
  UNION ALL SELECT 'triggers', jsonb_agg(to_jsonb(t) ORDER BY oid) FROM pg_trigger t
  UNION ALL SELECT 'comments', jsonb_agg(to_jsonb(d) ORDER BY objoid, objsubid) FROM pg_description d WHERE objoid >= 16384
  UNION ALL SELECT 'large objects', jsonb_agg(to_jsonb(l) ORDER BY oid) FROM pg_largeobject_metadata l
  UNION ALL SELECT 'settings', jsonb_agg(to_jsonb(s) ORDER BY setdatabase, setrole) FROM pg_db_role_setting s WHERE ${settingsOutsideTests}
  UNION ALL SELECT 'roles', jsonb_agg(rolname ORDER BY oid) FROM pg_roles WHERE ${rolesOutsideTests}`;
