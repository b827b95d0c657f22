import { warnBrokenName } from './broken-names.ts';
import { typeText } from '../go/program/types.ts';
import {
  findMethod,
  findNamerMethod,
  findStringMethod,
  isCalledOnNil,
} from '../go/program/methods.ts';
import { callFunction } from '../go/evaluation/call-function.ts';
import { methodText } from '../go/program/method-text.ts';
import { isResultCertain } from '../go/certainty/certain-result.ts';
import { zeroOf } from '../go/evaluation/value.ts';
import type { GoType } from '../go/program/types.ts';
import type { FoundMethod } from '../go/program/methods.ts';
import type { ParseContext } from './build-model.ts';
import type { Scope } from '../go/program/resolve-type.ts';

/** The table of a struct: the result of its TableName method, or else the plural of its name as GORM forms it. */
export function tableNameOf(type: GoType, scope: Scope, context: ParseContext): string {
  const found = findStringMethod(type, 'TableName') ?? findNamerMethod(type);
  const struct = type.form === 'named' ? type.name : '';
  if (found === undefined) {
    const defaultName = scope.program.naming.table(struct);
    for (const message of warnBrokenName('table', struct)) context.warn({ struct, message });
    if (hasOtherSignature(type))
      context.warn({
        struct,
        message: `The TableName of ${typeText(type)} has a signature that GORM does not call, unless its types are aliases; "${defaultName}" was assumed.`,
      });
    return defaultName;
  }
  if (isCalledOnNil(type, found))
    context.warn({
      struct,
      message: `GORM panics, because ${methodText(found)} is called on an embedded pointer, which is nil.`,
    });
  const returnedName = callTableName(found, scope);
  const isCertain =
    returnedName !== undefined && isResultCertain(found, scope.program, ['schema.Namer']);
  // A variable that is set elsewhere is empty in its declaration.
  const isAssumed = returnedName === undefined || (returnedName === '' && !isCertain);
  const name = isAssumed ? scope.program.naming.table(struct) : returnedName;
  if (!isCertain)
    context.warn({
      struct,
      message: `The result of ${methodText(found)} cannot be determined from the source; "${name}" was assumed.`,
    });
  return name;
}

/** A method of another package's types, which may be aliases of those that GORM expects. */
function hasOtherSignature(type: GoType): boolean {
  const { parameters = [], results = [] } = findMethod(type, 'TableName')?.method ?? {};
  return parameters.length <= 1 && results.length === 1;
}

function callTableName(found: FoundMethod, scope: Scope): string | undefined {
  const receiver = { value: zeroOf(found.of), type: found.of };
  const args = [{ kind: 'namer' }] as const;
  const [name] = callFunction(found.method, {
    args,
    env: { scope, driver: '', depth: 0 },
    receiver,
  });
  return name?.kind === 'constant' && typeof name.value === 'string' ? name.value : undefined;
}
