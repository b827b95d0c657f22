import { pickOne } from '../../../databases/altered-ddl/expand.ts';
import type { Pick } from '../../../databases/altered-ddl/expand.ts';
import type { Step, Target } from './model.ts';

function quoted(name: string): string {
  return `"${name}"`;
}

function change({ kind, table, name, creates }: Step): string {
  const on = quoted(table);
  if (kind === 'table')
    return creates ? `CREATE TABLE ${on} (id int NOT NULL)` : `DROP TABLE ${on}`;
  if (kind === 'index')
    return creates ? `CREATE INDEX ${quoted(name)} ON ${on} (id)` : `DROP INDEX ${quoted(name)}`;
  if (kind === 'column')
    return creates
      ? `ALTER TABLE ${on} ADD COLUMN ${quoted(name)} text`
      : `ALTER TABLE ${on} DROP COLUMN ${quoted(name)}`;
  return creates
    ? `ALTER TABLE ${on} ADD CONSTRAINT ${quoted(name)} CHECK (id > 0)`
    : `ALTER TABLE ${on} DROP CONSTRAINT ${quoted(name)}`;
}

const queries: Readonly<Record<Target['kind'], readonly string[]>> = {
  table: [
    "information_schema.tables WHERE table_schema = 'public' AND table_name = '{t}'",
    "pg_tables WHERE schemaname = current_schema() AND tablename = '{t}'",
    "pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'public' AND c.relname = '{t}' AND c.relkind = 'r'",
  ],
  column: [
    "information_schema.columns WHERE table_name = '{t}' AND column_name = '{n}'",
    "pg_attribute a JOIN pg_class c ON a.attrelid = c.oid WHERE c.relname = '{t}' AND a.attname = '{n}' AND NOT a.attisdropped",
  ],
  index: [
    "pg_indexes WHERE tablename = '{t}' AND indexname = '{n}'",
    "pg_catalog.pg_class WHERE relname = '{n}' AND relkind IN ('i', 'I')",
  ],
  check: [
    "pg_constraint WHERE conname = '{n}' AND contype = 'c'",
    "information_schema.table_constraints WHERE constraint_name = '{n}' AND table_name = '{t}'",
  ],
};

function condition(target: Target, holdsIfThere: boolean, pick: Pick): string {
  const query = pickOne(pick, queries[target.kind])
    .replaceAll('{t}', target.table)
    .replaceAll('{n}', target.name);
  return pickOne(
    pick,
    holdsIfThere
      ? [`EXISTS (SELECT 1 FROM ${query})`, `(SELECT count(*) FROM ${query}) > 0`]
      : [`NOT EXISTS (SELECT FROM ${query})`, `0 = (SELECT COUNT(*) FROM ${query})`],
  );
}

/** The step as a DO block. */
export function postgresStep(step: Step, pick: Pick): string {
  const { kind, table, creates } = step;
  const own = condition(step, !creates, pick);
  const tableThere = condition({ kind: 'table', table, name: table }, true, pick);
  const guard = kind === 'table' ? own : `${tableThere} AND ${own}`;
  const text = change(step);
  const run = pickOne(pick, [`${text};`, `EXECUTE '${text}';`, `BEGIN ${text}; END;`]);
  const tolerant =
    creates && kind !== 'index'
      ? [
          `IF ${kind === 'table' ? 'true' : tableThere} THEN BEGIN ${text}; EXCEPTION WHEN duplicate_object OR duplicate_table THEN NULL; WHEN duplicate_column THEN RAISE NOTICE 'there'; END; END IF;`,
        ]
      : [];
  const body = pickOne(pick, [
    `IF ${guard} THEN ${run} END IF;`,
    `IF NOT (${guard}) THEN RETURN; END IF; ${run}`,
    `IF NOT (${guard}) THEN NULL; ELSIF ${guard} THEN ${run} ELSE RAISE NOTICE 'nothing'; END IF;`,
    ...tolerant,
  ]);
  return `DO $do$\nBEGIN\n  ${body}\nEND\n$do$;`;
}
