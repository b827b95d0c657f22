/** Finds variables of a package that its program may change before it creates its tables. */
import { usesOf } from './variable-uses.ts';
import type { VariableUse } from './variable-uses.ts';
import type { Program } from './program.ts';
import type { FunctionDeclaration, ValueDeclaration } from './syntax.ts';
import type { Value } from './value.ts';

/**
 * Whether a function may assign to the variable, or change its initial value in another way. A value without
 * elements is copied by whoever gets it.
 */
export function mayChange(declared: ValueDeclaration, initial: Value, program: Program): boolean {
  if (declared.isConstant) return false;
  const { name } = declared;
  const hasElements = initial.kind !== 'constant' && initial.kind !== 'nil';
  const home = program.packageOf(declared.file);
  return program.packages.some((one) =>
    one.bodies.some((body) => {
      const text = textOf(body);
      if (!text.includes(name) || (one === home && hasLocal(body, text, name))) return false;
      const names =
        one === home
          ? [name]
          : packageNames(text, name)
              .filter((qualifier) => program.importedAs(body.file, qualifier) === home)
              .map((qualifier) => `${qualifier}.${name}`);
      const uses = names.flatMap((usedName) => [...usesOf(usedName, body, program)]);
      return uses.some((use) => isChange(use, hasElements));
    }),
  );
}

function isChange(use: VariableUse, hasElements: boolean): boolean {
  if (use === 'assigned' || use === 'changed') return true;
  return hasElements && use !== 'read' && use !== 'appended';
}

/** The qualifiers of a name in a text. */
function packageNames(text: string, name: string): readonly string[] {
  const pattern = new RegExp(
    `([\\p{L}_][\\p{L}\\p{Nd}_]*)\\s*\\.\\s*${name}(?![\\p{L}\\p{Nd}_])`,
    'gu',
  );
  return [...new Set([...text.matchAll(pattern)].map(([, qualifier = '']) => qualifier))];
}

function textOf({ file, offset, end }: FunctionDeclaration): string {
  return file.text.slice(offset, end);
}

/** Whether the function has a variable of its own by that name. */
function hasLocal(
  { parameters, resultNames, receiver }: FunctionDeclaration,
  text: string,
  name: string,
): boolean {
  const names = [...parameters.map((one) => one.name), ...resultNames, receiver?.name];
  return (
    names.includes(name) ||
    new RegExp(
      `(?<![\\p{L}\\p{Nd}_.])(?:${name}\\s*(?:,[^=;{}\\n]*)?:=|,\\s*${name}\\s*:=|var\\s+${name}\\b)`,
      'u',
    ).test(text)
  );
}
