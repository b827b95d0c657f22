/** The result of parsing structs as GORM does: columns, relations, indexes. */
import type { GormColumn, GormDefault } from '../gorm-dialect.ts';
import type { RelationType } from '../../model/relations.ts';
import type { GoType } from '../go/program/types.ts';
import type { GoFile } from '../go/syntax/syntax.ts';
import type { Naming } from '../go/program/naming.ts';
import type { TagSettings } from './tags.ts';

/**
 * A field of a model. Parsing other fields may still change it: a foreign key gets the type of the
 * referenced key.
 */
export interface GormField extends GormColumn {
  /** The field's own name. */
  readonly name: string;
  /** The path to the field through embedded structs, its own name last. */
  bindNames: readonly string[];
  embeddedNames: readonly string[];
  column: string;
  dataType: string;
  gormDataType: string;
  size: number;
  readonly precision: number;
  readonly scale: number;
  primaryKey: boolean;
  autoIncrement: boolean;
  readonly notNull: boolean;
  readonly unique: boolean;
  hasDefault: boolean;
  readonly defaultText: string;
  readonly defaultValue: GormDefault | undefined;
  readonly comment: string;
  readonly settings: TagSettings;
  /** The struct tag's text. */
  readonly tag: string;
  /** `-:migration`, `-:all`: AutoMigrate creates no column for it. */
  readonly ignored: boolean;
  creatable: boolean;
  updatable: boolean;
  readable: boolean;
  readonly type: GoType;
  readonly isEmbedded: boolean;
  readonly offset: number;
  readonly file: GoFile;
  /** The model that has the column. */
  model: GormModel;
  /** The embedded struct that it comes from. */
  owner: GormModel | undefined;
  /** Evaluates GormDBDataType for a driver. Undefined if the field's type has no such method. */
  readonly nativeType: ((driver: string, field: GormField) => NativeType) | undefined;
}

interface NativeType {
  /** Empty if the method leaves the type to the driver. */
  readonly text: string;
  /** The method, if the source does not determine its result. */
  readonly undetermined?: string;
}

/** A struct with everything that GORM derives from it. */
export interface GormModel {
  /** For a join table that GORM generates, the name in the tag of its last relation. */
  struct: string;
  readonly naming: Naming;
  table: string;
  readonly type: GoType;
  readonly file: GoFile;
  readonly offset: number;
  readonly fields: GormField[];
  /** Columns in the table's order. */
  readonly columns: string[];
  readonly byColumn: Map<string, GormField>;
  readonly byName: Map<string, GormField>;
  readonly byBindName: Map<string, GormField>;
  primaryFields: GormField[];
  prioritizedField: GormField | undefined;
  /** By name. Names that start with `_` are the reverse sides of has_one and has_many relations of other models. */
  readonly relations: Map<string, GormRelation>;
  /** The error with which GORM rejects the struct. */
  error: ModelError | undefined;
}

export interface ModelError {
  readonly message: string;
  readonly file: GoFile;
  readonly offset: number;
}

export interface GormRelation {
  readonly name: string;
  type: RelationType | 'has';
  field: GormField;
  readonly model: GormModel;
  readonly target: GormModel;
  readonly references: GormReference[];
  joinTable: GormModel | undefined;
  polymorphic: GormPolymorphic | undefined;
}

export interface GormReference {
  /** Undefined for the type column of a polymorphic relation. */
  readonly primaryKey: GormField | undefined;
  readonly foreignKey: GormField;
  /** The value of the type column. */
  readonly primaryValue: string;
  /** Whether the referenced key is in the model that has the relation's field. */
  readonly ownsKey: boolean;
}

export interface GormPolymorphic {
  readonly typeField: GormField;
  readonly idField: GormField;
  readonly value: string;
}

export interface GormForeignKey {
  readonly name: string;
  readonly model: GormModel;
  readonly columns: readonly string[];
  readonly target: GormModel;
  readonly targetColumns: readonly string[];
  readonly onDelete: string;
  readonly onUpdate: string;
}
