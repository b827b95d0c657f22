/** The source of src/contract/client/call-types.ts: the types of all calls, derived from the routes. */
import { z } from 'zod';
import { namedSchemas } from '../../src/contract/named-schema.ts';
import { pathParameterNames } from '../../src/contract/path.ts';
import { routes } from '../../src/contract/routes.ts';
import { objectTypeOf, comment, literal, memberOf, typeOf } from './typescript.ts';
import type { QueryParameter } from '../../src/contract/parameter.ts';
import type { Route } from '../../src/contract/route.ts';
import type { JsonSchema, TypeContext } from './typescript.ts';

/** Written by hand in src/contract/cell.ts, because it is recursive. */
const cellName = 'Cell';
const allRoutes: Readonly<Record<string, Route>> = routes;

const responseSchemas = schemasOf('output');
const requestSchemas = schemasOf('input');

function schemasOf(io: 'input' | 'output'): Readonly<Record<string, JsonSchema>> {
  const { schemas } = z.toJSONSchema(namedSchemas, { io, uri: (name) => name });
  return schemas as Readonly<Record<string, JsonSchema>>;
}

const responseContext: TypeContext = { anyValue: cellName, typeOfRef: (name) => name };

/** Request bodies have no named types, since their values may be of more types than those of responses. */
const requestContext: TypeContext = {
  anyValue: 'CellInput',
  typeOfRef: (name) => typeOf(requestSchemas[name] ?? {}, requestContext),
};

export function callTypes(): string {
  return [
    '/** Types of all calls of the API. Written by scripts/write-call-types.ts from the routes. */',
    "import type { Cell, CellInput } from '../cell.ts';",
    '',
    ...namesInResponses().map(schemaType),
    `/** The calls, by method and path. */\nexport interface Calls ${objectTypeOf(Object.values(allRoutes).map(callType))}`,
    '',
    '/** Query parameters whose items are sent as one list, separated by commas. */',
    `export const separatedParameters: ReadonlySet<string> = new Set(${JSON.stringify(separatedNames()).replaceAll('"', "'").replaceAll(',', ', ')});`,
    '',
  ].join('\n');
}

/** Schemas that responses use, directly or within others. */
function namesInResponses(): readonly string[] {
  const names = new Set(Object.values(allRoutes).flatMap((route) => responseName(route) ?? []));
  for (const name of names) {
    for (const ref of refsOf(responseSchemas[name])) names.add(ref);
  }
  names.delete(cellName);
  return [...names].toSorted();
}

function refsOf(schema: unknown): readonly string[] {
  const refs: string[] = [];
  JSON.stringify(schema, (key, value: unknown) => {
    if (key === '$ref') refs.push(String(value));
    return value;
  });
  return refs;
}

function responseName({ responses }: Route): string | undefined {
  return (responses[200] ?? responses[201])?.json?.name;
}

function schemaType(name: string): string {
  const schema = responseSchemas[name] ?? {};
  return `${comment(schema.description)}export type ${name} = ${typeOf(schema, responseContext)};\n`;
}

function callType(route: Route): string {
  const requiredMember = (name: string, type: string) => memberOf(name, { type, isRequired: true });
  const params = pathParameterNames(route.path).map((name) => requiredMember(name, 'string'));
  const query = Object.entries(route.query).map(([name, parameter]) =>
    memberOf(name, { type: queryType(parameter), isRequired: false }, parameter),
  );
  const members = [
    requiredMember('params', objectTypeOf(params)),
    requiredMember('query', objectTypeOf(query)),
    ...(route.takesFilters === true ? [requiredMember('takesFilters', 'true')] : []),
    ...bodyType(route).map((type) => requiredMember('body', type)),
    requiredMember('response', responseName(route) ?? fileType(route)),
  ];
  const type = objectTypeOf(members);
  return `${comment(`${route.summary}. ${route.description}`)}readonly ${literal(`${route.method} ${route.path}`)}: ${type};`;
}

/** The type of a response without JSON: a file or a single value, which is null for NULL, or no body at all. */
function fileType({ responses }: Route): string {
  return responses[200] === undefined ? 'null' : 'Blob | null';
}

function queryType({ schema, repeated }: QueryParameter): string {
  const type = typeOf(z.toJSONSchema(schema, { io: 'output' }) as JsonSchema, responseContext);
  if (!repeated) return type;
  return type.includes('|') ? `readonly (${type})[]` : `readonly ${type}[]`;
}

function bodyType({ body }: Route): readonly string[] {
  if (body === undefined) return [];
  if ('upload' in body) return ["'files'"];
  if ('binary' in body) return ["'binary'"];
  return [`{ readonly json: ${requestContext.typeOfRef(body.json.name)} }`];
}

function separatedNames(): readonly string[] {
  const parameters = Object.values(allRoutes).flatMap(({ query }) => Object.entries(query));
  const separated = parameters.filter(([, { separated: isSeparated }]) => isSeparated === true);
  return [...new Set(separated.map(([name]) => name))].toSorted();
}
