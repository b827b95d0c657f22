import type { SyntaxNode } from '@lezer/common';

import { unquote } from './literals.ts';
import type { FieldDeclaration, NamedExpression, TypeExpression } from './syntax.ts';

export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
}

export function childOf(node: SyntaxNode, kind: string): SyntaxNode | undefined {
  return node.getChild(kind) ?? undefined;
}

/** Reads a type from the syntax tree. */
export function readType(node: SyntaxNode, text: string): TypeExpression {
  switch (node.name) {
    case 'PointerType':
      return { form: 'pointer', to: readType(node.lastChild!, text) };
    case 'SliceType':
      return { form: 'slice', of: readType(node.lastChild!, text) };
    case 'ArrayType':
      return { form: 'array', of: readType(node.lastChild!, text) };
    case 'ParenthesizedType':
    case 'ParenthesizedExpr':
      return readType(childrenOf(node)[1] ?? node.firstChild!, text);
    case 'StructType':
      return { form: 'struct', fields: readFields(node, text) };
    case 'MapType':
      return { form: 'map', of: readType(node.lastChild!, text) };
    case 'FunctionType':
      return { form: 'func' };
    case 'ChannelType':
      return { form: 'chan' };
    case 'InterfaceType':
      return { form: 'interface' };
    default:
      return readName(node, text);
  }
}

function readName(node: SyntaxNode, text: string): NamedExpression {
  if (node.name === 'ParameterizedType') {
    const args = node.getChild('TypeArgs');
    const types =
      args === null ? [] : childrenOf(args).filter(({ name }) => !/^[[\],]$/.test(name));
    return { ...readName(node.firstChild!, text), args: types.map((type) => readType(type, text)) };
  }
  const sourceText = text.slice(node.from, node.to).replaceAll(/\s/g, '');
  const dot = sourceText.lastIndexOf('.');
  const qualifier = dot === -1 ? undefined : sourceText.slice(0, dot);
  return { form: 'name', name: sourceText.slice(dot + 1), qualifier, args: [] };
}

function readFields(struct: SyntaxNode, text: string): readonly FieldDeclaration[] {
  const body = struct.getChild('StructBody');
  return body === null ? [] : body.getChildren('FieldDecl').map((field) => readField(field, text));
}

function readField(field: SyntaxNode, text: string): FieldDeclaration {
  const parts = childrenOf(field).filter(({ name }) => name !== ',');
  const names = parts.filter(({ name }) => name === 'FieldName');
  const tag = parts.at(-1)?.name === 'String' ? parts.at(-1) : undefined;
  const type = (tag === undefined ? parts : parts.slice(0, -1)).at(-1);
  const fieldType = type === undefined ? unnamed : readType(type, text);
  return {
    names: names.map(({ from, to }) => text.slice(from, to)),
    type: parts[0]?.name === '*' ? { form: 'pointer', to: fieldType } : fieldType,
    tag: tag === undefined ? '' : (unquote(text.slice(tag.from, tag.to)) ?? ''),
    offset: field.from,
  };
}

const unnamed: NamedExpression = { form: 'name', name: '', qualifier: undefined, args: [] };
