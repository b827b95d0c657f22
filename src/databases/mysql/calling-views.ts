/** Views that call functions of the database: those may set variables of the session, which the server does not report. */
import { quoteName } from './ddl.ts';
import type { Schema } from '../../model/schema.ts';

export interface CallingViews {
  /** Takes the views of the structure as it was just read, and gives that back. */
  readonly update: (schema: Schema) => Schema;
  /** Whether a statement of the studio's own, in which names are quoted, may read one of them. */
  areIn(text: string): boolean;
}

export function createCallingViews(): CallingViews {
  let calling: ReadonlySet<string> = new Set();
  return {
    update: (schema) => {
      calling = callingAmong(schema.views);
      return schema;
    },
    areIn: (text) => calling.size > 0 && quotedNames(text).some((name) => calling.has(name)),
  };
}

/** The servers write definitions anew: names are quoted, those of their own functions are not. */
const callsFunction = /`\(/;
/** The prefix of the database itself is left out. */
const readsOtherDatabase = /\b(?:from|join) \(*`(?:[^`]|``)*`\.`/;

function callingAmong(views: Schema['views']): ReadonlySet<string> {
  const calling = new Set<string>();
  const mayCall = ({ definition = '' }: Schema['views'][number]): boolean =>
    definition === '' ||
    callsFunction.test(definition) ||
    readsOtherDatabase.test(definition) ||
    quotedNames(definition).some((name) => calling.has(name));
  // A view may read one that comes later.
  for (let size = -1; size !== calling.size;) {
    size = calling.size;
    for (const view of views) if (mayCall(view)) calling.add(quoteName(view.localName));
  }
  return calling;
}

function quotedNames(text: string): readonly string[] {
  return text.match(/`(?:[^`]|``)*`/g) ?? [];
}
