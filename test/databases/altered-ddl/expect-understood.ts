import * as fc from 'fast-check';
import { expect } from 'vitest';
import { createSchema } from '../../../src/sql/create-schema.ts';
import { readDdl } from '../../sql/ddl/read-ddl.ts';
import { databaseKinds } from '../registered-databases.ts';
import {
  clauseWords,
  isReadAlike,
  resultText,
  unknownWord,
  warningsOf,
  withMistake,
  withUnknownWord,
} from './alterations.ts';
import type { DdlReadResult } from '../../../src/sql/ddl/ddl-reader.ts';
import type { Alteration } from './alterations.ts';
import type { DdlTemplates } from './expand.ts';
import type { ReferenceDatabase } from './reference-databases.ts';

const seeds = fc.integer();

/** Random tables may have two primary keys, of which a mistake may remove one. */
const isSecondKey = /has two primary keys/;

/** A word that no dialect knows is an error with a line, a part of the schema, or named in a warning. */
export async function expectUnknownWordSeen(
  templates: DdlTemplates,
  numRuns: number,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(seeds, async (seed) => {
      const { altered, before } = withUnknownWord(templates, seed);
      const result = await readDdl(templates.dialect, altered);
      for (const { line } of result.problems) expect(line).toBeGreaterThan(0);
      // Partitions are left out as a whole, so a warning does not name their expression.
      const isLeftOut = /\bPARTITION BY [^;]*$/.test(before);
      if (result.problems.length > 0 || isLeftOut) return;
      expect(resultText(result).toLowerCase(), altered).toContain(unknownWord);
    }),
    { numRuns },
  );
}

/**
 * What the database reads in two ways, the reader reads in two ways, and what the database rejects for
 * its syntax is an error of the import or named in a warning.
 */
export async function expectMistakesSeen(
  templates: DdlTemplates,
  reference: ReferenceDatabase,
  numRuns: number,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(seeds, async (seed) => {
      const alteration = withMistake(templates, seed);
      // MariaDB also reports columns that it cannot partition by as errors of syntax.
      if (alteration.original.includes('PARTITION BY')) return;
      const altered = await readDdl(templates.dialect, alteration.altered);
      if (altered.problems.length > 0) return;
      const original = await readDdl(templates.dialect, alteration.original);
      const problems = original.problems.filter(({ message }) => !isSecondKey.test(message));
      expect(problems, alteration.original).toEqual([]);
      if (original.problems.length > 0) return;
      await explainDifference(alteration, {
        reference,
        dialect: templates.dialect,
        original,
        altered,
      });
    }),
    { numRuns },
  );
}

interface MistakeResults {
  readonly reference: ReferenceDatabase;
  readonly dialect: string;
  readonly original: DdlReadResult;
  readonly altered: DdlReadResult;
}

async function explainDifference(alteration: Alteration, results: MistakeResults): Promise<void> {
  const { reference, dialect, original, altered } = results;
  // Clients skip empty statements, servers reject them.
  const result = await reference.run(alteration.altered.replaceAll(/;\s*(?=;)/g, ''));
  if (result.kind === 'syntax error') {
    const originalWarnings = warningsOf(original);
    const isNamed = warningsOf(altered).some((warning) => !originalWarnings.includes(warning));
    if (isNamed || hasReservedName(altered)) return;
    // The database itself rejects an expression when the import creates it.
    const created = await reference.run(createdBy(altered, dialect));
    expect(created.kind, alteration.altered).not.toBe('accepted');
  } else if (result.kind === 'accepted' && isReadAlike(original, altered)) {
    const { kind, catalog } = await reference.run(alteration.original);
    if (kind === 'accepted') expect(result.catalog, alteration.altered).toEqual(catalog);
  }
}

/** An unquoted keyword as a name: the reader takes it as a name, which is then quoted. */
function hasReservedName({ schema }: DdlReadResult): boolean {
  const names = new Set(clauseWords.map((word) => JSON.stringify(word)));
  const texts = JSON.stringify(schema).match(/"(?:[^"\\]|\\.)*"/g) ?? [];
  return texts.some((text) => names.has(text));
}

function createdBy({ schema }: DdlReadResult, dialect: string): string {
  const kind = databaseKinds.find((candidate) => candidate.dialect.name === dialect)!;
  const { statements } = createSchema(schema, kind.dialect.ddl, { native: true });
  return statements.map((statement) => `${statement};\n`).join('');
}
