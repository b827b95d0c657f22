/**
 * Finds the structs of a program that are models. What it passes to AutoMigrate decides, if that is known. Otherwise the structs
 * do: a TableName, gorm.Model, a gorm tag, an ID, or a relation of a model that leads to it.
 */
import { findUsage } from './find-usage.ts';
import { isExported } from '../go/types.ts';
import { structsOf } from './struct-declarations.ts';
import { tagPairs } from './tags.ts';
import type { ModelUsage } from './find-usage.ts';
import type { Program } from '../go/program.ts';
import type { Structs } from './struct-declarations.ts';
import type { TypeDeclaration } from '../go/syntax.ts';

/** The structs of a program. Models are in the order of AutoMigrate if that is known, all others in source order. */
export interface DiscoveredModels {
  readonly models: readonly TypeDeclaration[];
  /** Models that are left out if GORM rejects them: they use nothing of GORM, while other structs do. */
  readonly uncertain: ReadonlySet<TypeDeclaration>;
  readonly ignored: readonly TypeDeclaration[];
  /** Why the role of a struct is uncertain: of models with little evidence, and of structs that were left out in spite of some. */
  readonly doubts: ReadonlyMap<TypeDeclaration, string>;
  /** The models, and the structs that could be models. */
  readonly candidates: ReadonlySet<TypeDeclaration>;
}

/** `selected` are the models that the user has chosen. */
export function discoverModels(
  program: Program,
  selected?: ReadonlySet<TypeDeclaration>,
): DiscoveredModels {
  const structs = structsOf(program);
  const choice = choose(structs, findUsage(program));
  const models = selected ?? choice.models;
  const usingGorm = new Set([...models].filter((one) => structs.mentionsGorm(one)));
  const isDoubtful = selected === undefined && usingGorm.size > 0;
  return {
    uncertain: new Set(isDoubtful ? [...models].filter((one) => !usingGorm.has(one)) : []),
    models:
      choice.isOrdered && selected === undefined
        ? [...models]
        : structs.all.filter((one) => models.has(one)),
    ignored: structs.all.filter((one) => !models.has(one)),
    doubts: choice.doubts,
    candidates: new Set([...models, ...choice.models, ...choice.doubts.keys()]),
  };
}

interface Choice {
  /** The models are in the order in which the program passes them to AutoMigrate. */
  readonly isOrdered?: true;
  readonly models: ReadonlySet<TypeDeclaration>;
  /** By struct: a clause such as `it has an ID, but no gorm tag`. */
  readonly doubts: ReadonlyMap<TypeDeclaration, string>;
}

function choose(structs: Structs, usage: ModelUsage): Choice {
  const migrated = [...usage.migrated];
  const choice = chooseByEvidence(structs, usage);
  if (migrated.length === 0 || !usage.isComplete)
    return { ...choice, models: new Set([...migrated, ...choice.models]) };
  const doubts = [...choice.models]
    .filter((one) => !usage.migrated.has(one))
    .map((one) => [one, 'the program does not pass it to AutoMigrate'] as const);
  return {
    models: usage.migrated,
    isOrdered: true,
    doubts: new Map([...choice.doubts, ...doubts]),
  };
}

/** Chooses models by the structs themselves and their use. */
function chooseByEvidence(structs: Structs, usage: ModelUsage): Choice {
  const context: ChoiceContext = { structs, usage, hasUsage: usage.migrated.size > 0 };
  const evident = structs.all.filter((one) => isEvident(one, context));
  const doubts = new Map<TypeDeclaration, string>();
  const models = new Set(evident);
  addRelationTargets(models, structs);
  const queryResults = new Map(
    [...models].flatMap((one) => {
      const embedded = embeddedModel(one, models, context);
      return embedded === undefined ? [] : [[one, embedded] as const];
    }),
  );
  for (const [one, embedded] of queryResults) {
    models.delete(one);
    doubts.set(one, `it embeds the model ${embedded.name} and has no table of its own`);
  }
  const hasModels = [...models].some((one) => structs.mentionsGorm(one));
  for (const one of structs.all) {
    if (models.has(one) || queryResults.has(one) || !hasIdOnly(one, { ...context, hasModels }))
      continue;
    if (embeddedModel(one, models, context) !== undefined) continue;
    if (context.hasUsage) {
      if (usage.isComplete) continue;
      doubts.set(one, 'it has an ID, but the program shows no use of its table');
      continue;
    }
    const isRelated = structs.relationTargetsOf(one).some((target) => models.has(target));
    if (hasModels && !isRelated)
      doubts.set(one, 'it has an ID, but no gorm tag, unlike other structs');
    if (!hasModels || structs.hasNumber(one)) models.add(one);
  }
  addRelationTargets(models, structs);
  for (const one of relationTargetsAmong(models, structs)) doubts.delete(one);
  return { models, doubts };
}

interface ChoiceContext {
  readonly structs: Structs;
  readonly usage: ModelUsage;
  /** The program passes structs to AutoMigrate. */
  readonly hasUsage: boolean;
}

/** Whether the struct has a TableName, gorm.Model, a gorm tag, or an ID and queries of its table. */
function isEvident(one: TypeDeclaration, { structs, usage }: ChoiceContext): boolean {
  if (!structs.canBeModel(one)) return false;
  if (usage.migrated.has(one) || structs.hasTableName(one)) return true;
  if (usage.used.has(one)) return structs.looksLikeModel(one, { idCounts: true });
  return !structs.isEmbedded(one) && structs.looksLikeModel(one, { idCounts: false });
}

/** The model that a struct for results of a query embeds. Such a struct has no table of its own. */
function embeddedModel(
  one: TypeDeclaration,
  models: ReadonlySet<TypeDeclaration>,
  { structs, usage }: ChoiceContext,
): TypeDeclaration | undefined {
  const hasOwnTable =
    usage.migrated.has(one) ||
    usage.used.has(one) ||
    structs.hasTableName(one) ||
    structs.hasTaggedColumn(one);
  if (hasOwnTable) return undefined;
  return structs
    .embeddedBy(one)
    .find((base) => models.has(base) && isCertainModel(base, { structs, usage }));
}

/** Whether a struct that others embed is a model itself, and not only their base. */
function isCertainModel(
  one: TypeDeclaration,
  { structs, usage }: Pick<ChoiceContext, 'structs' | 'usage'>,
): boolean {
  if (usage.migrated.has(one) || usage.used.has(one)) return true;
  if (structs.isRelationTarget(one)) return true;
  return structs.hasTableName(one) && structs.looksLikeModel(one, { idCounts: false });
}

const transferObjectName =
  /(?:Request|Response|Req|Resp|Res|DTO|Input|Output|Params|Query|Filter|Form|Payload|Options|Config|View|Args)$/;
const transferTagKeys = ['json', 'form', 'query', 'uri', 'xml', 'binding'];

/** Whether an ID is the only evidence of a model. Transfer objects have one too: their names or tags show what they are. */
function hasIdOnly(
  one: TypeDeclaration,
  { structs, hasModels }: ChoiceContext & { readonly hasModels: boolean },
): boolean {
  if (!structs.canBeModel(one) || structs.isEmbedded(one)) return false;
  if (transferObjectName.test(one.name)) return false;
  const isTransferred = structs
    .fieldsOf(one)
    .some(({ tag }) => transferTagKeys.some((key) => tagPairs(tag).has(key)));
  return (!hasModels || !isTransferred) && structs.looksLikeModel(one, { idCounts: true });
}

function addRelationTargets(models: Set<TypeDeclaration>, structs: Structs): void {
  const queue = [...models];
  for (let one = queue.pop(); one !== undefined; one = queue.pop()) {
    for (const target of structs.relationTargetsOf(one)) {
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
  return [...models].flatMap((one) => structs.relationTargetsOf(one));
}
