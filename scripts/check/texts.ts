/**
 * The words of the pages are in `ui/src/texts`, so that they can be read in one go. Finds words in
 * the markup of the folders whose texts have moved there.
 */
import { Visitor } from 'oxc-parser';

import { lineAt, readSources, report } from './sources.ts';
import type { Source } from './sources.ts';

/** Folders of `ui/src` without words in their markup. Add a folder when its texts have moved. */
const finished: ReadonlySet<string> = new Set([
  'api',
  'cells',
  'diagram',
  'editing',
  'exporting',
  'file-preview',
  'grid',
  'importing',
  'login',
  'parts',
  'record',
  'rows-text',
  'shell',
  'sql',
  'structure',
  'table',
  'welcome',
]);

const attributesWithWords: ReadonlySet<string> = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-roledescription',
  'label',
  'note',
  'placeholder',
  'title',
]);

const hasWord = (text: string): boolean => /\p{L}{2}/u.test(text);

interface ValueNode {
  readonly type: string;
  readonly value?: unknown;
  readonly expression?: ValueNode;
  readonly quasis?: readonly { readonly value: { readonly raw: string } }[];
}

/** The literal text of an attribute's value, whether it has expressions in it or not. */
function literalText(node: ValueNode | null | undefined): string {
  if (node?.type === 'JSXExpressionContainer') return literalText(node.expression);
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : '';
  return (node?.quasis ?? []).map(({ value }) => value.raw).join('');
}

export function wordsInMarkup({ path, text, parsed }: Source): string[] {
  const findings: string[] = [];
  const note = (start: number, words: string): void => {
    if (!hasWord(words)) return;
    const shown = words.trim().replaceAll(/\s+/g, ' ');
    findings.push(`${path}:${lineAt(text, start)} "${shown}": move it to ui/src/texts`);
  };
  new Visitor({
    JSXText: ({ start, value }) => note(start, value),
    JSXExpressionContainer: ({ start, expression }) => {
      if (expression.type === 'TemplateLiteral') return;
      if (expression.type === 'Literal' && text[start - 1] !== '=')
        note(start, literalText(expression));
    },
    JSXAttribute: ({ start, name, value }) => {
      if (name.type === 'JSXIdentifier' && attributesWithWords.has(name.name))
        note(start, literalText(value as ValueNode | null));
    },
  }).visit(parsed.program);
  return findings;
}

/** `login` of `ui/src/login/login-page.tsx`. */
const folderOf = (path: string): string => /^ui\/src\/([^/]+)\//.exec(path)?.[1] ?? '';

if (import.meta.main)
  report(
    readSources()
      .filter(({ path }) => finished.has(folderOf(path)))
      .flatMap(wordsInMarkup),
  );
