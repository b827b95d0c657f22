/**
 * SQLite omit some of its capabilities, as a database that is not complete yet. Child processes load
 * this module with `--import` and read from their environment which ones are missing.
 */
import { registry } from '../../src/databases/index.ts';
import type { Capability } from '../../src/model/capabilities.ts';
import type { Database, Dialect } from '../../src/model/database.ts';

type Entry = (typeof registry)[number];

const variable = 'STUDIO_TEST_WITHOUT';
const entries = registry as Entry[];
const index = entries.findIndex(({ name }) => name === 'sqlite');
const complete = entries[index]!;

removeCapabilities((process.env[variable] ?? '').split(',').filter((name) => name !== '') as never);

/** Replaces the registered SQLite in this process, and in the child processes that it starts from now on. */
export function removeCapabilities(missing: readonly Capability[]): void {
  process.env[variable] = missing.join(',');
  process.env['NODE_OPTIONS'] = `--import ${import.meta.url}`;
  entries[index] = {
    ...complete,
    loadKind: async () => {
      const kind = await complete.loadKind();
      return {
        ...kind,
        dialect: dialectWithout(kind.dialect, missing),
        open: async (target) => databaseWithout(await kind.open(target), missing),
      };
    },
    loadSyntax: async () => {
      const { language, dataScript, expressions, ddlReader } = await complete.loadSyntax();
      const has = (capability: Capability): boolean => !missing.includes(capability);
      return {
        ...((has('sql') || has('script') || has('ddl')) && language ? { language } : {}),
        ...(has('script') && dataScript ? { dataScript } : {}),
        ...(has('ddl') && expressions && ddlReader ? { expressions, ddlReader } : {}),
      };
    },
  };
}

function dialectWithout(dialect: Dialect, missing: readonly Capability[]): Dialect {
  return omit(dialect, missing) as Dialect;
}

function omit(object: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

const loadMembers = ['insert', 'uncheckedSideWrites', 'beforeDeletingAllRows', 'checkForeignKeys'];
const statementMembers = ['effectsOf', 'errorOffset', 'introspectWithin', 'runOutsideTransaction'];

/** Members and modes that no remaining capability needs are absent. */
function databaseWithout(database: Database, missing: readonly Capability[]): Database {
  const has = (capability: Capability): boolean => !missing.includes(capability);
  const absent = has('sql') || has('ddl') ? [] : statementMembers;
  const modes: readonly string[] = [
    'read',
    ...(has('write') || has('ddl') ? ['write'] : []),
    ...(has('load') ? ['load'] : []),
    ...(has('sql') ? ['sql'] : []),
  ];
  return {
    ...(omit(database, absent) as Database),
    dialect: dialectWithout(database.dialect, missing),
    transaction: (mode, work, options) => {
      if (!modes.includes(mode)) throw new Error(`The database has no transactions to ${mode}.`);
      const narrowed: typeof work = (session) =>
        work(has('load') ? session : (omit(session, loadMembers) as typeof session));
      return database.transaction(mode, narrowed, options);
    },
  };
}
