/** Evaluates the methods with which types choose their columns' types: GormDataType and GormDBDataType. */
import { basic } from '../go/program/types.ts';
import { isResultCertain } from '../go/certainty/certain-result.ts';
import { callFunction } from '../go/evaluation/call-function.ts';
import { findDbTypeMethod, findStringMethod } from '../go/program/methods.ts';
import { methodText } from '../go/program/method-text.ts';
import { constant, zeroOf } from '../go/evaluation/value.ts';
import type { GormField } from './gorm-model.ts';
import type { GoType } from '../go/program/types.ts';
import type { Scope } from '../go/program/resolve-type.ts';
import type { ConstantValue, Value } from '../go/evaluation/value.ts';

/** The result of GormDataType. */
export interface DeclaredDataType {
  readonly text: string;
  /** The method, if the source does not determine its result for certain. */
  readonly undetermined?: string;
}

/** What GormDataType returns. Undefined if there is no such method. */
export function declaredDataType(type: GoType, scope: Scope): DeclaredDataType | undefined {
  const foundMethod = findStringMethod(type, 'GormDataType');
  if (foundMethod === undefined) return undefined;
  const receiver = { value: zeroOf(foundMethod.of), type: foundMethod.of };
  const env = { scope, driver: '', depth: 0 };
  const [result] = callFunction(foundMethod.method, { args: [], env, receiver });
  const isKnown = result?.kind === 'constant';
  const text = isKnown ? String(result.value) : 'string';
  return isKnown && isResultCertain(foundMethod, scope.program)
    ? { text }
    : { text, undetermined: methodText(foundMethod) };
}

/** What GormDBDataType returns for a driver. Undefined if there is no such method. */
export function nativeTypeOf(type: GoType, scope: Scope): GormField['nativeType'] {
  const foundMethod = findDbTypeMethod(type);
  if (foundMethod === undefined) return undefined;
  return (driver, field) => {
    const receiver = { value: zeroOf(foundMethod.of), type: foundMethod.of };
    const args = [{ kind: 'database' }, schemaField(field)] as const;
    const [result] = callFunction(foundMethod.method, {
      args,
      env: { scope, driver, depth: 0 },
      receiver,
    });
    const isKnown = result?.kind === 'constant';
    const text = isKnown ? String(result.value) : '';
    const gormArguments = ['*gorm.DB', '*schema.Field'] as const;
    return isKnown && isResultCertain(foundMethod, scope.program, gormArguments)
      ? { text }
      : { text, undetermined: methodText(foundMethod) };
  };
}

/** The *schema.Field that GORM passes to GormDBDataType. */
function schemaField(field: GormField): Value {
  const settings = [...field.settings].map(([name, value]) => [name, constant(value)] as const);
  const text = basic('string');
  return members({
    Name: field.name,
    DBName: field.column,
    DataType: field.dataType,
    GORMDataType: field.gormDataType,
    PrimaryKey: field.primaryKey,
    AutoIncrement: field.autoIncrement,
    Size: BigInt(field.size),
    Precision: BigInt(field.precision),
    Scale: BigInt(field.scale),
    NotNull: field.notNull,
    Unique: field.unique,
    HasDefaultValue: field.hasDefault,
    DefaultValue: field.defaultText,
    Comment: field.comment,
    TagSettings: { kind: 'map', entries: new Map(settings), type: { form: 'map', of: text } },
    Schema: members({ Name: field.model.struct, Table: field.model.table }),
  });
}

function members(of: Readonly<Record<string, ConstantValue | Value>>): Value {
  const values = Object.entries(of).map(
    ([name, value]) => [name, typeof value === 'object' ? value : constant(value)] as const,
  );
  return { kind: 'members', of: new Map(values) };
}
