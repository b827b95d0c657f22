/** Version numbers: MAJOR.MINOR.PATCH, and for a preview -NAME.NUMBER after it. */

const form = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([a-z]+)\.(0|[1-9]\d*))?$/;

interface Version {
  readonly numbers: readonly [number, number, number];
  /** Undefined for a version that is not a preview. */
  readonly preview: readonly [name: string, number: number] | undefined;
}

function parse(text: string): Version {
  const [, major, minor, patch, name, number] = form.exec(text) ?? [];
  if (major === undefined)
    throw new Error(`"${text}" is not a version such as 1.2.3 or 1.2.3-beta.1.`);
  return {
    numbers: [Number(major), Number(minor), Number(patch)],
    preview: name === undefined ? undefined : [name, Number(number)],
  };
}

/** Negative if `one` comes before `two`. A preview comes before its version. */
export function compareVersions(one: string, two: string): number {
  const [a, b] = [parse(one), parse(two)];
  for (const [index, number] of a.numbers.entries()) {
    const difference = number - (b.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (a.preview === undefined || b.preview === undefined)
    return Number(b.preview !== undefined) - Number(a.preview !== undefined);
  const [nameA, numberA] = a.preview;
  const [nameB, numberB] = b.preview;
  if (nameA === nameB) return numberA - numberB;
  return nameA < nameB ? -1 : 1;
}

/**
 * The version to release. `request` is one, or the part of the current version to count up. The current one itself is
 * released if no tag has it yet.
 */
export function nextVersion(request: string, current: string, released: readonly string[]): string {
  const { numbers, preview } = parse(current);
  const [major, minor, patch] = numbers;
  const counted: Readonly<Record<string, string>> = {
    major: `${major + 1}.0.0`,
    minor: `${major}.${minor + 1}.0`,
    // A preview of 1.2.3 is followed by 1.2.3.
    patch: `${major}.${minor}.${preview === undefined ? patch + 1 : patch}`,
  };
  const version = counted[request] ?? request;
  if (compareVersions(version, current) < 0)
    throw new Error(`${version} is older than ${current}, the version of package.json.`);
  const newer = released.find((each) => compareVersions(each, version) >= 0);
  if (newer !== undefined) throw new Error(`${newer} is already released.`);
  return version;
}
