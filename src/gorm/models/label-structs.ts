/** Unambiguous names of a program's structs, and the selection of structs by such names. */
import { StudioError } from '../../model/errors.ts';
import { didYouMean } from '../../model/nearest.ts';
import type { Program } from '../go/program/program.ts';
import type { TypeDeclaration } from '../go/syntax/syntax.ts';

/** The shortest of `User`, `models.User` and `app/models.User` that no other type of the program has, in source order. */
export function labelStructs(program: Program): ReadonlyMap<TypeDeclaration, string> {
  const declared = program.packages.flatMap(({ name, folder, types }) =>
    [...types.values()].map((declaration) => ({
      declaration,
      names: [
        declaration.name,
        `${name}.${declaration.name}`,
        `${folder === '' ? name : folder}.${declaration.name}`,
      ],
    })),
  );
  const counts = new Map<string, number>();
  for (const { names } of declared)
    for (const name of new Set(names)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map(
    declared.map(({ declaration, names }) => [
      declaration,
      names.find((name) => counts.get(name) === 1) ?? names.at(-1)!,
    ]),
  );
}

/** The structs with the given names. Throws for a name that no struct has. */
export function selectStructs(
  names: readonly string[] | undefined,
  labels: ReadonlyMap<TypeDeclaration, string>,
): ReadonlySet<TypeDeclaration> | undefined {
  if (names === undefined) return undefined;
  const byLabel = Map.groupBy(labels, ([, label]) => label);
  const selected = names.flatMap((name) => {
    const found = byLabel.get(name);
    if (found !== undefined) return found.map(([one]) => one);
    const message = `structs: no struct is called "${name}".${didYouMean(name, [...labels.values()])}`;
    throw new StudioError('invalid_parameter', message, { parameter: 'structs' });
  });
  return new Set(selected);
}
