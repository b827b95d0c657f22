/** Builds models: their columns, their keys, and the errors that GORM reports for them. */
import type { GoType } from '../go/program/types.ts';
import type { GormField, GormModel } from './gorm-model.ts';
import type { Program } from '../go/program/program.ts';
import type { Scope } from '../go/program/resolve-type.ts';

/** The context for parsing models, shared by all models of a migration. */
export interface ParseContext {
  readonly program: Program;
  /** Parsed models by their type. */
  readonly models: Map<GoType, GormModel>;
  /** The parsed structs that others embed. Most models embed one of a few structs. */
  readonly embedded: Map<GoType, GormModel>;
  /** The join tables that GORM generates for many2many relations, by the name of the field that is no column. */
  readonly joinTables: Map<string, readonly GormModel[]>;
  /** The embedded structs that are being read. */
  readonly embedding: Set<GoType>;
  readonly warn: (warning: ModelWarning) => void;
  /** Parses the model of a struct type with its relations, and the models that these relations lead to. */
  readonly parseModel: (type: GoType, scope: Scope) => GormModel;
  /** Parses the fields of an embedded struct as a separate model without relations. */
  readonly parseEmbedded: (type: GoType, scope: Scope) => GormModel;
}

export interface ModelWarning {
  readonly struct: string;
  readonly message: string;
}

/** The context for parsing the fields and relations of a model. */
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
    naming: scope.program.naming,
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

/**
 * Assigns columns to fields. Of several fields with the same column, the least nested one wins, at
 * the position of the first.
 */
export function addColumns(model: GormModel): void {
  for (const field of model.fields) {
    if (field.column === '' && field.dataType !== '')
      field.column = model.naming.column(field.name);
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
  const isReadOrWritten = field.creatable || field.updatable || field.readable;
  const wins =
    other === undefined || (isReadOrWritten && field.bindNames.length < other.bindNames.length);
  if (!wins) return;
  if (other === undefined) model.columns.push(column);
  model.byColumn.set(column, field);
  model.byName.set(field.name, field);
  model.byBindName.set(field.bindNames.join('.'), field);
  if (other?.primaryKey === true)
    model.primaryFields = model.primaryFields.filter((key) => key.column !== column);
  if (field.primaryKey) model.primaryFields.push(field);
}

/** Finds a field by its column, by its name, or by the column that the name would have. */
export function findField(model: GormModel, name: string): GormField | undefined {
  return (
    model.byColumn.get(name) ??
    model.byName.get(name) ??
    model.byColumn.get(model.naming.column(name))
  );
}

/** Selects the prioritized primary key: id or ID, else the only key, else the auto-increment key. */
function selectPrimaryKey(model: GormModel): void {
  const idField = findField(model, 'id') ?? findField(model, 'ID');
  if (idField !== undefined && (idField.primaryKey || model.primaryFields.length === 0)) {
    if (!idField.primaryKey) model.primaryFields.push(idField);
    idField.primaryKey = true;
    model.prioritizedField = idField;
  }
  const [only, ...otherFields] = model.primaryFields;
  model.prioritizedField ??=
    otherFields.length === 0 ? only : model.primaryFields.find((field) => field.autoIncrement);
}

/** Makes the prioritized key auto-increment if it is an integer. */
export function makeAutoIncrement({ prioritizedField: key }: GormModel): void {
  const isInteger = key?.gormDataType === 'int' || key?.gormDataType === 'uint';
  if (key === undefined || !isInteger || key.settings.has('AUTOINCREMENT')) return;
  key.hasDefault = true;
  key.autoIncrement = true;
}

/** A foreign key gets the data type of the referenced key, and its size if it has none. */
export function copyKeyType(foreignKey: GormField, key: GormField): void {
  if (!/auto_increment|primary key/i.test(key.dataType)) foreignKey.dataType = key.dataType;
  foreignKey.gormDataType = key.gormDataType;
  if (foreignKey.size === 0) foreignKey.size = key.size;
}
