/** Finds the names in SQL texts with PostgreSQL's parser. */
import { hasSqlDetails, loadModule, parseSync } from 'libpg-query';
import { StudioError } from '../../../model/errors.ts';
import { moduleUrl } from '../../../processes/module-url.ts';
import { analyzeInThread } from '../../../processes/analyze-long-text.ts';
import { hasTokens } from './body-tokens.ts';
import { mentionsOfBody } from './mentions.ts';
import { mentionsOfTrees } from './tree-mentions.ts';
import type { BodyLanguage } from './body-commands.ts';
import type { Mentions } from './mentions.ts';

export interface TextToRead {
  readonly text: string;
  /** The language of a function body; undefined for a statement. */
  readonly language?: BodyLanguage;
}

/** Parses a statement or a function body. Long texts are parsed in a thread, so that they do not block others. */
export const mentionsOfText = analyzeInThread<TextToRead, Mentions>(
  moduleUrl(new URL('./mentions-worker.ts', import.meta.url)),
  mentionsInThisThread,
);

export async function mentionsInThisThread({ text, language }: TextToRead): Promise<Mentions> {
  await loadModule();
  return language === undefined ? mentionsOfStatement(text) : mentionsOfBody(text, language);
}

/** A newer server may support syntax that this parser does not. Then every word may be a name. */
function mentionsOfStatement(text: string): Mentions {
  try {
    return mentionsOfTrees((parseSync(text).stmts ?? []).map(({ stmt }) => stmt));
  } catch (error) {
    if (!hasSqlDetails(error)) throw error;
    // Tokens are the same in all versions.
    if (!hasTokens(text))
      throw new StudioError('invalid_parameter', error.message, { parameter: 'query' });
    return mentionsOfBody(text);
  }
}
