import { StudioError } from '../../model/errors.ts';
import type { DataScript } from '../../sql/data-script.ts';
import type { ScriptLanguage } from '../../sql/split.ts';

/** A dialect that scripts may be in. */
interface ScriptDialectChoice {
  readonly name: string;
  readonly language: ScriptLanguage;
  readonly dataScript: DataScript;
}

export interface LanguageOptions {
  /** As the request names it. */
  readonly dialect: string | undefined;
  readonly choices: readonly ScriptDialectChoice[];
  /** The studio's own, which a script is in that shows nothing else. */
  readonly own: string;
}

/** Occurrences beyond these say nothing more. */
const mostCounted = 3;

/** The dialect of a script that begins with this text. */
export function findDialect(head: string, options: LanguageOptions): ScriptDialectChoice {
  const { dialect, choices, own } = options;
  if (dialect !== undefined) return choiceNamed(dialect, choices);
  const first = choiceNamed(own, choices);
  const code = withoutTexts(head);
  return choices.reduce(
    (leader, choice) => (score(choice, code) > score(leader, code) ? choice : leader),
    first,
  );
}

/** What stands in quotes says nothing. Whether a backslash escapes is not known yet; most often it does no harm. */
function withoutTexts(head: string): string {
  return head.replaceAll(/'(?:[^'\\]|\\[^]|'')*'/g, "''");
}

function choiceNamed(name: string, choices: readonly ScriptDialectChoice[]): ScriptDialectChoice {
  const found = choices.find((choice) => choice.name === name.toLowerCase());
  if (found !== undefined) return found;
  const names = choices.map((choice) => choice.name).join(', ');
  throw new StudioError('invalid_parameter', `dialect must be one of ${names}, not "${name}".`, {
    parameter: 'dialect',
  });
}

function score({ dataScript: { signs } }: ScriptDialectChoice, head: string): number {
  return signs.reduce((sum, { pattern, weight }) => {
    const count = head.match(pattern)?.length ?? 0;
    return sum + Math.min(count, mostCounted) * weight;
  }, 0);
}
