import { LineCounter, isAlias, isMap, isScalar, isSeq, parseDocument, visit } from 'yaml';
import { schemaFromDocument } from '../schema-from-document.ts';
import { parseError } from '../schema-document-node.ts';
import type { Alias, Document, Node, Pair, Scalar, YAMLMap } from 'yaml';
import type { JsonMember, JsonNode } from '../../model/exact-json.ts';
import type { Position } from '../../sql/position.ts';
import type { SchemaContext, ImportedSchema } from '../schema-reader.ts';

export function schemaFromYaml(text: string, hint: SchemaContext): ImportedSchema {
  return schemaFromDocument({ text, readObjects: new Map() }, parse(text), hint);
}

function parse(text: string): JsonNode {
  const counter = new LineCounter();
  const document = parseText(text, counter);
  const [error] = document.errors;
  const place = (offset: number): Position => {
    const { line, col } = counter.linePos(offset);
    return { line, column: col };
  };
  if (error !== undefined) {
    const [sentence = ''] = error.message.split(/ at line \d+/);
    throw parseError(`This is not valid YAML: ${sentence}.`, place(error.pos[0]));
  }
  const targets = resolveAliases(document);
  return nodeOf(document.contents, { targets, place, depth: 0, repeated: { nodes: 0 } });
}

/** One pass for all aliases: `alias.resolve` goes over the whole document for each. */
function resolveAliases(document: Document.Parsed): ReadonlyMap<Alias, Node> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(document, {
    Node: (_key, node) => {
      if (isAlias(node)) {
        const target = anchors.get(node.source);
        if (target !== undefined) targets.set(node, target);
      } else if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
  });
  return targets;
}

/** What is nested too deep for the stack is too deep for any schema. */
function parseText(text: string, lineCounter: LineCounter): Document.Parsed {
  try {
    return parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: false });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw parseError('This is not valid YAML: it is nested too deep.', { line: 1, column: 1 });
  }
}

interface Reading {
  readonly targets: ReadonlyMap<Alias, Node>;
  place(offset: number): Position;
  readonly depth: number;
  /** Nodes that stand where an alias repeats them. */
  readonly repeated: { nodes: number };
  readonly inAlias?: boolean;
}

const deepest = 100;
/** Far beyond what a schema repeats; a few lines of aliases can stand for billions. */
const mostRepeated = 10_000;

function nodeOf(node: Node | null, reading: Reading): JsonNode {
  const [start = 0, end = 0] = node?.range ?? [];
  if (reading.depth > deepest) {
    throw parseError(`The YAML is nested more than ${deepest} deep.`, reading.place(start));
  }
  if (reading.inAlias === true && ++reading.repeated.nodes > mostRepeated) {
    throw parseError('The aliases of this YAML stand for too much.', reading.place(start));
  }
  const inner = { ...reading, depth: reading.depth + 1 };
  if (isAlias(node)) return nodeOf(targetOf(node, reading), { ...inner, inAlias: true });
  if (isMap(node)) return { kind: 'object', start, end, members: membersOf(node, inner) };
  if (isSeq(node)) {
    const items = (node.items as Node[]).map((item) => nodeOf(item, inner));
    return { kind: 'array', start, end, items };
  }
  return isScalar(node) ? scalarOf(node) : { kind: 'null', start, end };
}

function targetOf(alias: Alias, { targets, place }: Reading): Node {
  const target = targets.get(alias);
  if (target !== undefined) return target;
  const [start = 0] = alias.range ?? [];
  throw parseError(`There is nothing called ${alias.source} in this YAML.`, place(start));
}

function membersOf(map: YAMLMap, reading: Reading): readonly JsonMember[] {
  return (map.items as Pair<Node, Node | null>[]).map(({ key, value }) => {
    if (!isScalar(key)) {
      throw parseError('A key of this YAML is no single word.', reading.place(map.range?.[0] ?? 0));
    }
    return { name: spelled(key), value: nodeOf(value, reading) };
  });
}

function spelled(scalar: Scalar): string {
  return scalar.source ?? String(scalar.value);
}

/** Numbers by their digits as they stand there. */
function scalarOf(scalar: Scalar): JsonNode {
  const [start = 0, end = 0] = scalar.range ?? [];
  const { value } = scalar;
  if (value === null || value === undefined) return { kind: 'null', start, end };
  if (typeof value === 'boolean') return { kind: 'boolean', start, end, value };
  if (typeof value === 'number' || typeof value === 'bigint') {
    return { kind: 'number', start, end, digits: spelled(scalar) };
  }
  return {
    kind: 'string',
    start,
    end,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  };
}
