/** Finds settings of `gorm` tags that GORM does not read, which it drops silently. */
import { gormSettings, tagValue } from './tags.ts';
import { words } from '../../portable/lexer/words.ts';
import type { FieldKind } from './field-kind.ts';

/** All settings of a field that GORM, one of its drivers or its soft_delete plugin reads, in upper case. */
const knownSettings: ReadonlySet<string> = new Set([
  'NOT NULL',
  '-',
  '<-',
  '->',
  ...words(`
  AUTOCREATETIME AUTOINCREMENT AUTOINCREMENTINCREMENT AUTOUPDATETIME BELONGSTO CHECK COLUMN COMMENT
  CONSTRAINT DEFAULT EMBEDDED EMBEDDEDPREFIX FOREIGNKEY GENERATED INDEX JOINFOREIGNKEY JOINREFERENCES
  JSON MANY2MANY NOTNULL POLYMORPHIC POLYMORPHICID POLYMORPHICTYPE POLYMORPHICVALUE PRECISION PRIMARYKEY
  PRIMARY_KEY REFERENCES SCALE SERIALIZER SIZE SOFTDELETE TYPE UNIQUE UNIQUEINDEX
`),
]);

/** Settings of relations, which have no effect on a field with a plain value. */
const relationSettings: ReadonlySet<string> = new Set(
  words(`
  FOREIGNKEY JOINFOREIGNKEY JOINREFERENCES MANY2MANY POLYMORPHIC POLYMORPHICID POLYMORPHICTYPE
  POLYMORPHICVALUE REFERENCES
`),
);

const numericSettings = ['SIZE', 'PRECISION', 'SCALE'];

/** Kinds of values that are, or can be, structs. */
const relationKinds: ReadonlySet<FieldKind> = new Set<FieldKind>([
  'struct',
  'list',
  'other',
  'unknown',
]);

/** Returns one sentence for each unknown setting. `field` is `Struct.Field`. */
export function warnUnknownSettings(
  field: string,
  tag: string,
  kind: FieldKind,
): readonly string[] {
  const value = tagValue(tag, 'gorm');
  if (value === '' && /\bgorm\s*:/.test(tag) && !/\bgorm:""/.test(tag))
    return [`The tag of ${field} is malformed, so GORM ignores it.`];
  return [...gormSettings(tag)].flatMap(([name, text]) => {
    if (name === '') return [];
    if (!knownSettings.has(name))
      return [`The setting "${name.toLowerCase()}" of ${field} is unknown to GORM.`];
    if (numericSettings.includes(name) && !/^\s*[+-]?\d+$/.test(text))
      return [`"${name.toLowerCase()}:${text}" of ${field} is not a number, so GORM ignores it.`];
    if (relationSettings.has(name) && !relationKinds.has(kind))
      return [
        `"${name.toLowerCase()}" of ${field} has no effect, because the field is not a relation.`,
      ];
    return [];
  });
}
