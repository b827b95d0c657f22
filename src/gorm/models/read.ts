/** Go sources read as GORM's AutoMigrate would be told of them. */
import { StudioError } from '../../model/errors.ts';
import { declaredType } from '../go/resolve-type.ts';
import { discoverModels } from './discover.ts';
import { knownPackages } from '../go/known-packages.ts';
import { migrationOrder } from './migration-order.ts';
import { startParsing } from './parse-model.ts';
import { problemAt, readProgram, sourceError } from '../go/program.ts';
import type { GormDialect } from '../gorm-dialect.ts';
import type { GormModel, ModelError } from './model.ts';
import type { ModelParsing, ModelWarning } from './model-state.ts';
import type { Program } from '../go/program.ts';
import type { SourceFile, TypeDeclaration } from '../go/syntax.ts';

export interface GoModels {
  /** The packages that the files are of. */
  readonly packages: readonly string[];
  /** In source order, files by name. */
  readonly models: readonly GormModel[];
  /** Structs that are no models. */
  readonly ignored: readonly string[];
  readonly warnings: readonly ModelWarning[];
}

export interface ReadOptions {
  /** What GORM refuses is left out with a warning. */
  readonly skipRejected?: boolean;
}

/** The models of Go files; throws `parse_failed` for what is not Go, `import_failed` for what GORM refuses. */
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
  const found = program.packages.map(discoverModels);
  const doubtful = new Set(
    found.flatMap((one) => one.models.filter(({ name }) => one.doubtful.has(name))),
  );
  const left = new Map<TypeDeclaration, ModelError>();
  for (;;) {
    const chosen = found.flatMap((one) =>
      one.models.filter((declaration) => !left.has(declaration)),
    );
    const reading = parseAll(chosen, program);
    const refused = reading.parsed.filter(({ error }) => error !== undefined);
    const more = chosen.filter(
      (declaration) =>
        (skipRejected || doubtful.has(declaration)) &&
        refused.some((model) => isOf(model, declaration)),
    );
    if (more.length === 0) {
      if (refused.length > 0) throw refusalOf(refused);
      const ignored = found.flatMap((one) => one.ignored);
      return {
        packages: program.packages.map(({ name }) => name),
        models: reading.models,
        ignored: [...ignored, ...left.keys()].map(({ name }) => name),
        warnings: [...distinct(reading.warnings), ...[...left].map(leftOut)],
      };
    }
    for (const one of more) left.set(one, refused.find((model) => isOf(model, one))!.error!);
  }
}

interface Reading {
  readonly models: readonly GormModel[];
  /** Those that their relations lead to as well. */
  readonly parsed: readonly GormModel[];
  readonly warnings: readonly ModelWarning[];
}

/** From scratch: models change each other's fields. */
function parseAll(declarations: readonly TypeDeclaration[], program: Program): Reading {
  const warnings: ModelWarning[] = [];
  const parsing = startParsing(program, (warning) => warnings.push(warning));
  const models = declarations.map((declaration) => modelOf(declaration, program, parsing));
  return { models, parsed: [...parsing.models.values()], warnings };
}

function modelOf(declaration: TypeDeclaration, program: Program, parsing: ModelParsing): GormModel {
  const scope = { program, file: declaration.file, bindings: new Map() };
  return parsing.parseModel(declaredType(declaration, program), scope);
}

function isOf({ type }: GormModel, declaration: TypeDeclaration): boolean {
  return type.form === 'named' && type.declaration === declaration;
}

function refusalOf(models: readonly GormModel[]): StudioError {
  const problems = models.flatMap(({ struct, error }) =>
    error === undefined
      ? []
      : [
          problemAt(error.file, error.at, {
            code: 'import_failed',
            message: `${struct}: ${error.message}`,
          }),
        ],
  );
  return sourceError('import_failed', problems);
}

function leftOut([{ name }, { message }]: readonly [TypeDeclaration, ModelError]): ModelWarning {
  return { struct: name, message: `GORM refuses it, so it was left out: ${message}` };
}

function distinct(warnings: readonly ModelWarning[]): readonly ModelWarning[] {
  return [
    ...new Map(
      warnings.map((warning) => [`${warning.struct}\0${warning.message}`, warning]),
    ).values(),
  ];
}

/** The models whose tables AutoMigrate makes, in its order: join tables and targets of relations too. */
export function tablesInOrder({ models }: GoModels, dialect: GormDialect): readonly GormModel[] {
  return migrationOrder(models, dialect.longestName);
}
