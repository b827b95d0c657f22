import { LineCounter, isAlias, isMap, isScalar, isSeq, parseDocument, visit } from 'yaml';
import { schemaFromDocument } from '../schema-from-document.ts';
import { parseError } from '../schema-document-node.ts';
import type { Alias, Document, Node, Pair, Scalar, YAMLMap } from 'yaml';
import type { JsonMember, JsonNode } from '../../model/values/exact-json.ts';
import type { Position } from '../../portable/lexer/position.ts';
import type { SchemaContext, ImportedSchema } from '../schema-reader.ts';

export function schemaFromYaml(text: string, schemaContext: SchemaContext): ImportedSchema {
  return schemaFromDocument({ text, visitedObjects: new Map() }, parse(text), schemaContext);
}

function parse(text: string): JsonNode {
  const counter = new LineCounter();
  const document = parseText(text, counter);
  const [error] = document.errors;
  const positionAt = (offset: number): Position => {
    const { line, col } = counter.linePos(offset);
    return { line, column: col };
  };
  if (error !== undefined) {
    const [sentence = ''] = error.message.split(/ at line \d+/);
    throw parseError(`This is not valid YAML: ${sentence}.`, positionAt(error.pos[0]));
  }
  const targets = resolveAliases(document);
  return toJsonNode(document.contents, { targets, positionAt, depth: 0, repeated: { nodes: 0 } });
}

/** Resolves all aliases in one pass, since `alias.resolve` scans the whole document for each. */
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

/** Reports the stack overflow of a text that is nested too deeply as an error of the file. */
function parseText(text: string, lineCounter: LineCounter): Document.Parsed {
  try {
    return parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: false });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw parseError('This is not valid YAML: it is nested too deep.', { line: 1, column: 1 });
  }
}

interface ConversionContext {
  readonly targets: ReadonlyMap<Alias, Node>;
  positionAt(offset: number): Position;
  readonly depth: number;
  /** Number of nodes that aliases have repeated. */
  readonly repeated: { nodes: number };
  readonly inAlias?: boolean;
}

const maxDepth = 100;
/** Limit against aliases of aliases, a few lines of which expand to billions of nodes. */
const maxRepeatedNodes = 10_000;

function toJsonNode(node: Node | null, context: ConversionContext): JsonNode {
  const [start = 0, end = 0] = node?.range ?? [];
  if (context.depth > maxDepth) {
    throw parseError(`The YAML is nested more than ${maxDepth} deep.`, context.positionAt(start));
  }
  if (context.inAlias === true && ++context.repeated.nodes > maxRepeatedNodes) {
    throw parseError(
      `The aliases of this YAML expand to more than ${maxRepeatedNodes} nodes.`,
      context.positionAt(start),
    );
  }
  const inner = { ...context, depth: context.depth + 1 };
  if (isAlias(node)) return toJsonNode(targetOf(node, context), { ...inner, inAlias: true });
  if (isMap(node)) return { kind: 'object', start, end, members: membersOf(node, inner) };
  if (isSeq(node)) {
    const items = (node.items as Node[]).map((item) => toJsonNode(item, inner));
    return { kind: 'array', start, end, items };
  }
  return isScalar(node) ? scalarOf(node) : { kind: 'null', start, end };
}

function targetOf(alias: Alias, { targets, positionAt }: ConversionContext): Node {
  const target = targets.get(alias);
  if (target !== undefined) return target;
  const [start = 0] = alias.range ?? [];
  throw parseError(
    `The alias *${alias.source} refers to no anchor in this YAML.`,
    positionAt(start),
  );
}

function membersOf(map: YAMLMap, context: ConversionContext): readonly JsonMember[] {
  return (map.items as Pair<Node, Node | null>[]).map(({ key, value }) => {
    if (!isScalar(key)) {
      throw parseError(
        'A key of this YAML is not a scalar.',
        context.positionAt(map.range?.[0] ?? 0),
      );
    }
    return { name: sourceText(key), value: toJsonNode(value, context) };
  });
}

function sourceText(scalar: Scalar): string {
  return scalar.source ?? String(scalar.value);
}

/** Numbers keep the digits of the file. */
function scalarOf(scalar: Scalar): JsonNode {
  const [start = 0, end = 0] = scalar.range ?? [];
  const { value } = scalar;
  if (value === null || value === undefined) return { kind: 'null', start, end };
  if (typeof value === 'boolean') return { kind: 'boolean', start, end, value };
  if (typeof value === 'number' || typeof value === 'bigint') {
    return { kind: 'number', start, end, digits: sourceText(scalar) };
  }
  return {
    kind: 'string',
    start,
    end,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  };
}
