/** Random triggers and routines, with everything in their bodies that could end a statement too early. */
import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';

export interface RandomPrograms {
  /** One statement each, in an order in which they can be created. */
  readonly statements: readonly string[];
  /** Statements that call the routines, or fire the triggers. */
  readonly calls: readonly string[];
}

export interface ProgramKit {
  /** `film`, whose rows fire triggers, and `log`, into which they write. */
  readonly tables: readonly string[];
  readonly programs: fc.Arbitrary<RandomPrograms>;
  /** Lists definitions of programs as the database has them. */
  readonly definitions: string;
  /** Options with which the database's own client keeps comments. */
  readonly clientOptions: readonly string[];
  /** A script that fails. */
  readonly broken: string;
  /** Creates a trigger or procedure `made`. */
  readonly creation: string;
  /** Triggers and routines that reach files, programs or the network. */
  readonly external: readonly string[];
  /** `dynamic` runs SQL that its text does not show. */
  readonly unknown: readonly string[];
  /** `elsewhere` is on a table `other` or in another database. */
  readonly foreign: readonly string[];
  /** Dumps structure, rows and programs. */
  /** Undefined if the installed tool is too old for the server. */
  readonly dumpTool: (url: string) => Buffer | undefined;
}

/** Names that need quotes. */
const oddName = fc.stringMatching(/^[a-z]{2}[ a-z%"'`#*:;,é名$-]{0,10}[a-z]$/);

const oddText = fc
  .array(
    fc.constantFrom(
      ...["'", '"', '`', ';', ';;', '//', '$$', '$f$', '--', '/*', '*/', '#', 'END', 'BEGIN', '\n', ' ', 'é名', 'DELIMITER ;', '\\.', 'GO', 'x', '%', '?', ':a', '@b', '$1', '{}'], // prettier-ignore
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

/** What may stand in a comment of every database. */
const commentText = oddText.map((text) => text.replaceAll(/[\n/]|\*$/g, ' '));

const comment = fc.oneof(
  fc.constant(' '),
  commentText.map((text) => ` -- ${text}\n`),
  commentText.map((text) => ` /* ${text} */ `),
);

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const doubled = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const backticked = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

interface Body {
  readonly name: string;
  readonly text: string;
  readonly before: string;
  readonly after: string;
  readonly event: 'AFTER INSERT' | 'BEFORE INSERT';
  readonly choice: number;
}

const bodies = fc.uniqueArray(
  fc.record<Body>({
    name: oddName,
    text: oddText,
    before: comment,
    after: comment,
    event: fc.constantFrom('AFTER INSERT', 'BEFORE INSERT'),
    choice: fc.nat(9),
  }),
  { minLength: 1, maxLength: 5, selector: ({ name }) => name.toLowerCase() },
);

const tables = [
  'CREATE TABLE film (id integer PRIMARY KEY, name varchar(50))',
  'CREATE TABLE log (program varchar(100), word varchar(200))',
];

const insertFilm = (id: number): string => `INSERT INTO film VALUES (${id}, 'a')`;

const sqlitePrograms = bodies.map((list): RandomPrograms => {
  const statements = list.map(({ name, text, before, after, event, choice }) => {
    const when = choice % 2 === 0 ? "WHEN CASE new.name WHEN 'END' THEN 0 ELSE 1 END" : '';
    return `CREATE TRIGGER ${doubled(name)} ${event} ON film ${when}${before}BEGIN${after}INSERT INTO log VALUES (${quoted(name)}, CASE WHEN new.id > 0 THEN ${quoted(text)} END);${before}SELECT 1;${after}END`;
  });
  return { statements, calls: [insertFilm(100)] };
});

const tag = (text: string): string => (text.includes('$$') || text.includes('$f$') ? '$other$' : '$f$'); // prettier-ignore

const postgresPrograms = bodies.map((list): RandomPrograms => {
  const statements: string[] = [];
  const calls = [insertFilm(100)];
  for (const { name, text, before, after, event, choice } of list) {
    const quotedName = doubled(name);
    const write = `INSERT INTO log VALUES (${quoted(name)}, ${quoted(text)})`;
    const quote = tag(text + before + after);
    if (choice < 5) {
      const body = `${before}BEGIN${after}${write};${before}IF NEW.id > 0 THEN NULL; END IF; RETURN NEW;${after}END`;
      const asText = choice === 0 ? quoted(body) : `${quote}${body}${quote}`;
      statements.push(
        `CREATE FUNCTION ${quotedName}() RETURNS trigger LANGUAGE plpgsql AS ${asText}`,
        `CREATE TRIGGER ${quotedName} ${event} ON film FOR EACH ROW EXECUTE FUNCTION ${quotedName}()`,
      );
      if (choice === 1) statements.push(`ALTER TABLE film DISABLE TRIGGER ${quotedName}`);
    } else if (choice === 5) {
      statements.push(`CREATE PROCEDURE ${quotedName}(a integer) LANGUAGE sql AS ${quote}${before}${write};${after}${quote}`); // prettier-ignore
      calls.push(`CALL ${quotedName}(1)`);
    } else if (choice === 6) {
      statements.push(
        `CREATE FUNCTION ${quotedName}(a integer DEFAULT 1) RETURNS SETOF film LANGUAGE sql BEGIN ATOMIC SELECT * FROM film; SELECT * FROM film WHERE id > a; END`,
        `CREATE VIEW ${doubled(`v ${name}`)} AS SELECT id FROM ${quotedName}(0)`,
      );
    } else if (choice === 7) {
      statements.push(
        `CREATE FUNCTION ${quotedName}(a integer) RETURNS boolean IMMUTABLE LANGUAGE sql AS ${quote}${before}SELECT a > 0${after}${quote}`,
        `ALTER TABLE film ADD CHECK (${quotedName}(id))`,
      );
    } else if (choice === 8)
      statements.push(`CREATE RULE ${quotedName} AS ON INSERT TO film DO ALSO ${write}`);
    else statements.push(
      `CREATE SCHEMA ${doubled(`s ${name}`)}`,
      `CREATE FUNCTION ${doubled(`s ${name}`)}.${quotedName}() RETURNS text LANGUAGE sql AS ${quote}${before}SELECT ${quoted(text)}${after}${quote}`,
    ); // prettier-ignore
  }
  return { statements, calls };
});

const escaped = (text: string): string => quoted(text.replaceAll('\\', '\\\\'));

const mysqlPrograms = bodies.map((list): RandomPrograms => {
  const statements: string[] = [];
  const calls = [insertFilm(100)];
  for (const { name, text, before, after, event, choice } of list) {
    const quotedName = backticked(name);
    const write = `INSERT INTO log VALUES (${escaped(name)}, ${escaped(text)})`;
    if (choice === 9) statements.push("SET SESSION sql_mode = 'PIPES_AS_CONCAT,NO_ZERO_DATE'");
    if (choice < 5 || choice === 9)
      statements.push(`CREATE TRIGGER ${quotedName} ${event} ON film FOR EACH ROW${before}BEGIN${after}${write};${before}IF NEW.id > 0 THEN SET @made = CASE NEW.id WHEN 1 THEN 2 ELSE 3 END; END IF;${after}END`); // prettier-ignore
    else if (choice < 7) {
      statements.push(`CREATE PROCEDURE ${quotedName}(a integer)${before}BEGIN${after}DECLARE i integer DEFAULT 0; WHILE i < a DO SET i = i + 1; ${write}; END WHILE;${after}END`); // prettier-ignore
      calls.push(`CALL ${quotedName}(2)`);
    } else
      statements.push(
        `CREATE FUNCTION ${quotedName}(a integer) RETURNS text DETERMINISTIC${before}BEGIN${after}RETURN CONCAT(a, ${escaped(text)});${after}END`,
        `CREATE VIEW ${backticked(`v ${name}`)} AS SELECT ${quotedName}(id) AS word FROM film`,
      );
  }
  return { statements, calls };
});

/** It does not support servers newer than itself. */
function pgDump(url: string): Buffer | undefined {
  try {
    return execFileSync('pg_dump', [url], { stdio: 'pipe' });
  } catch (error) {
    if (error instanceof Error && error.message.includes('server version mismatch'))
      return undefined;
    throw error;
  }
}

export const programKits: Readonly<Record<string, ProgramKit>> = {
  sqlite: {
    tables,
    programs: sqlitePrograms,
    definitions: `SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid`,
    clientOptions: [],
    dumpTool: (url) => execFileSync('sqlite3', [url, '.dump']),
    broken: 'CREATE TRIGGER broken AFTER INSERT film BEGIN SELECT 1; END;\n',
    creation: 'CREATE TRIGGER made AFTER INSERT ON film BEGIN SELECT 1; END',
    unknown: [],
    // SQLite itself reads its scripts, in a database without the table.
    foreign: ['CREATE TRIGGER elsewhere AFTER INSERT ON other BEGIN SELECT 1; END'],
    external: [
      "CREATE TRIGGER made AFTER INSERT ON film BEGIN SELECT load_extension('a'); END",
      "CREATE TRIGGER made AFTER INSERT ON film BEGIN SELECT 1; SELECT writefile('a', 'b'); END",
    ],
  },
  postgres: {
    tables,
    programs: postgresPrograms,
    definitions: `SELECT * FROM (
SELECT 'function', p.oid::regprocedure::text, pg_get_functiondef(p.oid) FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') AND p.prokind IN ('f', 'p')
UNION ALL SELECT 'trigger ' || tgenabled::text, tgname::text, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
UNION ALL SELECT 'rule', rulename::text, pg_get_ruledef(r.oid) FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class WHERE c.relnamespace = 'public'::regnamespace AND rulename <> '_RETURN'
) o ORDER BY 1, 2, 3`,
    clientOptions: [],
    dumpTool: pgDump,
    broken: 'CREATE TABLE broken (id integer PRIMARY KEY);\nINSERT INTO broken VALUES (1), (1);\n',
    creation: "CREATE PROCEDURE made() LANGUAGE sql AS 'SELECT 1'",
    unknown: [
      'CREATE FUNCTION dynamic() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN EXECUTE NEW.name; RETURN NEW; END $$',
      'CREATE TRIGGER needs_dynamic BEFORE INSERT ON film FOR EACH ROW EXECUTE FUNCTION dynamic()',
      'ALTER TABLE film DISABLE TRIGGER needs_dynamic',
      'CREATE FUNCTION roles() RETURNS void LANGUAGE plpgsql AS $$ DECLARE a int; BEGIN IF true THEN CREATE ROLE b SUPERUSER; END IF; END $$',
      'CREATE FUNCTION grants() RETURNS void LANGUAGE sql AS $$ SELECT 1; GRANT ALL ON film TO PUBLIC $$',
    ],
    foreign: [
      'CREATE TRIGGER elsewhere BEFORE UPDATE ON other FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
      "CREATE FUNCTION pg_catalog.elsewhere2() RETURNS integer LANGUAGE sql AS 'SELECT 1'",
    ],
    external: [
      "CREATE FUNCTION made() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN COPY log TO PROGRAM 'a'; RETURN NULL; END $$",
      "CREATE FUNCTION made() RETURNS text LANGUAGE sql AS $$ SELECT pg_read_file('a') $$",
      "CREATE FUNCTION made() RETURNS text LANGUAGE plpgsql AS $$ BEGIN PERFORM lo_import('a'); END $$",
      "CREATE FUNCTION made() RETURNS text LANGUAGE sql RETURN pg_read_file('a')",
      "CREATE FUNCTION made() RETURNS text LANGUAGE plpython3u AS 'pass'",
      "CREATE FUNCTION made() RETURNS text LANGUAGE c AS 'a', 'b'",
      // The extension could be installed later.
      "CREATE FUNCTION made() RETURNS text LANGUAGE plpgsql AS $$ BEGIN PERFORM dblink_exec('a', 'b'); END $$",
    ],
  },
  mysql: {
    tables,
    programs: mysqlPrograms,
    definitions: `SELECT 'trigger', trigger_name, CONCAT(event_manipulation, action_timing, event_object_table, action_order), action_statement, sql_mode FROM information_schema.triggers WHERE trigger_schema = DATABASE()
UNION ALL SELECT routine_type, routine_name, COALESCE(dtd_identifier, ''), routine_definition, sql_mode FROM information_schema.routines WHERE routine_schema = DATABASE()
ORDER BY 1, 2`,
    clientOptions: ['--comments'],
    dumpTool: (url) => {
      const { hostname, port, username, password, pathname } = new URL(url);
      const login = [`-h${hostname}`, `-P${port}`, `-u${username}`, `--password=${password}`];
      const options = ['--protocol=tcp', '--routines', '--triggers', '--events', '--single-transaction']; // prettier-ignore
      return execFileSync('mariadb-dump', [...options, ...login, pathname.slice(1)]);
    },
    broken: 'CREATE TABLE broken (id integer PRIMARY KEY);\nINSERT INTO broken VALUES (1), (1);\n',
    creation: 'CREATE PROCEDURE made() SET @a = 1',
    unknown: [
      "CREATE PROCEDURE dynamic() BEGIN PREPARE s FROM 'SELECT 1'; EXECUTE s; END",
      "CREATE PROCEDURE users() BEGIN IF 1 THEN CREATE OR REPLACE USER a IDENTIFIED BY 'b'; END IF; END",
      'CREATE PROCEDURE others() SELECT * FROM film, other_database.film',
      'CREATE TRIGGER grants AFTER INSERT ON film FOR EACH ROW GRANT ALL ON *.* TO a',
      'CREATE EVENT drops ON SCHEDULE EVERY 1 DAY DO DROP DATABASE IF EXISTS other_database',
      'CREATE EVENT inserts ON SCHEDULE EVERY 1 DAY DO INSERT INTO other_database.film VALUES (1)',
    ],
    foreign: [
      'CREATE TRIGGER elsewhere AFTER INSERT ON other FOR EACH ROW SET @a = 1',
      'CREATE PROCEDURE mysql.elsewhere2() SET @a = 1',
    ],
    external: [
      "CREATE PROCEDURE made() SELECT 1 INTO OUTFILE 'a'",
      "CREATE FUNCTION made() RETURNS text RETURN LOAD_FILE('a')",
      "CREATE TRIGGER made AFTER INSERT ON film FOR EACH ROW SET @a = LOAD_FILE('a')",
      "CREATE FUNCTION made RETURNS integer SONAME 'a.so'",
      'CREATE PROCEDURE made() INSERT INTO mysql.func SELECT * FROM mysql.func',
      "CREATE EVENT made ON SCHEDULE EVERY 1 DAY DO SELECT 1 INTO DUMPFILE 'a'",
      "CREATE PROCEDURE made() CREATE TABLE a (b integer) ENGINE = FEDERATED CONNECTION = 'mysql://a/b/c'",
    ],
  },
};
