/**
 * The label of a relation. The API's names of relations must differ from those of columns: a key
 * `subject_code` makes `SubjectCodeSubject`, which is shown as `Subject` unless another relation has
 * that name.
 */
export function relationLabel(name: string, names: readonly string[]): string {
  for (let length = Math.floor(name.length / 2); length > 1; length--) {
    const target = name.slice(-length);
    const isRepeated = /^\p{Lu}/u.test(target) && name.startsWith(target);
    if (isRepeated && !names.includes(target)) return target;
  }
  return name;
}
