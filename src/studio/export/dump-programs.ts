/** The triggers and routines of a dump, as statements between those of its tables and rows. */
import { neededAs, programKey } from '../../model/stored-program.ts';
import { noProgramStatements } from '../../sql/create-schema.ts';
import { exportedRelationOf, unreadWarning } from './left-out-objects.ts';
import type { Database } from '../../model/database.ts';
import type { ProgramStage, StoredProgram } from '../../model/stored-program.ts';
import type { ProgramStatements } from '../../sql/create-schema.ts';
import type { ExportedTables } from './left-out-objects.ts';

export interface DumpPrograms {
  readonly statements: ProgramStatements;
  /** After the rows, so that triggers do not run for them. */
  readonly afterRows: readonly string[];
  /** Of the written programs, by `programKey`. */
  readonly keys: ReadonlySet<string>;
  readonly warnings: readonly string[];
}

export const noPrograms: DumpPrograms = {
  statements: noProgramStatements,
  afterRows: [],
  keys: new Set(),
  warnings: [],
};

/** If the database cannot list its programs, the result is a warning: the export itself must not fail. */
export async function findDumpPrograms(
  database: Pick<Database, 'storedPrograms' | 'dialect'>,
  exported: ExportedTables,
): Promise<DumpPrograms> {
  try {
    return statementsOf(selectPrograms(await database.storedPrograms(), exported));
  } catch (error) {
    return {
      ...noPrograms,
      warnings: [unreadWarning('The triggers and routines', error, database)],
    };
  }
}

function statementsOf(programs: readonly StoredProgram[]): DumpPrograms {
  const ofStage = (stage: ProgramStage): readonly string[] => {
    const selected = programs.filter((program) => program.stage === stage);
    const session = new Set(selected.flatMap((program) => program.session));
    return [...session, ...selected.flatMap(({ script }) => script)];
  };
  return {
    statements: {
      functions: new Set(programs.flatMap((program) => neededAs(program) ?? [])),
      namespaces: programs.flatMap(({ namespace }) => namespace ?? []),
      beforeTables: ofStage('before tables'),
      beforeViews: ofStage('before views'),
    },
    afterRows: ofStage('after rows'),
    keys: new Set(programs.map(programKey)),
    warnings: [],
  };
}

/** Programs of the exported tables and views. A part of the tables has only those routines that its triggers need. */
function selectPrograms(
  programs: readonly StoredProgram[],
  { schema, isPart }: ExportedTables,
): readonly StoredProgram[] {
  const byKey = new Map(programs.map((program) => [programKey(program), program]));
  const selected = new Set<StoredProgram>();
  const select = (program: StoredProgram): void => {
    if (selected.has(program)) return;
    selected.add(program);
    for (const key of program.needs) {
      const needed = byKey.get(key);
      if (needed !== undefined) select(needed);
    }
  };
  for (const program of programs) {
    const isExported =
      program.table === undefined ? !isPart : exportedRelationOf(program, schema) !== undefined;
    if (isExported) select(program);
  }
  return programs.filter((program) => selected.has(program));
}
