import { readModelSources } from '../studio/core/models.ts';
import { findFonts } from '../studio/export/find-fonts.ts';
import { createStudio } from '../studio/studio.ts';
import type { Studio, StudioOptions } from '../studio/studio.ts';
import type { Invocation } from './parse.ts';

/** Opens the command's database, runs `work` and closes the database. */
export async function withStudio<T>(
  { url = '', values }: Invocation,
  options: Partial<StudioOptions>,
  work: (studio: Studio) => Promise<T>,
): Promise<T> {
  const statementTimeoutMs = values['statement-timeout'];
  const models = await readModelSources(values.models);
  const fonts = findFonts(values.font);
  const studio = await createStudio({
    url,
    statementTimeoutMs,
    models,
    fonts,
    singleUse: true,
    ...options,
  });
  try {
    return await work(studio);
  } finally {
    await studio.close();
  }
}
