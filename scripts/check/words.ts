/**
 * Words that this project retired because a newcomer cannot know what they mean here. Some are
 * retired in names, comments and documents; others are plain English in a sentence and say too
 * little in a name. CONTRIBUTING.md says how to name things.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { Visitor } from 'oxc-parser';

import { lineAt, readSources, report } from './sources.ts';
import type { Source } from './sources.ts';

/** A regular expression for one word in lower case, and what to write instead. */
type Retired = Readonly<Record<string, string>>;

const retiredEverywhere: Retired = {
  'told|untold': 'returned, reported, given',
  'spell|spells|spelled|spelling|spellings|speller|spellers':
    'render, format, write; typeName, sqlType',
  whereabouts: 'position, offset',
  'gather|gathers|gathered|gathering': 'collect',
  'heal|heals|healed|healing': 'recover, repair',
  'ears|doors|deeds|theirs': 'listeners, ports, actions, remote',
  'refusal|refusals': 'error, rejection',
  'objection|objections': 'unsupportedReason',
  'remark|remarks': 'warning, note',
  'manner|manners': 'mode',
  'portion|portions|stretch|stretches': 'chunk of bytes, batch of rows, range',
  'suspension|suspensions': 'disabled constraints',
  'lean|leans': 'depends on',
  sought: 'target, searched',
  'colour|flavour|flavours|behaviour|catalogue|labelled|modelled': 'the US spelling',
};

const retiredInNames: Retired = {
  'tell|tells|telling': 'returning, reports, withStudioErrors',
  'turn|turns': 'lock, queue',
  'piece|pieces': 'chunk of bytes, batch of rows',
  'wanted|usual|meant|chosen|kept': 'requested, default, expected, selected, retained',
  'marks|signs': 'tokens, hints, markers',
  news: 'message',
  'answer|answers|answered|answering|unanswered': 'response, result; completed',
  place: 'position, offset, index, location',
  'lone|stray': 'single, misplaced',
  loose: 'unenforced',
  'judge|judges|judged': 'reference, expected, result',
  'surroundings|litter': 'external objects, system files',
};

const root = join(import.meta.dirname, '..', '..');

/** `toldColumns` and `told_columns` are two words each. */
function retiredIn(text: string, retired: Retired): string[] {
  const words = text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  return Object.entries(retired).flatMap(([pattern, instead]) =>
    words
      .filter((word) => new RegExp(`^(?:${pattern})$`).test(word))
      .map((word) => `"${word}": write ${instead}`),
  );
}

/** A property of React, which objects of JSX attributes declare. */
const namesOfLibraries: ReadonlySet<string> = new Set(['spellCheck']);

interface NameOrPattern {
  type?: string;
  name?: string;
  start?: number;
  left?: unknown;
  argument?: unknown;
  elements?: readonly unknown[];
  properties?: readonly { shorthand?: boolean; value?: unknown }[];
}

/** The names that a file declares, without those that a library prescribes. */
function declaredNames({ parsed }: Source): { name: string; start: number }[] {
  const names: { name: string; start: number }[] = [];
  const collectNames = (node: unknown): void => {
    const { type, name, start = 0, ...pattern } = (node ?? {}) as NameOrPattern;
    if (type === 'Identifier' && name !== undefined) names.push({ name, start });
    else if (type === 'AssignmentPattern') collectNames(pattern.left);
    else if (type === 'RestElement') collectNames(pattern.argument);
    else if (type === 'ArrayPattern') collectAll(pattern.elements ?? []);
    else if (type === 'ObjectPattern')
      // `{ name }` takes a name that is declared elsewhere.
      for (const property of pattern.properties ?? [])
        if (property.shorthand !== true) collectNames(property.value ?? property);
  };
  const collectAll = (nodes: readonly unknown[]): void => nodes.forEach(collectNames);
  new Visitor({
    FunctionDeclaration: ({ id, params }) => collectAll([id, ...params]),
    FunctionExpression: ({ params }) => collectAll(params),
    ArrowFunctionExpression: ({ params }) => collectAll(params),
    VariableDeclarator: ({ id }) => collectNames(id),
    ClassDeclaration: ({ id }) => collectNames(id),
    PropertyDefinition: ({ key }) => collectNames(key),
    MethodDefinition: ({ key }) => collectNames(key),
    Property: ({ key }) => collectNames(key),
    TSInterfaceDeclaration: ({ id }) => collectNames(id),
    TSTypeAliasDeclaration: ({ id }) => collectNames(id),
    TSPropertySignature: ({ key }) => collectNames(key),
    TSMethodSignature: ({ key }) => collectNames(key),
  }).visit(parsed.program);
  return names.filter(({ name }) => name !== '' && !namesOfLibraries.has(name));
}

export function retiredWordsOf(source: Source): string[] {
  const { path, text, parsed } = source;
  const inNames = declaredNames(source).flatMap(({ name, start }) =>
    retiredIn(name, { ...retiredEverywhere, ...retiredInNames }).map(
      (finding) => `${path}:${lineAt(text, start)} ${name}: ${finding}`,
    ),
  );
  const inComments = parsed.comments.flatMap(({ value, start }) =>
    retiredIn(value, retiredEverywhere).map(
      (finding) => `${path}:${lineAt(text, start)} comment: ${finding}`,
    ),
  );
  const inPath = retiredIn(path, { ...retiredEverywhere, ...retiredInNames }).map(
    (finding) => `${path} file name: ${finding}`,
  );
  return [...inPath, ...inNames, ...inComments];
}

function documents(): string[] {
  const files = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  const pages = files.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);
  return ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...pages].map((path) =>
    path.replaceAll('\\', '/'),
  );
}

function retiredWordsOfDocument(path: string): string[] {
  return readFileSync(join(root, path), 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      retiredIn(line, retiredEverywhere).map((finding) => `${path}:${index + 1} ${finding}`),
    );
}

if (import.meta.main) {
  const findings = [
    ...readSources('test', 'scripts', 'bench')
      .filter(({ path }) => path !== 'scripts/check/words.ts')
      .flatMap(retiredWordsOf),
    ...documents().flatMap(retiredWordsOfDocument),
  ];
  const folder = process.argv[2] ?? '';
  report(findings.filter((finding) => finding.startsWith(folder)));
}
