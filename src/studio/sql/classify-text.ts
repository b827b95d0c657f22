import { loadLanguage } from '../../databases/index.ts';
import { moduleUrl } from '../../processes/module-url.ts';
import { classify } from '../../sql/classify.ts';
import { analyzeInThread } from '../../processes/analyze-long-text.ts';
import type { Dialect } from '../../model/database.ts';
import type { Classification } from '../../sql/classify.ts';

export interface TextToClassify {
  readonly text: string;
  readonly dialect: Pick<Dialect, 'name'>;
}

export async function classifyInProcess({
  text,
  dialect,
}: TextToClassify): Promise<Classification> {
  return classify(text, await loadLanguage(dialect));
}

const classifyInThread = analyzeInThread<TextToClassify, Classification>(
  moduleUrl(new URL('./classify-worker.ts', import.meta.url)),
  classifyInProcess,
);

/** Like `classify`, but classifies a long text in a thread, so that it does not block other requests. */
export function classifyText(text: string, { name }: Dialect): Promise<Classification> {
  return classifyInThread({ text, dialect: { name } });
}
