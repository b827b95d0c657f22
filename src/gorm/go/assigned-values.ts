/** Finds variables of a package that its program may change before it creates its tables. */
import type { Program } from './program.ts';
import type { FunctionDeclaration, ValueDeclaration } from './syntax.ts';

/** Whether a function may assign to the variable, to a part of it, or get its address. */
export function isAssigned(declared: ValueDeclaration, program: Program): boolean {
  if (declared.isConstant) return false;
  const home = program.packageOf(declared.file);
  const own = new RegExp(
    `(?<before>&\\s*|(?<![\\p{L}\\p{Nd}_.]))${assignmentTo(declared.name)}`,
    'gu',
  );
  const qualified = new RegExp(
    `(?<before>&?\\s*)(?<package>${word})\\.${assignmentTo(declared.name)}`,
    'gu',
  );
  return program.packages.some((one) =>
    one.bodies.some((body) => {
      const text = textOf(body);
      if (!text.includes(declared.name)) return false;
      if (one === home) return !hasLocal(body, text, declared.name) && matches(text, own);
      return matches(text, qualified, (name) => program.importedAs(body.file, name) === home);
    }),
  );
}

const word = '(?<![\\p{L}\\p{Nd}_])[\\p{L}_][\\p{L}\\p{Nd}_]*';

/** The name, what may follow up to the operator of an assignment, and the operator. */
function assignmentTo(name: string): string {
  const parts = '(?:\\s*\\.\\s*[\\p{L}_][\\p{L}\\p{Nd}_]*|\\s*\\[[^\\]]*\\])*';
  const others = '(?:\\s*,[^=;{}\\n]*)?';
  return `${name}(?![\\p{L}\\p{Nd}_])(?<assignment>${parts}(?:${others}\\s*(?:[-+*/%&|^]|<<|>>|&\\^)?=(?!=)|\\s*(?:\\+\\+|--)))?`;
}

function matches(
  text: string,
  pattern: RegExp,
  isPackage: (name: string) => boolean = () => true,
): boolean {
  for (const { groups = {} } of text.matchAll(pattern)) {
    const isAddress = groups['before']?.startsWith('&') === true;
    const changes = groups['assignment'] !== undefined || isAddress;
    if (changes && isPackage(groups['package'] ?? '')) return true;
  }
  return false;
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
