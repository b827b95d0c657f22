/** Finds settings of `gorm` tags that GORM does not read, which it drops silently. */
import { parseSettings, tagValue } from './tags.ts';
import { words } from '../../sql/words.ts';
import type { FieldKind } from './field-kind.ts';

/** All names that GORM and its soft_delete plugin read of a field, in capitals. */
const knownSettings: ReadonlySet<string> = new Set([
  'NOT NULL',
  '-',
  '<-',
  '->',
  ...words(`
  AUTOCREATETIME AUTOINCREMENT AUTOINCREMENTINCREMENT AUTOUPDATETIME BELONGSTO CHECK COLUMN COMMENT
  CONSTRAINT DEFAULT EMBEDDED EMBEDDEDPREFIX FOREIGNKEY INDEX JOINFOREIGNKEY JOINREFERENCES JSON
  MANY2MANY NOTNULL POLYMORPHIC POLYMORPHICID POLYMORPHICTYPE POLYMORPHICVALUE PRECISION PRIMARYKEY
  PRIMARY_KEY REFERENCES SCALE SERIALIZER SIZE SOFTDELETE TYPE UNIQUE UNIQUEINDEX
`),
]);

/** Settings of a relation, which a field that holds a plain value has not. */
const relationSettings: ReadonlySet<string> = new Set(
  words(`
  FOREIGNKEY JOINFOREIGNKEY JOINREFERENCES MANY2MANY POLYMORPHIC POLYMORPHICID POLYMORPHICTYPE
  POLYMORPHICVALUE REFERENCES
`),
);

const numericSettings = ['SIZE', 'PRECISION', 'SCALE'];

/** Kinds of values that are or may be structs. */
const relationKinds: ReadonlySet<FieldKind> = new Set<FieldKind>([
  'struct',
  'list',
  'other',
  'unknown',
]);

/** A sentence each, `field` being `Struct.Field`. */
export function warnUnknownSettings(
  field: string,
  tag: string,
  kind: FieldKind,
): readonly string[] {
  const value = tagValue(tag, 'gorm');
  if (value === '' && /\bgorm\s*:/.test(tag) && !/\bgorm:""/.test(tag))
    return [`The tag of ${field} is not well-formed: GORM reads nothing of it.`];
  return [...parseSettings(value, ';')].flatMap(([name, text]) => {
    if (name === '') return [];
    if (!knownSettings.has(name))
      return [`GORM knows no setting "${name.toLowerCase()}" of ${field}.`];
    if (numericSettings.includes(name) && !/^\s*[+-]?\d+$/.test(text))
      return [`"${name.toLowerCase()}:${text}" of ${field} is no number: GORM passes over it.`];
    if (relationSettings.has(name) && !relationKinds.has(kind))
      return [`"${name.toLowerCase()}" of ${field} means nothing: the field is no relation.`];
    return [];
  });
}
