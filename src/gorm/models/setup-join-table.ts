/** Applies GORM's SetupJoinTable: the table of a model replaces the join table that a many2many relation would have. */
import { declaredType } from '../go/program/resolve-type.ts';
import { findField } from './build-model.ts';
import { modelOf } from './parse-model.ts';
import { positionText, structNames } from './setup-warnings.ts';
import type { GormField, GormModel, GormRelation } from './gorm-model.ts';
import type { ParseContext } from './build-model.ts';
import type { SetupCall } from './find-usage.ts';

/** Applies the calls to the models that were parsed. Returns one sentence for each call that was not applied. */
export function setUpJoinTables(
  calls: readonly SetupCall[],
  parsing: ParseContext,
): readonly string[] {
  return calls.flatMap((call) => {
    const problem = call.joinTable === undefined ? undefined : setUpJoinTable(call, parsing);
    if (problem === undefined) return [];
    return [
      `${structNames(call.types)}SetupJoinTable (${positionText(call)}) was not applied: ${problem}.`,
    ];
  });
}

function setUpJoinTable(
  { types, isComplete, joinTable }: SetupCall,
  parsing: ParseContext,
): string | undefined {
  const [declaration] = types;
  const field = joinTable?.field;
  const joinDeclaration = joinTable?.type;
  if (
    declaration === undefined ||
    !isComplete ||
    field === undefined ||
    joinDeclaration === undefined
  )
    return 'the source does not determine its arguments';
  const { program, models } = parsing;
  const model = models.get(declaredType(declaration, program));
  // Its table is not created.
  if (model === undefined) return undefined;
  const relation = model.relations.get(field);
  if (relation?.joinTable === undefined)
    return `${model.struct} has no many2many relation "${field}", so GORM rejects it`;
  return replaceJoinTable(relation, relation.joinTable, modelOf(joinDeclaration, parsing));
}

function replaceJoinTable(
  relation: GormRelation,
  generated: GormModel,
  join: GormModel,
): string | undefined {
  const fields = generated.columns.map((column) => [column, findField(join, column)] as const);
  const missing = fields.find(([, field]) => field === undefined);
  if (missing !== undefined)
    return `${join.struct} has no field for the column "${missing[0]}", so GORM rejects it`;
  const fieldOf = new Map(fields.flatMap(([column, field]) => (field ? [[column, field]] : [])));
  for (const [i, reference] of relation.references.entries()) {
    const foreignKey = fieldOf.get(reference.foreignKey.column)!;
    takeType(foreignKey, reference.foreignKey);
    relation.references[i] = { ...reference, foreignKey };
  }
  for (const [name, side] of generated.relations)
    if (!join.relations.has(name)) join.relations.set(name, { ...side, model: join });
  relation.joinTable = join;
  return undefined;
}

function takeType(field: GormField, generated: GormField): void {
  field.dataType = generated.dataType;
  field.gormDataType = generated.gormDataType;
  if (field.size === 0) field.size = generated.size;
}
