import type { JSX } from 'react';
import { copyText } from '../parts/copy-text.ts';
import { Icon } from '../parts/icon.tsx';
import { importingTexts as texts } from '../texts/importing.ts';
import { commonTexts } from '../texts/common.ts';

interface SourceBlockProps {
  readonly title: string;
  readonly text: string;
}

/** Shows source code with a copy button. */
export function SourceBlock({ title, text }: SourceBlockProps): JSX.Element {
  return (
    <section className="source-block" aria-label={title}>
      <header className="row">
        <h2 className="m">{title}</h2>
        <button
          className="ib end"
          aria-label={texts.copySource({ title })}
          title={commonTexts.copy}
          onClick={() => void copyText(text)}
        >
          <Icon name="copy" />
        </button>
      </header>
      <pre className="code well" tabIndex={0}>
        {text}
      </pre>
    </section>
  );
}

/** Joins statements to a script. */
export function scriptOf(statements: readonly string[]): string {
  return statements.map((statement) => `${statement.replace(/;?\s*$/, '')};`).join('\n\n');
}
