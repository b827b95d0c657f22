/** What texts name, by PostgreSQL's own grammar. */
import { hasSqlDetails, loadModule, parseSync } from 'libpg-query';
import { StudioError } from '../../../model/errors.ts';
import { moduleUrl } from '../../../processes/module-url.ts';
import { judgeInThread } from '../../../processes/judge-long-text.ts';
import { hasTokens } from './body-tokens.ts';
import { mentionsOfBody } from './mentions.ts';
import { mentionsOfTrees } from './tree-mentions.ts';
import type { BodyLanguage } from './body-commands.ts';
import type { Mentions } from './mentions.ts';

export interface TextToRead {
  readonly text: string;
  /** Of a function's body; a statement has none. */
  readonly language?: BodyLanguage;
}

/** As a statement, or as the body of a function, without holding up others where the text is long. */
export const mentionsOfText = judgeInThread<TextToRead, Mentions>(
  moduleUrl(new URL('./mentions-worker.ts', import.meta.url)),
  mentionsHere,
);

export async function mentionsHere({ text, language }: TextToRead): Promise<Mentions> {
  await loadModule();
  return language === undefined ? mentionsOfStatement(text) : mentionsOfBody(text, language);
}

/** What the grammar does not know, a newer server may: then every word may be a name. */
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
