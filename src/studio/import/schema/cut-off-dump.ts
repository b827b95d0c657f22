/** Finds dumps that lack their end. */
import type { DumpTool } from '../../../sql/ddl/ddl-reader.ts';

/** A dump that is cut off between two statements is valid SQL. Only the comments of the tool tell. */
export function cutOffWarnings(text: string, tools: readonly DumpTool[]): readonly string[] {
  return tools
    .filter(({ begin, end }) => begin.test(text) && !end.test(text))
    .map(
      ({ name, lastComment }) =>
        `The file begins as one of ${name}, but has no comment "${lastComment}" at its end: if it has been cut off, what is missing was not imported.`,
    );
}
