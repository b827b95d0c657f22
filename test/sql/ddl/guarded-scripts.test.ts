/**
 * Scripts that are safe to run twice: their existence checks, such as IF NOT EXISTS, see the objects that
 * the script has created so far.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { picksOf } from '../../databases/altered-ddl/expand.ts';
import { describeModel, nextStep } from './guarded/model.ts';
import { mariadbStep } from './guarded/mariadb.ts';
import { postgresStep } from './guarded/postgres.ts';
import { readDdl } from './read-ddl.ts';
import { sqlserverStep } from './guarded/sqlserver.ts';
import type { Pick } from '../../databases/altered-ddl/expand.ts';
import type { DdlReadResult } from '../../../src/sql/ddl/ddl-reader.ts';
import type { Model, Step } from './guarded/model.ts';

const isLong = process.env['STUDIO_TEST_LONG'] !== undefined;
const maxSteps = 30;

interface Writer {
  readonly dialect: string;
  readonly separator: string;
  readonly step: (step: Step, pick: Pick) => string;
}

const writers: readonly Writer[] = [
  { dialect: 'sqlserver', separator: '\nGO\n', step: sqlserverStep },
  { dialect: 'postgres', separator: '\n', step: postgresStep },
  { dialect: 'mysql', separator: ';\n', step: mariadbStep },
];

/** A random script and what exists at its end. */
function scriptOf({ step, separator }: Writer, seed: number): { script: string; model: Model } {
  const pick = picksOf(seed);
  const model: Model = new Map([
    ['base', { columns: new Set(['id']), indexes: new Set(), checks: new Set() }],
  ]);
  const steps = Array.from({ length: 1 + pick(maxSteps) }, () => step(nextStep(model, pick), pick));
  return {
    script: ['CREATE TABLE base (id int);', ...steps].map((each) => `${each}${separator}`).join(''),
    model,
  };
}

function describeRead({ schema }: DdlReadResult): readonly string[] {
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

test.each(writers.map((writer) => [writer.dialect, writer] as const))(
  'a random script of %s with existence checks gives the expected schema',
  async (dialect, writer) => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const { script, model } = scriptOf(writer, seed);
        const result = await readDdl(dialect, script);
        expect(result.problems, script).toEqual([]);
        expect(describeRead(result), script).toEqual(describeModel(model));
        expect(
          result.warnings.filter((each) => /assumed|twice|only a server/.test(each)),
          script,
        ).toEqual([]);
      }),
      { numRuns: isLong ? 5000 : 200 },
    );
  },
);
