import { loadLanguage } from '../../databases/index.ts';
import { moduleUrl } from '../../processes/module-url.ts';
import { classify } from '../../sql/classify.ts';
import { judgeInThread } from '../../processes/judge-long-text.ts';
import type { Dialect } from '../../model/database.ts';
import type { Classification } from '../../sql/classify.ts';

export interface TextToClassify {
  readonly text: string;
  readonly dialect: Pick<Dialect, 'name'>;
}

export async function classifyHere({ text, dialect }: TextToClassify): Promise<Classification> {
  return classify(text, await loadLanguage(dialect));
}

const classifyMessage = judgeInThread<TextToClassify, Classification>(
  moduleUrl(new URL('./classify-worker.ts', import.meta.url)),
  classifyHere,
);

/** As `classify`, without holding up others where the text is long. */
export function classifyText(text: string, { name }: Dialect): Promise<Classification> {
  return classifyMessage({ text, dialect: { name } });
}
