/**
 * Scripts that are safe to run twice: their existence checks, such as IF NOT EXISTS, see the objects that
 * the script has created so far.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom } from '../../databases/altered-ddl/expand.ts';
import { describeModel, nextStep } from './guarded/model.ts';
import { mariadbStep } from './guarded/mariadb.ts';
import { postgresStep } from './guarded/postgres.ts';
import { readDdl } from './read-ddl.ts';
import { sqlserverStep } from './guarded/sqlserver.ts';
import type { RandomBelow } from '../../databases/altered-ddl/expand.ts';
import type { DdlReadResult } from '../../../src/sql/ddl/ddl-reader.ts';
import type { ScriptModel, Step } from './guarded/model.ts';

const isLong = process.env['STUDIO_TEST_LONG'] !== undefined;
const maxSteps = 30;

interface ScriptWriter {
  readonly dialect: string;
  readonly separator: string;
  readonly stepToSql: (stepToSql: Step, randomBelow: RandomBelow) => string;
}

const scriptWriters: readonly ScriptWriter[] = [
  { dialect: 'sqlserver', separator: '\nGO\n', stepToSql: sqlserverStep },
  { dialect: 'postgres', separator: '\n', stepToSql: postgresStep },
  { dialect: 'mysql', separator: ';\n', stepToSql: mariadbStep },
];

/** A random script and what exists at its end. */
function scriptAndModel(
  { stepToSql: step, separator }: ScriptWriter,
  seed: number,
): { script: string; model: ScriptModel } {
  const randomBelow = seededRandom(seed);
  const model: ScriptModel = new Map([
    ['base', { columns: new Set(['id']), indexes: new Set(), checks: new Set() }],
  ]);
  const steps = Array.from({ length: 1 + randomBelow(maxSteps) }, () =>
    step(nextStep(model, randomBelow), randomBelow),
  );
  return {
    script: ['CREATE TABLE base (id int);', ...steps].map((each) => `${each}${separator}`).join(''),
    model,
  };
}

function describeSchema({ schema }: DdlReadResult): readonly string[] {
  return schema.tables
    .map(({ name, columns, indexes, checks }) =>
      [
        name,
        columns.map((column) => column.name).join(),
        indexes
          .map((index) => index.name)
          .toSorted()
          .join(),
        checks
          .flatMap((check) => check.name ?? [])
          .toSorted()
          .join(),
      ].join(' / '),
    )
    .toSorted();
}

test.each(scriptWriters.map((scriptWriter) => [scriptWriter.dialect, scriptWriter] as const))(
  'a random script of %s with existence checks gives the expected schema',
  async (dialect, scriptWriter) => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const { script, model } = scriptAndModel(scriptWriter, seed);
        const result = await readDdl(dialect, script);
        expect(result.problems, script).toEqual([]);
        expect(describeSchema(result), script).toEqual(describeModel(model));
        expect(
          result.warnings.filter((each) => /assumed|twice|only a server/.test(each)),
          script,
        ).toEqual([]);
      }),
      { numRuns: isLong ? 5000 : 200 },
    );
  },
);
