import { pickOne } from '../../../databases/altered-ddl/expand.ts';
import type { RandomBelow } from '../../../databases/altered-ddl/expand.ts';
import type { Step, Target } from './model.ts';

function quoteName(name: string): string {
  return `"${name}"`;
}

function changeStatement({ kind, table, name, creates }: Step): string {
  const quotedTable = quoteName(table);
  if (kind === 'table')
    return creates ? `CREATE TABLE ${quotedTable} (id int NOT NULL)` : `DROP TABLE ${quotedTable}`;
  if (kind === 'index')
    return creates
      ? `CREATE INDEX ${quoteName(name)} ON ${quotedTable} (id)`
      : `DROP INDEX ${quoteName(name)}`;
  if (kind === 'column')
    return creates
      ? `ALTER TABLE ${quotedTable} ADD COLUMN ${quoteName(name)} text`
      : `ALTER TABLE ${quotedTable} DROP COLUMN ${quoteName(name)}`;
  return creates
    ? `ALTER TABLE ${quotedTable} ADD CONSTRAINT ${quoteName(name)} CHECK (id > 0)`
    : `ALTER TABLE ${quotedTable} DROP CONSTRAINT ${quoteName(name)}`;
}

const existenceQueries: Readonly<Record<Target['kind'], readonly string[]>> = {
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

function existenceCondition(target: Target, exists: boolean, randomBelow: RandomBelow): string {
  const query = pickOne(randomBelow, existenceQueries[target.kind])
    .replaceAll('{t}', target.table)
    .replaceAll('{n}', target.name);
  return pickOne(
    randomBelow,
    exists
      ? [`EXISTS (SELECT 1 FROM ${query})`, `(SELECT count(*) FROM ${query}) > 0`]
      : [`NOT EXISTS (SELECT FROM ${query})`, `0 = (SELECT COUNT(*) FROM ${query})`],
  );
}

/** The step as a DO block. */
export function postgresStep(step: Step, randomBelow: RandomBelow): string {
  const { kind, table, creates } = step;
  const targetCondition = existenceCondition(step, !creates, randomBelow);
  const tableCondition = existenceCondition(
    { kind: 'table', table, name: table },
    true,
    randomBelow,
  );
  const allConditions =
    kind === 'table' ? targetCondition : `${tableCondition} AND ${targetCondition}`;
  const changeText = changeStatement(step);
  const runChange = pickOne(randomBelow, [
    `${changeText};`,
    `EXECUTE '${changeText}';`,
    `BEGIN ${changeText}; END;`,
  ]);
  const ignoringDuplicates =
    creates && kind !== 'index'
      ? [
          `IF ${kind === 'table' ? 'true' : tableCondition} THEN BEGIN ${changeText}; EXCEPTION WHEN duplicate_object OR duplicate_table THEN NULL; WHEN duplicate_column THEN RAISE NOTICE 'there'; END; END IF;`,
        ]
      : [];
  const body = pickOne(randomBelow, [
    `IF ${allConditions} THEN ${runChange} END IF;`,
    `IF NOT (${allConditions}) THEN RETURN; END IF; ${runChange}`,
    `IF NOT (${allConditions}) THEN NULL; ELSIF ${allConditions} THEN ${runChange} ELSE RAISE NOTICE 'nothing'; END IF;`,
    ...ignoringDuplicates,
  ]);
  return `DO $do$\nBEGIN\n  ${body}\nEND\n$do$;`;
}
