/** CHANGELOG.md at a release: the section of what is unreleased gets the version and the date. */

const unreleased = '## [Unreleased]\n';

export interface CutChangelog {
  readonly text: string;
  /** The section of the version, without its heading. */
  readonly notes: string;
}

export function cutChangelog(text: string, version: string, date: string): CutChangelog {
  const start = text.indexOf(unreleased);
  if (start < 0) throw new Error('CHANGELOG.md has no section "## [Unreleased]".');
  if (text.includes(`## [${version}]`)) throw new Error(`CHANGELOG.md already has ${version}.`);
  const bodyStart = start + unreleased.length;
  const next = text.indexOf('\n## [', bodyStart);
  const notes = text.slice(bodyStart, next < 0 ? text.length : next).trim();
  if (notes === '') throw new Error('The section "Unreleased" of CHANGELOG.md is empty.');
  const heading = `${unreleased}\n## [${version}] - ${date}\n`;
  return { text: text.slice(0, start) + heading + text.slice(bodyStart), notes };
}
