/** The join table of a many2many relation: a struct that GORM makes up. */
import { parseField } from './parse-field.ts';
import { addColumns, emptyModel, findField, reportModelError, copyKeyType } from './model-state.ts';
import { joinTableName, singular } from '../go/names.ts';
import { listOf, withoutSettings, withSetting } from './tags.ts';
import type { StructField } from '../go/go-type.ts';
import type { GormField, GormModel, GormRelation } from './model.ts';
import type { ModelContext } from './model-state.ts';

export function joinModels(relation: GormRelation, tag: string, context: ModelContext): void {
  const { field, model, target } = relation;
  const own = chosenKeys(model, 'FOREIGNKEY', relation);
  const theirs = chosenKeys(target, 'REFERENCES', relation);
  relation.type = 'many_to_many';
  if (own === undefined || theirs === undefined) return;
  const columns = joinColumns(relation, own, theirs);
  const join = emptyModel({ form: 'struct', fields: [] }, joinTableName(tag), context.scope);
  for (const { name, key } of uniqueColumns(columns)) {
    const { field: made } = parseField(joinField(name, key), { scope: context.scope, model: join });
    join.fields.push(made);
  }
  addColumns(join);
  relation.joinTable = { ...join, struct: tag, at: field.at };
  for (const made of join.fields) made.model = relation.joinTable;
  relate(relation, relation.joinTable, columns);
}

/** The fields that the join table points at: those named, else the key. */
function chosenKeys(
  model: GormModel,
  setting: string,
  { field, model: own }: GormRelation,
): readonly GormField[] | undefined {
  const names = listOf(field.settings.get(setting));
  if (names.length === 0) return model.primaryFields;
  const fields = names.map((name) => ({ name, found: findField(model, name) }));
  const missing = fields.find(({ found }) => found === undefined);
  if (missing !== undefined) {
    reportModelError(own, `invalid foreign key: ${missing.name}`, field);
    return undefined;
  }
  return fields.flatMap(({ found }) => found ?? []);
}

interface JoinColumn {
  /** The Go name of the join struct's field. */
  readonly name: string;
  readonly key: GormField;
  /** Points at the struct that has the relation's field. */
  readonly own: boolean;
}

function joinColumns(
  relation: GormRelation,
  own: readonly GormField[],
  theirs: readonly GormField[],
): readonly JoinColumn[] {
  const { settings } = relation.field;
  const foreignKeys = listOf(settings.get('JOINFOREIGNKEY'));
  const references = listOf(settings.get('JOINREFERENCES'));
  const near = own.map((key, i): JoinColumn => ({
    name: title(
      foreignKeys[i] ?? relation.model.struct + (foreignKeys[i] === undefined ? key.name : ''),
    ),
    key,
    own: true,
  }));
  const taken = new Set(near.map(({ name }) => name));
  const far = theirs.map((key, i): JoinColumn => ({
    name: references[i] === undefined ? farName(relation, key, taken) : title(references[i]),
    key,
    own: false,
  }));
  return [...near, ...far];
}

/** In a self join the other side is called by the relation's field. */
function farName(
  { field, target }: GormRelation,
  key: GormField,
  taken: ReadonlySet<string>,
): string {
  const usual = title(target.struct) + key.name;
  if (!taken.has(usual)) return usual;
  return field.name === target.struct ? `${usual}Reference` : singular(field.name) + key.name;
}

function title(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function uniqueColumns(columns: readonly JoinColumn[]): readonly JoinColumn[] {
  const byName = Map.groupBy(columns, ({ name }) => name);
  return [...byName.values()].flatMap(([first]) => first ?? []);
}

const leftOut = ['column', 'autoincrement', 'index', 'unique', 'uniqueindex'];

function joinField(name: string, key: GormField): StructField {
  const tag = withoutSettings(withSetting(key.tag, 'primaryKey'), leftOut);
  return { name, type: key.type, tag, isEmbedded: false, at: key.at };
}

function relate(relation: GormRelation, join: GormModel, columns: readonly JoinColumn[]): void {
  const { model, target, field } = relation;
  const near = model.struct;
  const far = near === target.struct ? field.name : target.struct;
  const nearSide = side(near, { join, relation, target: model });
  const farSide = far === near ? nearSide : side(far, { join, relation, target });
  for (const made of join.fields) {
    const ofColumn = columns.filter(({ name }) => name === made.name);
    const last = ofColumn[0];
    if (last !== undefined) copyKeyType(made, last.key);
    for (const { key, own } of ofColumn) {
      (own ? nearSide : farSide).references.push({
        primaryKey: key,
        foreignKey: made,
        primaryValue: '',
        ownsKey: false,
      });
      relation.references.push({
        primaryKey: key,
        foreignKey: made,
        primaryValue: '',
        ownsKey: own,
      });
    }
  }
  join.primaryFields = [...join.fields];
}

interface SideOf {
  readonly join: GormModel;
  readonly relation: GormRelation;
  readonly target: GormModel;
}

/** The join table's own belongs_to. */
function side(name: string, { join, relation, target }: SideOf): GormRelation {
  const made: GormRelation = {
    name,
    type: 'belongs_to',
    field: relation.field,
    model: join,
    target,
    references: [],
    joinTable: undefined,
    polymorphic: undefined,
  };
  join.relations.set(name, made);
  return made;
}
