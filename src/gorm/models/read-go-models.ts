/** Reads Go sources into the models that a program would pass to GORM's AutoMigrate. */
import { StudioError } from '../../model/errors.ts';
import { discoverModels } from './discover-models.ts';
import { labelStructs, selectStructs } from './label-structs.ts';
import { knownPackages } from '../go/program/known-packages.ts';
import { reportJoinsWithoutKeys } from './join-table.ts';
import { migrationOrder } from './migration-order.ts';
import { modelOf, startParsing } from './parse-model.ts';
import { ownRelations } from './parse-relation.ts';
import { setUpJoinTables } from './setup-join-table.ts';
import { typeText } from '../go/program/types.ts';
import { createNaming } from '../go/program/naming.ts';
import { warnSetup } from './setup-warnings.ts';
import { problemAt, readProgram, sourceError } from '../go/program/program.ts';
import type { DiscoveredModels } from './discover-models.ts';
import type { GormDialect } from '../gorm-dialect.ts';
import type { GormModel, ModelError } from './gorm-model.ts';
import type { ModelWarning } from './build-model.ts';
import type { SetupCall } from './find-usage.ts';
import type { NamingOptions } from '../go/program/naming.ts';
import type { Program } from '../go/program/program.ts';
import type { SourceFile, TypeDeclaration } from '../go/syntax/syntax.ts';

export interface GoModels {
  /** The packages of the files. */
  readonly packages: readonly string[];
  /** In source order, files by name. */
  readonly models: readonly GormModel[];
  /** Structs that are not models. */
  readonly ignored: readonly string[];
  /** All structs that are models or could be models, in source order. */
  readonly structs: readonly StructFinding[];
  readonly warnings: readonly ModelWarning[];
  /** Sentences about what the program sets beside its models, and the import does not apply. */
  readonly setupWarnings: readonly string[];
  /** Names of files that the go command would not build. */
  readonly unbuilt: readonly string[];
}

/** Whether a struct was taken for a model. */
export interface StructFinding {
  /** Its name; with its package or folder before the dot if several structs have that name. */
  readonly struct: string;
  readonly imported: boolean;
  /** Present if the sources do not clearly show it. */
  readonly doubt?: string;
}

export interface ReadOptions {
  /** Leaves out models that GORM rejects, with a warning. */
  readonly skipRejected?: boolean;
  /** The names of the models. By default, the sources determine them. */
  readonly structs?: readonly string[] | undefined;
  readonly naming?: NamingOptions;
  /** The import creates no foreign keys. */
  readonly skipForeignKeys?: boolean;
}

/**
 * Reads the models of Go files. Throws `parse_failed` for invalid Go code, and `import_failed` for
 * models that GORM rejects.
 */
export function readGoModels(sources: readonly SourceFile[], options: ReadOptions = {}): GoModels {
  try {
    return readModels(sources, options);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new StudioError(
      'parse_failed',
      'The types or expressions are nested too deeply to be read.',
    );
  }
}

function readModels(
  sources: readonly SourceFile[],
  { skipRejected = false, structs, naming = {}, skipForeignKeys = false }: ReadOptions,
): GoModels {
  const program = readProgram(sources, knownPackages, createNaming(naming));
  const labels = labelStructs(program);
  const discovered = discoverModels(program, selectStructs(structs, labels));
  const applied = { naming, skipForeignKeys, hasSelection: structs !== undefined };
  const setupWarnings = warnSetup(discovered.setupCalls, program, applied);
  const excluded = new Map<TypeDeclaration, ModelError>();
  for (;;) {
    const candidates = discovered.models.filter((declaration) => !excluded.has(declaration));
    const result = parseAll(candidates, discovered.setupCalls, program);
    const rejected = result.reached.filter(({ error }) => error !== undefined);
    const rejectedCandidates = candidates.filter(
      (declaration) =>
        (skipRejected || discovered.uncertain.has(declaration)) &&
        rejected.some((model) => isOf(model, declaration)),
    );
    if (rejectedCandidates.length === 0) {
      if (rejected.length > 0) throw modelErrors(rejected);
      const findings = findingsOf({ discovered, excluded, labels, models: result.models });
      return {
        packages: program.packages.map(({ name }) => name),
        models: result.models,
        ignored: [...discovered.ignored, ...excluded.keys()].map(({ name }) => name),
        structs: findings,
        unbuilt: program.unbuilt,
        setupWarnings: [...setupWarnings, ...result.joinTableWarnings],
        warnings: [
          ...(structs === undefined ? findings.flatMap(doubtWarning) : []),
          ...sharedTables(result.models),
          ...sharedJoinTables(result.models),
          ...distinct(result.warnings),
          ...[...excluded].map(exclusionWarning),
        ],
      };
    }
    for (const one of rejectedCandidates)
      excluded.set(one, rejected.find((model) => isOf(model, one))!.error!);
  }
}

interface Result {
  readonly discovered: DiscoveredModels;
  readonly excluded: ReadonlyMap<TypeDeclaration, ModelError>;
  readonly labels: ReadonlyMap<TypeDeclaration, string>;
  readonly models: readonly GormModel[];
}

function findingsOf({ discovered, excluded, labels, models }: Result): readonly StructFinding[] {
  // AutoMigrate also migrates what models depend on.
  const reached = new Set(
    migrationOrder(models, Infinity).map(({ type }) =>
      type.form === 'named' ? type.declaration : undefined,
    ),
  );
  const selected = new Set(discovered.models);
  return [...labels]
    .filter(([one]) => discovered.candidates.has(one))
    .map(([one, struct]) => {
      const imported = !excluded.has(one) && reached.has(one);
      const isSettled = excluded.has(one) || (imported && !selected.has(one));
      const doubt = isSettled ? undefined : discovered.doubts.get(one);
      return { struct, imported, ...(doubt === undefined ? {} : { doubt }) };
    });
}

function doubtWarning({ struct, imported, doubt }: StructFinding): readonly ModelWarning[] {
  if (doubt === undefined) return [];
  const message = imported
    ? `It was taken for a model, although ${doubt}.`
    : `It was left out, because ${doubt}.`;
  return [{ struct, message }];
}

/** AutoMigrate creates one table for several models of the same name. */
function sharedTables(models: readonly GormModel[]): readonly ModelWarning[] {
  return [...Map.groupBy(models, ({ table }) => table)].flatMap(([table, ofTable]) => {
    const last = ofTable.at(-1)!;
    if (ofTable.length === 1) return [];
    const overriddenModels = ofTable.slice(0, -1).map(({ type }) => typeText(type));
    const message = `Its table "${table}" is also that of ${overriddenModels.join(', ')}; AutoMigrate creates it for ${typeText(last.type)}.`;
    return [{ struct: last.struct, message }];
  });
}

/**
 * AutoMigrate creates one join table for relations with the same name of it. If their columns differ, the order of a
 * Go map decides which.
 */
function sharedJoinTables(models: readonly GormModel[]): readonly ModelWarning[] {
  const joins = models.flatMap((model) =>
    ownRelations(model).flatMap(({ name, field, joinTable }) =>
      joinTable === undefined || field.ignored ? [] : [{ model, name, joinTable }],
    ),
  );
  return [...Map.groupBy(joins, ({ joinTable }) => joinTable.table)].flatMap(([table, ofTable]) => {
    const columns = new Set(
      ofTable.map(({ joinTable }) => joinTable.columns.toSorted().join('\n')),
    );
    if (columns.size === 1) return [];
    const relations = ofTable.map(({ model, name }) => `${model.struct}.${name}`).join(', ');
    const message = `The relations ${relations} have one join table "${table}", but not the same columns of it; GORM creates it for one of them, not always the same.`;
    return [{ struct: ofTable.at(-1)!.model.struct, message }];
  });
}

interface ParsedModels {
  readonly models: readonly GormModel[];
  /** Includes the models that their relations lead to. */
  readonly reached: readonly GormModel[];
  readonly warnings: readonly ModelWarning[];
  readonly joinTableWarnings: readonly string[];
}

/** Parses from scratch, because models change each other's fields. */
function parseAll(
  declarations: readonly TypeDeclaration[],
  setupCalls: readonly SetupCall[],
  program: Program,
): ParsedModels {
  const warnings: ModelWarning[] = [];
  const parsing = startParsing(program, (warning) => warnings.push(warning));
  const models = declarations.map((declaration) => modelOf(declaration, parsing));
  const joinTableWarnings = setUpJoinTables(setupCalls, parsing);
  models.forEach(reportJoinsWithoutKeys);
  return { models, reached: [...parsing.models.values()], warnings, joinTableWarnings };
}

function isOf({ type }: GormModel, declaration: TypeDeclaration): boolean {
  return type.form === 'named' && type.declaration === declaration;
}

function modelErrors(models: readonly GormModel[]): StudioError {
  const problems = models.flatMap(({ struct, error }) =>
    error === undefined
      ? []
      : [
          problemAt(error.file, error.offset, {
            code: 'import_failed',
            message: `${struct}: ${error.message}`,
          }),
        ],
  );
  return sourceError('import_failed', problems);
}

function exclusionWarning([{ name }, { message }]: readonly [
  TypeDeclaration,
  ModelError,
]): ModelWarning {
  return { struct: name, message: `GORM rejects it, so it was left out: ${message}` };
}

function distinct(warnings: readonly ModelWarning[]): readonly ModelWarning[] {
  return [
    ...new Map(
      warnings.map((warning) => [`${warning.struct}\0${warning.message}`, warning]),
    ).values(),
  ];
}

/** The models whose tables AutoMigrate creates, in its order, including join tables and targets of relations. */
export function modelsInMigrationOrder(
  { models }: GoModels,
  dialect: GormDialect,
): readonly GormModel[] {
  return migrationOrder(models, dialect.maxNameLength);
}
