/**
 * The software bill of materials of the package, in CycloneDX. `npm sbom` lists what is installed here: users get the
 * dependencies, and what the build puts into dist, which are development dependencies for npm.
 */

export interface Component {
  readonly name: string;
  readonly version: string;
  readonly 'bom-ref': string;
  readonly scope?: string;
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

export interface Bom {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const development = 'cdx:npm:package:development';

/** `name version` of each package in the lists of licenses that the build writes. */
export function bundledIn(licenses: readonly string[]): ReadonlySet<string> {
  const heading =
    /^(?:#+ )?(?<name>(?:@[\w.-]+\/)?[a-z][\w.-]*)(?: - | )(?<version>\d+\.\d+\.\d+[\w.-]*)(?:,| \()/gm;
  const found = licenses.flatMap((text) => [...text.matchAll(heading)]);
  return new Set(found.map(({ groups }) => `${groups?.['name']} ${groups?.['version']}`));
}

/** Leaves out what is only used to develop. Throws if a bundled package is not listed. */
export function bomOfPackage(all: Bom, name: string, bundled: ReadonlySet<string>): Bom {
  const isBundled = (component: Component): boolean =>
    bundled.has(`${component.name} ${component.version}`);
  const isDevelopment = ({ properties = [] }: Component): boolean =>
    properties.some((property) => property.name === development && property.value === 'true');
  const components = all.components
    .filter((component) => isBundled(component) || !isDevelopment(component))
    .map((component) => (isBundled(component) ? asBundled(component) : component));
  const listedPackages = new Set(components.map(({ name: each, version }) => `${each} ${version}`));
  const missing = [...bundled].filter((each) => !listedPackages.has(each));
  if (missing.length > 0) throw new Error(`npm sbom does not list ${missing.join(', ')}.`);
  const root = all.metadata.component;
  const refs = new Set([root, ...components].map((component) => component['bom-ref']));
  const dependencies = all.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
  // npm writes the name of the folder.
  return {
    ...all,
    metadata: { ...all.metadata, component: { ...root, name } },
    components,
    dependencies,
  };
}

/** It is in the package, and not for development only. */
function asBundled(component: Component): Component {
  const properties = (component.properties ?? []).filter(({ name }) => name !== development);
  return { ...component, scope: 'required', properties };
}
