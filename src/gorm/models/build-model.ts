/** Models while they are made: their columns, their keys, and what GORM says against them. */
import { columnName } from '../go/names.ts';
import type { GoType } from '../go/types.ts';
import type { GormField, GormModel } from './gorm-model.ts';
import type { Program } from '../go/program.ts';
import type { Scope } from '../go/resolve-type.ts';

/** What models are parsed with: one for all models of a migration. */
export interface ParseContext {
  readonly program: Program;
  /** Parsed models by their type. */
  readonly models: Map<GoType, GormModel>;
  /** The embedded structs that are being read. */
  readonly embedding: Set<GoType>;
  readonly warn: (warning: ModelWarning) => void;
  /** The model of a struct type, with its relations and, through them, those it leads to. */
  readonly parseModel: (type: GoType, scope: Scope) => GormModel;
  /** The fields of an embedded struct, as those of a model of its own without relations. */
  readonly parseEmbedded: (type: GoType, table: string, scope: Scope) => GormModel;
}

export interface ModelWarning {
  readonly struct: string;
  readonly message: string;
}

/** What reading a model's fields and relations works with. */
export interface ModelContext {
  readonly model: GormModel;
  readonly scope: Scope;
  readonly parsing: ParseContext;
}

/** The scope that the fields of a type are declared in. */
export function scopeOf(type: GoType, outer: Scope): Scope {
  if (type.form !== 'named') return outer;
  return { program: outer.program, file: type.declaration.file, bindings: type.bindings };
}

export function emptyModel(type: GoType, table: string, scope: Scope): GormModel {
  return {
    struct: type.form === 'named' ? type.name : '',
    table,
    type,
    file: scope.file,
    offset: type.form === 'named' ? type.declaration.offset : 0,
    fields: [],
    columns: [],
    byColumn: new Map(),
    byName: new Map(),
    byBindName: new Map(),
    primaryFields: [],
    prioritizedField: undefined,
    relations: new Map(),
    error: undefined,
  };
}

/** Keeps the first error. GORM keeps the last one, which is further from the cause. */
export function reportModelError(
  model: GormModel,
  message: string,
  position: Pick<GormField, 'file' | 'offset'>,
): void {
  model.error ??= { message, file: position.file, offset: position.offset };
}

/** Gives fields their columns: of several with one column the shallowest counts, at the place of the first. */
export function addColumns(model: GormModel): void {
  for (const field of model.fields) {
    if (field.column === '' && field.dataType !== '') field.column = columnName(field.name);
    if (field.column !== '') addColumn(model, field);
    const bindName = field.bindNames.join('.');
    if (!isColumnField(model.byName.get(field.name))) model.byName.set(field.name, field);
    if (!isColumnField(model.byBindName.get(bindName))) model.byBindName.set(bindName, field);
  }
  selectPrimaryKey(model);
}

function isColumnField(field: GormField | undefined): boolean {
  return field !== undefined && field.settings.get('-') !== '-';
}

function addColumn(model: GormModel, field: GormField): void {
  const { column } = field;
  const other = model.byColumn.get(column);
  const isSeen = field.creatable || field.updatable || field.readable;
  const wins = other === undefined || (isSeen && field.bindNames.length < other.bindNames.length);
  if (!wins) return;
  if (other === undefined) model.columns.push(column);
  model.byColumn.set(column, field);
  model.byName.set(field.name, field);
  model.byBindName.set(field.bindNames.join('.'), field);
  if (other?.primaryKey === true)
    model.primaryFields = model.primaryFields.filter((key) => key.column !== column);
  if (field.primaryKey) model.primaryFields.push(field);
}

/** By its column, its own name, or the column that the name would have. */
export function findField(model: GormModel, name: string): GormField | undefined {
  return model.byColumn.get(name) ?? model.byName.get(name) ?? model.byColumn.get(columnName(name));
}

/** The key that counts as the one: id or ID, else the only one, else the one that numbers itself. */
function selectPrimaryKey(model: GormModel): void {
  const named = findField(model, 'id') ?? findField(model, 'ID');
  if (named !== undefined && (named.primaryKey || model.primaryFields.length === 0)) {
    if (!named.primaryKey) model.primaryFields.push(named);
    named.primaryKey = true;
    model.prioritizedField = named;
  }
  const [only, ...more] = model.primaryFields;
  model.prioritizedField ??=
    more.length === 0 ? only : model.primaryFields.find((field) => field.autoIncrement);
}

/** The one key, when it is an integer, numbers itself. */
export function makeAutoIncrement({ prioritizedField: key }: GormModel): void {
  const isInteger = key?.gormDataType === 'int' || key?.gormDataType === 'uint';
  if (key === undefined || !isInteger || key.settings.has('AUTOINCREMENT')) return;
  key.hasDefault = true;
  key.autoIncrement = true;
}

/** A foreign key has the data type of the key that it points at, and its size when it has none. */
export function copyKeyType(foreignKey: GormField, key: GormField): void {
  if (!/auto_increment|primary key/i.test(key.dataType)) foreignKey.dataType = key.dataType;
  foreignKey.gormDataType = key.gormDataType;
  if (foreignKey.size === 0) foreignKey.size = key.size;
}
