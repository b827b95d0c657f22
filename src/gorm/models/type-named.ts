import type { Program } from '../go/program/program.ts';
import type { GoFile, NamedExpression, TypeDeclaration } from '../go/syntax/syntax.ts';

/** The declaration that a name refers to in a file. Undefined if its source is not available. */
export function typeNamed(
  { name, qualifier }: Pick<NamedExpression, 'name' | 'qualifier'>,
  file: GoFile,
  program: Program,
): TypeDeclaration | undefined {
  if (qualifier !== undefined) return program.importedAs(file, qualifier)?.types.get(name);
  const declaredHere = program.packageOf(file).types.get(name);
  if (declaredHere !== undefined) return declaredHere;
  return program
    .dotImportsOf(file)
    .map(({ types }) => types.get(name))
    .find((found) => found !== undefined);
}
