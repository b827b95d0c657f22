/** Decides which triggers and routines of a dump an import creates. */
import { loadLanguage } from '../../../databases/index.ts';
import { StudioError } from '../../../model/errors.ts';
import { classify } from '../../../sql/classify.ts';
import { shapeProblems } from '../../../sql/statement-shape.ts';
import type { Database } from '../../../model/database.ts';
import type { ScriptProgram } from '../../../model/stored-program.ts';
import type { Language, StatementKind } from '../../../sql/classify.ts';
import type { UploadedSchema } from './read-schema-upload.ts';

export interface SelectedPrograms {
  readonly programs: readonly ScriptProgram[];
  /** One sentence for each program that is left out. */
  readonly warnings: readonly string[];
}

/** Rejects programs that reach outside of the database. Those whose effects are unknown are left out. */
export async function selectPrograms(
  { programs, dialect }: Pick<UploadedSchema, 'programs' | 'dialect'>,
  database: Database<'ddl'>,
  routines: 'create' | 'skip',
): Promise<SelectedPrograms> {
  const isCreated = ({ isStructure }: ScriptProgram): boolean =>
    dialect === database.dialect.name && (routines === 'create' || isStructure === true);
  const language = await loadLanguage(database.dialect);
  const selected: ScriptProgram[] = [];
  const warnings = programs.filter((each) => !isCreated(each)).map((each) => leftOut(each));
  const omitted = new Set<string>();
  for (const program of programs.filter(isCreated)) {
    const omittedNeed = program.needs.find((key) => omitted.has(key));
    const reason =
      omittedNeed === undefined ? await unknownEffect(program, database, language) : needIsLeftOut;
    if (reason === undefined) selected.push(program);
    else {
      omitted.add(program.key);
      warnings.push(leftOut(program, reason));
    }
  }
  // Where every DDL statement commits, a failed import drops what it has created, which must not be something else.
  if (database.dialect.ddl.ddlUndo !== undefined) await rejectExisting(selected, database);
  return { programs: selected, warnings };
}

/** `the trigger film_ins (line 12)` */
export function describeProgram({ kind, name, line }: ScriptProgram): string {
  return `the ${kind} ${name} (line ${line})`;
}

const needIsLeftOut = 'a routine or trigger that it needs is left out';

/** Leaves out one that the database rejects, and those that need it. */
export function withoutProgram(
  programs: readonly ScriptProgram[],
  rejected: ScriptProgram,
  reason: string,
): SelectedPrograms {
  const others = programs.filter((program) => program !== rejected);
  if (others.length === programs.length) return { programs, warnings: [] };
  const isDefined = others.some(({ key }) => key === rejected.key);
  const omitted = new Set(isDefined ? [] : [rejected.key]);
  const warnings = [leftOut(rejected, reason)];
  const selected = others.filter((program) => {
    if (!program.needs.some((need) => omitted.has(need))) return true;
    omitted.add(program.key);
    warnings.push(leftOut(program, needIsLeftOut));
    return false;
  });
  return { programs: selected, warnings };
}

function leftOut({ kind, name, line }: ScriptProgram, reason?: string): string {
  return `Line ${line}: the ${kind} ${name} is left out${reason === undefined ? '' : `: ${reason.replace(/\.$/, '')}`}.`;
}

/** Kinds of effects for which a program is left out. The text does not show what it would do, or it would do more than change its database. */
const unknownKinds: ReadonlySet<StatementKind> = new Set([
  'unknown',
  'execute',
  'administration',
  'session',
  'transaction',
]);

/** Why a program is left out. Fails for a program that accesses files, programs or the network. */
async function unknownEffect(
  program: ScriptProgram,
  database: Database<'ddl'>,
  language: Language,
): Promise<string | undefined> {
  const { text } = program;
  const { effects, statements } = classify(text, language);
  const found = [...effects, ...(await database.effectsOf(text, { isProgram: true }))];
  const external = [
    ...found.filter(({ kind }) => kind === 'external').map(({ reason }) => reason),
    ...(statements > 1 ? ['It contains several statements'] : []),
    ...shapeProblems(text, language.lexical),
  ];
  if (external.length > 0) throw rejection(program, [...new Set(external)]);
  return found.find(({ kind }) => unknownKinds.has(kind))?.reason;
}

function rejection(program: ScriptProgram, reasons: readonly string[]): StudioError {
  const message = `Imports do not create ${describeProgram(program)}: ${reasons.join('; ')}. ${skipHint}`;
  const { line, text } = program;
  return new StudioError('import_failed', message, {
    errors: [{ code: 'statement_refused', message, line }],
    statement: text,
  });
}

export const skipHint = 'Import without triggers and routines with routines=skip.';

/** Fails if the database has a trigger or routine of the same name. */
export async function rejectExisting(
  programs: readonly ScriptProgram[],
  database: Database<'ddl'>,
): Promise<void> {
  if (programs.length === 0) return;
  const nameOf = (kind: string, name: string): string => `${kind} ${name}`.toLowerCase();
  const objects = await database.otherObjects();
  // Names of routines end with their arguments where they can be overloaded.
  const existing = new Set(
    objects.flatMap(({ kind, name }) => [
      nameOf(kind, name),
      nameOf(kind, name.replace(/\(.*\)$/s, '')),
    ]),
  );
  const found = programs.find(({ kind, name }) => existing.has(nameOf(kind, name)));
  if (found === undefined) return;
  const { kind, name, line } = found;
  const message = `The database already has the ${kind} ${name}, which the file creates in line ${line}. ${skipHint}`;
  throw new StudioError('import_failed', message, {
    errors: [{ code: 'import_failed', message, line }],
  });
}
