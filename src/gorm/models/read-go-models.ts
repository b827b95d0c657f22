/** Reads Go sources into the models that a program would pass to GORM's AutoMigrate. */
import { StudioError } from '../../model/errors.ts';
import { declaredType } from '../go/resolve-type.ts';
import { discoverModels } from './discover-models.ts';
import { knownPackages } from '../go/known-packages.ts';
import { migrationOrder } from './migration-order.ts';
import { startParsing } from './parse-model.ts';
import { problemAt, readProgram, sourceError } from '../go/program.ts';
import type { GormDialect } from '../gorm-dialect.ts';
import type { GormModel, ModelError } from './gorm-model.ts';
import type { ParseContext, ModelWarning } from './build-model.ts';
import type { Program } from '../go/program.ts';
import type { SourceFile, TypeDeclaration } from '../go/syntax.ts';

export interface GoModels {
  /** The packages of the files. */
  readonly packages: readonly string[];
  /** In source order, files by name. */
  readonly models: readonly GormModel[];
  /** Structs that are not models. */
  readonly ignored: readonly string[];
  readonly warnings: readonly ModelWarning[];
}

export interface ReadOptions {
  /** Leaves out models that GORM rejects, with a warning. */
  readonly skipRejected?: boolean;
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
  { skipRejected = false }: ReadOptions,
): GoModels {
  const program = readProgram(sources, knownPackages);
  const discovered = program.packages.map(discoverModels);
  const uncertain = new Set(
    discovered.flatMap((one) => one.models.filter(({ name }) => one.uncertain.has(name))),
  );
  const excluded = new Map<TypeDeclaration, ModelError>();
  for (;;) {
    const candidates = discovered.flatMap((one) =>
      one.models.filter((declaration) => !excluded.has(declaration)),
    );
    const result = parseAll(candidates, program);
    const rejected = result.reached.filter(({ error }) => error !== undefined);
    const rejectedCandidates = candidates.filter(
      (declaration) =>
        (skipRejected || uncertain.has(declaration)) &&
        rejected.some((model) => isOf(model, declaration)),
    );
    if (rejectedCandidates.length === 0) {
      if (rejected.length > 0) throw modelErrors(rejected);
      const ignored = discovered.flatMap((one) => one.ignored);
      return {
        packages: program.packages.map(({ name }) => name),
        models: result.models,
        ignored: [...ignored, ...excluded.keys()].map(({ name }) => name),
        warnings: [...distinct(result.warnings), ...[...excluded].map(exclusionWarning)],
      };
    }
    for (const one of rejectedCandidates)
      excluded.set(one, rejected.find((model) => isOf(model, one))!.error!);
  }
}

interface ParsedModels {
  readonly models: readonly GormModel[];
  /** Includes the models that their relations lead to. */
  readonly reached: readonly GormModel[];
  readonly warnings: readonly ModelWarning[];
}

/** Parses from scratch, because models change each other's fields. */
function parseAll(declarations: readonly TypeDeclaration[], program: Program): ParsedModels {
  const warnings: ModelWarning[] = [];
  const parsing = startParsing(program, (warning) => warnings.push(warning));
  const models = declarations.map((declaration) => modelOf(declaration, program, parsing));
  return { models, reached: [...parsing.models.values()], warnings };
}

function modelOf(declaration: TypeDeclaration, program: Program, parsing: ParseContext): GormModel {
  const scope = { program, file: declaration.file, bindings: new Map() };
  return parsing.parseModel(declaredType(declaration, program), scope);
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
