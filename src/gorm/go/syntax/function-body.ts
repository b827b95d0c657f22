/** Parses the bodies of functions, each once, when its result is needed for the first time. */
import { parser } from '@lezer/go';
import type { SyntaxNode } from '@lezer/common';
import { isGoSyntaxError, outlineOf } from './outline.ts';
import type { FunctionDeclaration } from './syntax.ts';

export interface FunctionBody {
  readonly block: SyntaxNode;
  /** The text that the nodes refer to: a file with the function only, without comments. */
  readonly text: string;
  /** False if the outline of the text has errors, so that the nodes may be wrong. */
  readonly isValid: boolean;
}

const bodies = new WeakMap<FunctionDeclaration, { readonly body: FunctionBody | undefined }>();

/** Undefined if the function has no body. */
export function bodyOf(declared: FunctionDeclaration): FunctionBody | undefined {
  const parsed = bodies.get(declared) ?? { body: parseBody(declared) };
  bodies.set(declared, parsed);
  return parsed.body;
}

function parseBody({ file, offset, end, receiver }: FunctionDeclaration): FunctionBody | undefined {
  const source = `package p;${file.text.slice(offset, end)}`;
  const outline = outlineOf(source, { keepBodies: true });
  const isValid = !isGoSyntaxError(outline);
  const { text, grammarText } = isValid ? outline : { text: source, grammarText: source };
  const block = parser
    .parse(grammarText)
    .topNode.getChild(receiver === undefined ? 'FunctionDecl' : 'MethodDecl')
    ?.getChild('Block');
  return block === null || block === undefined ? undefined : { block, text, isValid };
}
