/** Databases whose dumps are imported: their types, and what they store themselves. */
import { Client } from 'pg';
import * as mariadb from '../../servers/mariadb.ts';
import * as postgres from '../../servers/postgres.ts';
import type { LiteralKind } from './generated-literals.ts';

export interface SourceType {
  readonly name: string;
  readonly kind: LiteralKind;
}

export interface SourceDatabase {
  readonly dialect: string;
  /** Statements at the beginning of a dump, one on each line. */
  readonly settings: readonly string[];
  readonly types: readonly SourceType[];
  open(): Promise<NativeColumn>;
}

export interface NativeColumn {
  /** The text that the database shows after it has stored the literal. Undefined if it rejects the literal. */
  stored(type: string, literal: string): Promise<string | undefined>;
  close(): Promise<void>;
}

function types(names: string, kind: LiteralKind): readonly SourceType[] {
  return names.split('; ').map((name) => ({ name, kind }));
}

/** Without floats, which store the nearest number, and types that other databases store in another form. */
const postgresTypes = [
  ...types('smallint; integer; bigint; numeric(5,2); numeric(4); numeric; money', 'number'),
  ...types('date', 'date'),
  ...types('time; time(0)', 'time'),
  ...types('timestamp; timestamp(0); timestamp(3); timestamptz; timestamptz(1)', 'timestamp'),
  ...types('varchar(3); char(3); text', 'text'),
  ...types('uuid; json', 'other'),
  ...types('boolean', 'boolean'),
  ...types('bit(3); varbit(3)', 'bits'),
  ...types('bytea', 'binary'),
];

const mysqlTypes = [
  ...types('tinyint; tinyint unsigned; smallint; mediumint; int; int unsigned; bigint', 'number'),
  ...types('bigint unsigned; decimal(5,2); decimal(5,2) unsigned; decimal; year', 'number'),
  ...types('date', 'date'),
  ...types('time; time(3)', 'time'),
  ...types('datetime; datetime(3); timestamp', 'timestamp'),
  ...types('varchar(3); char(3); text', 'text'),
  ...types("enum('x','y'); set('x','y'); json", 'other'),
  ...types('boolean', 'boolean'),
  ...types('bit(3); bit(1)', 'bits'),
  ...types('binary(3); varbinary(3)', 'binary'),
];

interface TestDatabase {
  query(text: string): Promise<readonly Record<string, unknown>[]>;
  drop(): Promise<void>;
}

function nativeColumn(database: TestDatabase, shownBy: (type: string) => string): NativeColumn {
  return {
    stored: async (type, literal) => {
      await database.query('DROP TABLE IF EXISTS t');
      await database.query(`CREATE TABLE t (v ${type})`);
      try {
        await database.query(`INSERT INTO t VALUES (${literal})`);
      } catch {
        return undefined;
      }
      const [row] = await database.query(`SELECT ${shownBy(type)} AS v FROM t`);
      return String(row?.['v']);
    },
    close: () => database.drop(),
  };
}

async function openPostgres(): Promise<NativeColumn> {
  const database = await postgres.createTestDatabase();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query("SET TimeZone = 'UTC'; SET lc_monetary = 'C'");
  const connection: TestDatabase = {
    query: async (text) => (await client.query<Record<string, unknown>>(text)).rows,
    drop: async () => {
      await client.end();
      await database.drop();
    },
  };
  return nativeColumn(connection, (type) => {
    if (type === 'money') return 'v::numeric::text';
    if (type === 'bytea') return "upper(encode(v, 'hex'))";
    return type.startsWith('char') ? 'rtrim(v)' : 'v::text';
  });
}

async function openMariadb(): Promise<NativeColumn> {
  const database = await mariadb.createTestDatabase();
  return nativeColumn(database, (type) => {
    if (type.includes('binary')) return 'HEX(v)';
    return type.startsWith('bit') ? 'BIN(v)' : 'CAST(v AS CHAR)';
  });
}

export const sourceDatabases: readonly SourceDatabase[] = [
  { dialect: 'postgres', settings: [], types: postgresTypes, open: openPostgres },
  {
    dialect: 'mysql',
    settings: ["SET TIME_ZONE = '+00:00';"],
    types: mysqlTypes,
    open: openMariadb,
  },
];
