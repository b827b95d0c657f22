/**
 * The compose file and the manifest for Kubernetes. Nothing is started here: that needs a daemon and a cluster. These
 * tests compare what the files say with the product; .github/workflows/container.yml starts the compose file.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { optionNames, urlVariable, variableOf } from '../../src/cli/options.ts';
import { makeFolder, run, serve } from '../cli/command.ts';
import { readStages, root, textOf, variablesOf } from './dockerfile.ts';

const folder = join(root, 'examples', 'containers');
const image = readStages().at(-1)!;
const state = variablesOf(image).get('STUDIO_STATE_DIR');
const port = Number(textOf(image, 'EXPOSE'));
const [user] = textOf(image, 'USER').split(':').map(Number);
const variables = new Set([urlVariable, ...optionNames.map(variableOf)]);
/** What the command takes at most to end: the default of --shutdown-timeout, and 20 s. */
const shutdownSeconds = 30;

interface Service {
  readonly image?: string;
  readonly profiles: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly depends_on?: object;
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly ports?: readonly string[];
  readonly stop_grace_period?: string;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
}

const compose = parse(readFileSync(join(folder, 'compose.yaml'), 'utf8'), {
  merge: true,
}) as Compose;
const services = Object.entries(compose.services);
const studios = services.filter(([name]) => name.startsWith('studio-'));

/** Replaces variables as compose does, with a password that has what needs quoting in some of these texts. */
function interpolated(text: string): string {
  return text.replaceAll(/\$\{(\w+):[-?][^}]*\}/g, (_, name: string) =>
    name === 'DATABASE_PASSWORD' ? 'Long @ secret/1#%' : 'ada:secret',
  );
}

/** Runs the command on a URL whose server is this machine's port 1. */
async function errorOf(url: string, host: string): Promise<string> {
  const local = interpolated(url)
    .replace(new RegExp(`(host=|@|\\(|//)${host}\\b`), '$1127.0.0.1')
    .replace(/(:|port=)\d{4}\b/, '$11');
  const { stderr } = await run(['tables'], { env: { DATABASE_URL: local }, cwd: makeFolder() });
  return stderr;
}

describe('the compose file, which is not started here,', () => {
  test('has a studio for each database', () => {
    const profiles = studios.map(
      ([
        ,
        {
          profiles: [profile],
        },
      ]) => profile,
    );
    expect(profiles).toEqual(['sqlite', 'postgres', 'mysql', 'mariadb', 'sqlserver']);
  });

  test.each(studios)('%s sets only variables of options', (_, { environment }) => {
    expect(Object.keys(environment).filter((name) => !variables.has(name))).toEqual([]);
    expect(environment['STUDIO_AUTH']).toMatch(/^\$\{STUDIO_AUTH:\?/);
  });

  test.each(studios)('%s is confined, and has the paths of the image', (_, service) => {
    expect(service).toMatchObject({ read_only: true, tmpfs: ['/tmp'], cap_drop: ['ALL'] });
    expect(service.volumes).toContain(`state:${state}`);
    expect(service.ports).toEqual([`127.0.0.1:${port}:${port}`]);
    expect(parseInt(service.stop_grace_period ?? '', 10)).toBeGreaterThan(shutdownSeconds);
  });

  test.each(studios.filter(([, { depends_on }]) => depends_on !== undefined))(
    '%s names the server that it depends on, by a URL that the studio understands',
    async (_, service) => {
      const { depends_on: needed = {}, environment, profiles } = service;
      const [host = ''] = Array.isArray(needed) ? (needed as string[]) : Object.keys(needed);
      expect(compose.services[host]?.profiles).toEqual(profiles);
      expect(environment['DATABASE_URL']).toContain(host);
      const error = await errorOf(environment['DATABASE_URL'] ?? '', host);
      expect(error).toContain('no server listens at this address');
    },
  );

  test('declares each volume that it uses, and pins each image', () => {
    const volumeSources = services.flatMap(([, { volumes }]) =>
      volumes.map((path) => path.split(':')[0]),
    );
    const namedVolumes = new Set(volumeSources.filter((name) => /^\w+$/.test(name ?? '')));
    expect([...namedVolumes].toSorted()).toEqual(Object.keys(compose.volumes).toSorted());
    const images = services.map(([, service]) => service.image ?? '');
    expect(images.filter((name) => name !== 'database-studio' && !/:\d/.test(name))).toEqual([]);
  });
});

interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: never;
  readonly stringData: Readonly<Record<string, string>>;
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface Container {
  readonly envFrom: readonly { readonly secretRef: { readonly name: string } }[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly startupProbe: Probe;
  readonly securityContext: object;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

interface Pod {
  readonly securityContext: object;
  readonly terminationGracePeriodSeconds: number;
  readonly containers: readonly [Container];
  readonly volumes: readonly {
    readonly name: string;
    readonly persistentVolumeClaim?: { readonly claimName: string };
  }[];
}

interface Deployment {
  readonly replicas: number;
  readonly selector: { readonly matchLabels: object };
  readonly template: { readonly metadata: { readonly labels: object }; readonly spec: Pod };
}

interface ServiceSpec {
  readonly selector: object;
  readonly ports: readonly [{ readonly targetPort: string }];
}

describe('the manifest for Kubernetes, which is not applied here,', () => {
  const documents = parseAllDocuments(readFileSync(join(folder, 'kubernetes.yaml'), 'utf8'));
  const resources = documents.map((document) => document.toJS() as Resource);
  const find = (kind: string): Resource => {
    const found = resources.filter((resource) => resource.kind === kind);
    expect(found, kind).toHaveLength(1);
    return found[0]!;
  };
  const deployment = find('Deployment').spec as Deployment;
  const pod = deployment.template.spec;
  const [container] = pod.containers;
  const probes = [container.livenessProbe, container.readinessProbe, container.startupProbe];

  test('parses, and its parts refer to each other', () => {
    expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
    expect(container.envFrom[0]?.secretRef.name).toBe(find('Secret').metadata.name);
    const claim = pod.volumes.find(({ persistentVolumeClaim }) => persistentVolumeClaim);
    expect(claim?.persistentVolumeClaim?.claimName).toBe(
      find('PersistentVolumeClaim').metadata.name,
    );
    const mounted = container.volumeMounts.map(({ name }) => name).toSorted();
    expect(mounted).toEqual(pod.volumes.map(({ name }) => name).toSorted());
    const service = find('Service').spec as ServiceSpec;
    for (const labels of [service.selector, deployment.selector.matchLabels])
      expect(deployment.template.metadata.labels).toEqual(labels);
    const [containerPort] = container.ports;
    for (const name of [service.ports[0].targetPort, ...probes.map(({ httpGet }) => httpGet.port)])
      expect(name).toBe(containerPort?.name);
  });

  test('has the port, the user and the writable paths of the image', () => {
    expect(container.ports[0]?.containerPort).toBe(port);
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: user,
      fsGroup: user,
    });
    expect(container.securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toEqual([state, '/tmp']);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(shutdownSeconds);
    expect(deployment.replicas).toBe(1);
  });

  test('sets only variables of options', () => {
    const names = [
      ...container.env.map(({ name }) => name),
      ...Object.keys(find('Secret').stringData),
    ];
    expect(names).toContain('DATABASE_URL');
    expect(names.filter((name) => !variables.has(name))).toEqual([]);
  });

  test('has probes that a studio with these variables passes, as the kubelet asks them', async () => {
    const env = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
    const { DATABASE_URL: _, ...secret } = find('Secret').stringData;
    const { url } = await serve(['--host', '127.0.0.1'], { env: { ...env, ...secret } });
    for (const { httpGet } of probes) {
      // The kubelet names the address of the pod, and sends no credentials.
      const response = await fetchAs(new URL(httpGet.path, url), `10.1.2.3:${port}`);
      expect(response, httpGet.path).toBe(200);
    }
  });
});

/** The status of a request with another Host header, which `fetch` does not send. */
async function fetchAs(url: URL, host: string): Promise<number | undefined> {
  const { get } = await import('node:http');
  return new Promise((resolve, reject) => {
    get(url, { headers: { Host: host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });
}
