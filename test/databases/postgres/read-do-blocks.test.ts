/** DO blocks as migrations write them, whose conditions are evaluated against what the file has created so far. */
import { describe, expect, test } from 'vitest';
import { readDdl as read } from '../../sql/ddl/read-ddl.ts';

const base =
  "CREATE SCHEMA s;\nCREATE TYPE mood AS ENUM ('sad', 'ok');\nCREATE TABLE t (a int PRIMARY KEY, b int UNIQUE, c int REFERENCES t (a), CONSTRAINT ck CHECK (a > 0));\nCREATE INDEX i ON t (b);\nCREATE VIEW v AS SELECT a FROM t;\n";

describe('a condition is evaluated against what the file has created', () => {
  test.each([
    "EXISTS (SELECT FROM information_schema.tables WHERE table_schema = 'public' AND table_name = 't')",
    "EXISTS (SELECT 1 FROM information_schema.columns WHERE table_name = 't' AND column_name = 'a' AND is_nullable = 'NO')",
    "EXISTS (SELECT 1 FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace WHERE t.typname = 'mood' AND n.nspname = 'public')",
    "NOT EXISTS (SELECT 1 FROM pg_type WHERE typname = 'Mood')",
    "EXISTS (SELECT 1 FROM pg_enum e JOIN pg_type t ON e.enumtypid = t.oid WHERE t.typname = 'mood' AND e.enumlabel = 'ok')",
    "EXISTS (SELECT 1 FROM pg_constraint WHERE conname = 't_pkey' AND conrelid = 't'::regclass)",
    "EXISTS (SELECT 1 FROM pg_constraint WHERE conname IN ('t_c_fkey') AND contype = 'f')",
    "EXISTS (SELECT 1 FROM pg_indexes WHERE indexname = 't_b_key')",
    "EXISTS (SELECT 1 FROM pg_class WHERE relname = 'i' AND relkind = 'i')",
    "EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = 's')",
    "EXISTS (SELECT 1 FROM pg_views WHERE viewname LIKE 'v%')",
    "to_regclass('public.t') IS NOT NULL AND to_regclass('z') IS NULL",
    "(SELECT count(*) FROM information_schema.table_constraints WHERE constraint_name = 'ck') = 1",
  ])('%s', async (condition) => {
    const script = `${base}DO $$\nBEGIN\n  IF ${condition} THEN CREATE TABLE yes (a int); ELSE CREATE TABLE no (a int); END IF;\nEND $$;`;
    const { schema, warnings, problems } = await read('postgres', script);
    expect(problems).toEqual([]);
    expect(warnings).toEqual([]);
    expect(schema.tables.map(({ name }) => name)).toEqual(['t', 'yes']);
  });
});

const twice = (statement: string): string => `${statement}\n${statement}`;

describe('a block', () => {
  test.each<readonly [script: string, warnings: readonly string[]]>([
    [
      twice(
        "DO $$ BEGIN\n CREATE TYPE kind AS ENUM ('a');\nEXCEPTION\n WHEN duplicate_object THEN null;\nEND $$;",
      ),
      [],
    ],
    [
      twice(
        'DO $$ BEGIN\n ALTER TABLE "t" ADD CONSTRAINT "made" FOREIGN KEY ("b") REFERENCES "public"."t"("a");\nEXCEPTION WHEN duplicate_object THEN RAISE NOTICE \'there\';\nEND $$;',
      ),
      [],
    ],
    [
      twice(
        "DO LANGUAGE plpgsql $x$ DECLARE n int := 1; BEGIN n := 2; EXECUTE 'CREATE TABLE made (a int)'; EXCEPTION WHEN others THEN NULL; END; $x$;",
      ),
      [],
    ],
    [
      "DO $$ BEGIN IF current_setting('x') = 'y' THEN CREATE TABLE made (a int); END IF; END $$;",
      ["Line 6: IF current_setting('x') = 'y', which only a server can answer, is left out."],
    ],
    [
      'DO $$\nDECLARE r record;\nBEGIN\n  FOR r IN SELECT 1 LOOP IF 1 = 1 THEN DROP TABLE t; END IF; END LOOP;\n  CREATE TABLE made (a int);\n  RETURN;\n  DROP TABLE t;\nEND $$;',
      ['Line 9: the statement FOR r IN SELECT 1 LOOP is left out.'],
    ],
    ['DO $$ BEGIN PERFORM f(); END $$;', ['Line 6: the statement PERFORM f() is left out.']],
    ["DO 'BEGIN NULL; END';", ["Line 6: the statement DO 'BEGIN NULL; END' is left out."]],
  ])('%s', async (script, warnings) => {
    const { schema, warnings: read_, problems } = await read('postgres', base + script);
    expect(problems).toEqual([]);
    expect(read_).toEqual(warnings);
    expect(schema.tables[0]?.name).toBe('t');
  });

  test.each([
    ['DO $$\nBEGIN\n  CREATE TABLE x (a int,);\nEND $$;', 8],
    ["DO $$ BEGIN\nIF 1 = 1 THEN\nRAISE EXCEPTION 'no';\nEND IF; END $$;", 8],
    [
      'DO $$ BEGIN\nCREATE TABLE x (a int);\nCREATE TABLE t (a int);\nEXCEPTION WHEN duplicate_table THEN NULL;\nEND $$;',
      8,
    ],
    ['DO $$ BEGIN\nINSERT INTO t VALUES (1); END $$;', 7],
  ])('has errors at their lines: %s', async (script, line) => {
    const { problems } = await read('postgres', base + script);
    expect(problems).toMatchObject([{ line }]);
  });
});
