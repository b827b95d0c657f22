/** Tables and views whose definitions a lock can conceal, and sessions that lock them. */
import { Client } from 'pg';
import mysql from 'mysql2/promise';
import type { KitDatabase } from './database-under-test.ts';

export interface LockableTables {
  /** Creates all of them. Each name begins with `l_`. */
  readonly script: string;
  readonly tables: readonly string[];
  /** Views with the tables that their definitions reference. */
  readonly views: Readonly<Record<string, readonly string[]>>;
  connect(database: KitDatabase): Promise<LockingSession>;
  /** Locks a table so that it cannot be read, until `release`. */
  readonly exclusively: (table: string) => string;
  /** Lets others read the table but not lock it exclusively, until `release`. */
  readonly shared: (table: string) => string;
  readonly release: string;
  /** Counts the sessions that wait for a lock. */
  readonly countWaiting: string;
}

interface LockingSession {
  run(sql: string): Promise<void>;
  count(sql: string): Promise<number>;
  end(): Promise<void>;
}

const postgres: LockableTables = {
  script: `
    CREATE TABLE l_users (id serial PRIMARY KEY, email text DEFAULT lower('NONE'), CHECK (email <> ''));
    CREATE UNIQUE INDEX l_users_email ON l_users (lower(email)) WHERE id > 3;
    CREATE TABLE l_orders (id integer PRIMARY KEY, user_id integer REFERENCES l_users,
      cents integer, euros numeric GENERATED ALWAYS AS (cents / 100.0) STORED);
    CREATE TABLE l_plain (id integer PRIMARY KEY, n integer);
    CREATE TABLE l_stays (n integer, during int4range, EXCLUDE USING gist (during WITH &&));
    CREATE TABLE l_parted (n integer, m integer) PARTITION BY RANGE ((n + m));
    CREATE TABLE l_part PARTITION OF l_parted FOR VALUES FROM (0) TO (10);
    CREATE VIEW l_v_users AS SELECT id, email FROM l_users WHERE id > 1;
    CREATE VIEW l_v_both AS SELECT u.email, o.cents FROM l_users u JOIN l_orders o ON o.user_id = u.id;
    CREATE VIEW l_v_of_view AS SELECT email FROM l_v_users;
    CREATE MATERIALIZED VIEW l_m_plain AS SELECT n, (SELECT max(n) FROM l_stays) AS most FROM l_plain`,
  tables: ['l_users', 'l_orders', 'l_plain', 'l_stays', 'l_parted'],
  views: {
    l_v_users: ['l_users'],
    l_v_both: ['l_users', 'l_orders'],
    l_v_of_view: ['l_users'],
    l_m_plain: ['l_plain', 'l_stays'],
  },
  connect: async ({ url }) => {
    const client = new Client({ connectionString: url });
    await client.connect();
    return {
      run: async (sql) => void (await client.query(sql)),
      count: async (sql) => {
        const { rows } = await client.query<{ readonly n: string }>(sql);
        return Number(rows[0]?.n);
      },
      end: () => client.end(),
    };
  },
  exclusively: (table) => `BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`,
  shared: (table) => `BEGIN; LOCK TABLE ${table} IN ACCESS SHARE MODE`,
  release: 'ROLLBACK',
  countWaiting: 'SELECT count(*) AS n FROM pg_locks WHERE NOT granted',
};

const mariadb: LockableTables = {
  script: `
    CREATE TABLE l_users (id INT AUTO_INCREMENT PRIMARY KEY, email VARCHAR(100) DEFAULT (LOWER('NONE')), CHECK (email <> ''));
    CREATE TABLE l_orders (id INT PRIMARY KEY, user_id INT, cents INT, euros INT GENERATED ALWAYS AS (cents / 100) STORED,
      FOREIGN KEY (user_id) REFERENCES l_users (id) ON DELETE CASCADE);
    CREATE TABLE l_plain (id INT PRIMARY KEY, n INT);
    CREATE VIEW l_v_users AS SELECT id, email FROM l_users WHERE id > 1;
    CREATE VIEW l_v_both AS SELECT u.email, o.cents FROM l_users u JOIN l_orders o ON o.user_id = u.id;
    CREATE VIEW l_v_of_view AS SELECT email FROM l_v_users`,
  tables: ['l_users', 'l_orders', 'l_plain'],
  views: {
    l_v_users: ['l_users'],
    l_v_both: ['l_users', 'l_orders'],
    l_v_of_view: ['l_users'],
  },
  connect: async ({ url }) => {
    const client = await mysql.createConnection({ uri: url, multipleStatements: true });
    return {
      run: async (sql) => void (await client.query(sql)),
      count: async (sql) => {
        const [rows] = await client.query<mysql.RowDataPacket[]>(sql);
        return Number(rows[0]?.['n']);
      },
      end: () => client.end(),
    };
  },
  exclusively: (table) => `LOCK TABLES ${table} WRITE`,
  shared: (table) => `START TRANSACTION; SELECT 1 FROM ${table} LIMIT 1`,
  release: 'ROLLBACK; UNLOCK TABLES',
  countWaiting:
    "SELECT COUNT(*) AS n FROM information_schema.processlist WHERE state LIKE 'Waiting for table%lock'",
};

/** By the name of the database. SQLite locks the whole file, which no session can read then. */
export const lockableTables: Readonly<Record<string, LockableTables>> = {
  postgres,
  mysql: mariadb,
};

/** Lets another session lock a table, or wait for the lock. Returns a function that ends this. */
export async function lockTable(
  database: KitDatabase,
  lockable: LockableTables,
  { table, awaited }: { readonly table: string; readonly awaited: boolean },
): Promise<() => Promise<void>> {
  const holder = await lockable.connect(database);
  const { exclusively, shared, release, countWaiting } = lockable;
  if (!awaited) {
    await holder.run(exclusively(table));
    return async () => {
      await holder.run(release);
      await holder.end();
    };
  }
  const waiter = await lockable.connect(database);
  const before = await holder.count(countWaiting);
  await holder.run(shared(table));
  const waiting = waiter.run(exclusively(table));
  while ((await holder.count(countWaiting)) <= before)
    await new Promise((resolve) => setTimeout(resolve, 5));
  return async () => {
    await holder.run(release);
    await waiting;
    await waiter.run(release);
    await holder.end();
    await waiter.end();
  };
}
