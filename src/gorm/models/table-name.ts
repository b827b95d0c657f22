import { typeText } from '../go/go-type.ts';
import { findNamerMethod, findStringMethod } from '../go/methods.ts';
import { tableName } from '../go/names.ts';
import { callFunction } from '../go/run-body.ts';
import { zeroOf } from '../go/value.ts';
import type { GoType } from '../go/go-type.ts';
import type { FoundMethod } from '../go/methods.ts';
import type { ModelParsing } from './model-state.ts';
import type { Scope } from '../go/resolve-type.ts';

/** The table of a struct: what its TableName says, else its own name in GORM's plural. */
export function tableNameOf(type: GoType, scope: Scope, parsing: ModelParsing): string {
  const own = findStringMethod(type, 'TableName') ?? findNamerMethod(type);
  const struct = type.form === 'named' ? type.name : '';
  const usual = tableName(struct);
  if (own === undefined) return usual;
  const said = calledName(own, scope);
  if (said !== undefined) return said;
  parsing.warn({
    struct,
    message: `The TableName of ${typeText(type)} cannot be told from the source; "${usual}" was assumed.`,
  });
  return usual;
}

function calledName(own: FoundMethod, scope: Scope): string | undefined {
  const receiver = { value: zeroOf(own.of), type: own.of };
  const args = [{ kind: 'namer' }] as const;
  const [name] = callFunction(own.method, { args, env: { scope, driver: '', depth: 0 }, receiver });
  return name?.kind === 'constant' && typeof name.value === 'string' ? name.value : undefined;
}
