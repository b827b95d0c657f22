/** Structs as GORM sees them: columns, relations, indexes. What reading gives. */
import type { GormColumn, GormDefault } from '../gorm-dialect.ts';
import type { RelationType } from '../../model/relations.ts';
import type { GoType } from '../go/types.ts';
import type { GoFile } from '../go/syntax.ts';
import type { TagSettings } from './tags.ts';

/** A field of a model. Parsing others may still change it: a foreign key takes over its key's type. */
export interface GormField extends GormColumn {
  /** The field's own name. */
  readonly name: string;
  /** The names on the way to it through embedded structs, its own last. */
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
  /** `-:migration`, `-:all`: AutoMigrate makes no column of it. */
  readonly ignored: boolean;
  creatable: boolean;
  updatable: boolean;
  readable: boolean;
  readonly type: GoType;
  readonly isEmbedded: boolean;
  readonly offset: number;
  readonly file: GoFile;
  /** The model it is a column of. */
  model: GormModel;
  /** The embedded struct that it comes from. */
  owner: GormModel | undefined;
  /** What a serializer, or GormDBDataType, makes of it per driver. */
  readonly nativeType: ((driver: string) => string) | undefined;
}

/** A struct with all that GORM knows of it. */
export interface GormModel {
  readonly struct: string;
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
  /** By name; those that start with `_` are other models' has relations that lead here. */
  readonly relations: Map<string, GormRelation>;
  /** What GORM refuses the struct for. */
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
  readonly field: GormField;
  readonly model: GormModel;
  readonly target: GormModel;
  readonly references: GormReference[];
  joinTable: GormModel | undefined;
  polymorphic: GormPolymorphic | undefined;
}

export interface GormReference {
  /** Undefined for a polymorphic relation's type column. */
  readonly primaryKey: GormField | undefined;
  readonly foreignKey: GormField;
  /** What the type column holds. */
  readonly primaryValue: string;
  /** The key is on the side that has the relation's field. */
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
