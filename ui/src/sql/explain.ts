import { presentationOf } from '../../../src/databases/presentations.ts';

/** What is written in front of a statement to get its plan. Undefined if the database has no such prefix. */
export function explainPrefixOf(driver: string | undefined): string | undefined {
  return presentationOf(driver)?.explainPrefix;
}
