/**
 * Finds the structs of a program that are models: those that the program passes to AutoMigrate, if that can be
 * determined. Otherwise those with a TableName method, gorm.Model, a gorm tag or an ID, and the targets of their relations.
 */
import { findUsage } from './find-usage.ts';
import { isExported } from '../go/program/types.ts';
import { structsOf } from './struct-declarations.ts';
import { tagPairs } from './tags.ts';
import type { ModelUsage, SetupCall } from './find-usage.ts';
import type { Program } from '../go/program/program.ts';
import type { Structs } from './struct-declarations.ts';
import type { TypeDeclaration } from '../go/syntax/syntax.ts';

/** The structs of a program. Models are in the order of AutoMigrate if that is known, all others in source order. */
export interface DiscoveredModels {
  readonly models: readonly TypeDeclaration[];
  /**
   * Models that are left out if GORM rejects them: they do not use GORM, while other structs do, and the program
   * does not pass them to AutoMigrate.
   */
  readonly uncertain: ReadonlySet<TypeDeclaration>;
  readonly ignored: readonly TypeDeclaration[];
  /** Why it is uncertain whether a struct is a model: for models with little evidence, and for other structs with some. */
  readonly doubts: ReadonlyMap<TypeDeclaration, string>;
  /** The models, and the structs that could be models. */
  readonly candidates: ReadonlySet<TypeDeclaration>;
  readonly setupCalls: readonly SetupCall[];
}

/** `selected` are the models that the user has chosen. */
export function discoverModels(
  program: Program,
  selected?: ReadonlySet<TypeDeclaration>,
): DiscoveredModels {
  const structs = structsOf(program);
  const usage = findUsage(program);
  const choice = chooseModels(structs, usage);
  const models = selected ?? choice.models;
  const usingGorm = new Set([...models].filter((declaration) => structs.mentionsGorm(declaration)));
  const isDoubtful = selected === undefined && usingGorm.size > 0;
  return {
    uncertain: new Set(
      isDoubtful
        ? [...models].filter((one) => !usingGorm.has(one) && !usage.migrated.has(one))
        : [],
    ),
    models:
      choice.isOrdered && selected === undefined
        ? [...models]
        : structs.all.filter((declaration) => models.has(declaration)),
    ignored: structs.all.filter((declaration) => !models.has(declaration)),
    doubts: choice.doubts,
    candidates: new Set([...models, ...choice.models, ...choice.doubts.keys()]),
    setupCalls: usage.setupCalls,
  };
}

interface ModelChoice {
  /** The models are in the order in which the program passes them to AutoMigrate. */
  readonly isOrdered?: true;
  readonly models: ReadonlySet<TypeDeclaration>;
  /** By struct: a clause such as `it has an ID, but no gorm tag`. */
  readonly doubts: ReadonlyMap<TypeDeclaration, string>;
}

function chooseModels(structs: Structs, usage: ModelUsage): ModelChoice {
  const migrated = [...usage.migrated];
  const choice = chooseByEvidence(structs, usage);
  if (migrated.length === 0 || !usage.isComplete)
    return { ...choice, models: new Set([...migrated, ...choice.models]) };
  const doubts = [...choice.models]
    .filter((declaration) => !usage.migrated.has(declaration))
    .map((declaration) => [declaration, 'the program does not pass it to AutoMigrate'] as const);
  return {
    models: usage.migrated,
    isOrdered: true,
    doubts: new Map([...choice.doubts, ...doubts]),
  };
}

/** Chooses models by the structs themselves and their use. */
function chooseByEvidence(structs: Structs, usage: ModelUsage): ModelChoice {
  const context: ChoiceContext = { structs, usage, hasUsage: usage.migrated.size > 0 };
  const evident = structs.all.filter((declaration) => isEvident(declaration, context));
  const doubts = new Map<TypeDeclaration, string>();
  const models = new Set(evident);
  addRelationTargets(models, structs);
  const queryResults = new Map(
    [...models].flatMap((declaration) => {
      const embedded = embeddedModel(declaration, models, context);
      return embedded === undefined ? [] : [[declaration, embedded] as const];
    }),
  );
  for (const [declaration, embedded] of queryResults) {
    models.delete(declaration);
    doubts.set(declaration, `it embeds the model ${embedded.name} and has no table of its own`);
  }
  const hasModels = [...models].some((declaration) => structs.mentionsGorm(declaration));
  for (const declaration of structs.all) {
    if (
      models.has(declaration) ||
      queryResults.has(declaration) ||
      !hasIdOnly(declaration, { ...context, hasModels })
    )
      continue;
    if (embeddedModel(declaration, models, context) !== undefined) continue;
    if (context.hasUsage) {
      if (usage.isComplete) continue;
      doubts.set(declaration, 'it has an ID, but the program shows no use of its table');
      continue;
    }
    const isRelated = structs.relationTargetsOf(declaration).some((target) => models.has(target));
    if (hasModels && !isRelated)
      doubts.set(declaration, 'it has an ID, but no gorm tag, unlike other structs');
    if (!hasModels || structs.hasIntegerId(declaration)) models.add(declaration);
  }
  addRelationTargets(models, structs);
  for (const declaration of relationTargetsAmong(models, structs)) doubts.delete(declaration);
  return { models, doubts };
}

interface ChoiceContext {
  readonly structs: Structs;
  readonly usage: ModelUsage;
  /** The program passes structs to AutoMigrate. */
  readonly hasUsage: boolean;
}

/** Whether the struct has a TableName, gorm.Model, a gorm tag, or an ID and queries of its table. */
function isEvident(declaration: TypeDeclaration, { structs, usage }: ChoiceContext): boolean {
  if (!structs.canBeModel(declaration)) return false;
  if (usage.migrated.has(declaration) || structs.hasTableName(declaration)) return true;
  if (usage.usedTypes.has(declaration))
    return structs.looksLikeModel(declaration, { idCounts: true });
  return (
    !structs.isEmbedded(declaration) && structs.looksLikeModel(declaration, { idCounts: false })
  );
}

/** The model that a struct for results of a query embeds. Such a struct has no table of its own. */
function embeddedModel(
  declaration: TypeDeclaration,
  models: ReadonlySet<TypeDeclaration>,
  { structs, usage }: ChoiceContext,
): TypeDeclaration | undefined {
  const hasOwnTable =
    usage.migrated.has(declaration) ||
    usage.usedTypes.has(declaration) ||
    structs.hasTableName(declaration) ||
    structs.hasTaggedColumn(declaration);
  if (hasOwnTable) return undefined;
  return structs
    .embeddedBy(declaration)
    .find((base) => models.has(base) && isCertainModel(base, { structs, usage }));
}

/** Whether a struct that others embed is a model itself, and not only their base. */
function isCertainModel(
  declaration: TypeDeclaration,
  { structs, usage }: Pick<ChoiceContext, 'structs' | 'usage'>,
): boolean {
  if (usage.migrated.has(declaration) || usage.usedTypes.has(declaration)) return true;
  if (structs.isRelationTarget(declaration)) return true;
  return (
    structs.hasTableName(declaration) && structs.looksLikeModel(declaration, { idCounts: false })
  );
}

const transferObjectName =
  /(?:Request|Response|Req|Resp|Res|DTO|Input|Output|Params|Query|Filter|Form|Payload|Options|Config|View|Args)$/;
const transferTagKeys = ['json', 'form', 'query', 'uri', 'xml', 'binding'];

/** Whether an ID is the only evidence of a model. Transfer objects have one too: their names or tags show what they are. */
function hasIdOnly(
  declaration: TypeDeclaration,
  { structs, hasModels }: ChoiceContext & { readonly hasModels: boolean },
): boolean {
  if (!structs.canBeModel(declaration) || structs.isEmbedded(declaration)) return false;
  if (transferObjectName.test(declaration.name)) return false;
  const isTransferred = structs
    .fieldsOf(declaration)
    .some(({ tag }) => transferTagKeys.some((key) => tagPairs(tag).has(key)));
  return (!hasModels || !isTransferred) && structs.looksLikeModel(declaration, { idCounts: true });
}

function addRelationTargets(models: Set<TypeDeclaration>, structs: Structs): void {
  const queue = [...models];
  for (let declaration = queue.pop(); declaration !== undefined; declaration = queue.pop()) {
    for (const target of structs.relationTargetsOf(declaration)) {
      if (models.has(target) || !isExported(target.name) || !structs.canBeModel(target)) continue;
      models.add(target);
      queue.push(target);
    }
  }
}

function relationTargetsAmong(
  models: ReadonlySet<TypeDeclaration>,
  structs: Structs,
): readonly TypeDeclaration[] {
  return [...models].flatMap((declaration) => structs.relationTargetsOf(declaration));
}
