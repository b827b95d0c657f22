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

/** One return of ASCII literals without escapes, joined by `+`. Most TableName methods are of this form. */
const literalReturn =
  /^\{\s*return[ \t]*("[ !#-[\]-~]*"(?:[ \t]*\+\s*"[ !#-[\]-~]*")*)[ \t]*;?\s*\}$/;

const literals = new WeakMap<FunctionDeclaration, { readonly text: string | undefined }>();

/**
 * The text that a function returns whose body is only a return of string literals. It is found without parsing the
 * body. Undefined for other bodies.
 */
export function literalResultOf(declared: FunctionDeclaration): string | undefined {
  const read = literals.get(declared) ?? { text: readLiteral(declared) };
  literals.set(declared, read);
  return read.text;
}

function readLiteral({ file, bodyOffset, end }: FunctionDeclaration): string | undefined {
  if (bodyOffset === undefined) return undefined;
  const [, joined] = literalReturn.exec(file.text.slice(bodyOffset, end)) ?? [];
  return joined?.slice(1, -1).replaceAll(/"\s*\+\s*"/g, '');
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
