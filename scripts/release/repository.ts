/**
 * The members of package.json that name the repository. npm rejects a package whose provenance names another one,
 * and a copy of the repository releases under its own address, so the release takes it from the workflow.
 */
type Environment = Readonly<Record<string, string | undefined>>;

export type Manifest = Readonly<Record<string, unknown>>;

/** The address of the repository that the workflow runs in; undefined outside one. */
export function repositoryUrl(environment: Environment): string | undefined {
  const server = environment['GITHUB_SERVER_URL'];
  const name = environment['GITHUB_REPOSITORY'];
  if (server === undefined || name === undefined) return undefined;
  const isValid = /^https:\/\/[\w.-]+(?::\d+)?$/.test(server) && /^[\w.-]+\/[\w.-]+$/.test(name);
  if (isValid) return `${server}/${name}`;
  throw new Error(
    `GITHUB_SERVER_URL (${server}) and GITHUB_REPOSITORY (${name}) name no repository.`,
  );
}

/** The manifest with the address, its members in their usual order. */
export function withRepository(manifest: Manifest, url: string): Manifest {
  const {
    name,
    version,
    description,
    keywords,
    homepage: _homepage,
    bugs: _bugs,
    license,
    author,
    repository: _repository,
    ...others
  } = manifest;
  return {
    name,
    version,
    description,
    keywords,
    homepage: `${url}#readme`,
    bugs: { url: `${url}/issues` },
    license,
    author,
    repository: { type: 'git', url: `git+${url}.git` },
    ...others,
  };
}
