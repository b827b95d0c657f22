import { Compiler, DEFAULT_ENTRY, MemoryProjectLayout } from '@dbml/parse';
import { StudioError } from '../../model/errors.ts';
import { lineColumn } from '../../sql/position.ts';
import type { Database } from '@dbml/parse';

/** Tens of megabytes take minutes; what is longer than this is refused before. */
const longestText = 50 * 1024 * 1024;

/** The file as DBML's own parser understands it; the rest of the project, which `use` asks for, is not there. */
export function parseDbml(text: string): Database {
  if (text.length > longestText) {
    throw new StudioError('too_large', 'A DBML file may have 50 MB.');
  }
  const layout = new MemoryProjectLayout();
  layout.setSource(DEFAULT_ENTRY, text);
  const { value, errors } = interpret(new Compiler(layout));
  if (errors.length > 0 || value === undefined) throw dbmlError(text, errors);
  return value;
}

interface Interpreted {
  readonly value: Database | undefined;
  readonly errors: readonly Fault[];
}

export interface Fault {
  readonly diagnostic: string;
  /** Offset in the text. */
  readonly start: number;
}

function interpret(compiler: Compiler): Interpreted {
  try {
    const report = compiler.interpretFile(DEFAULT_ENTRY);
    return { value: report.getValue(), errors: report.getErrors() };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { value: undefined, errors: [{ diagnostic: 'It is nested too deep', start: 0 }] };
  }
}

const mostErrors = 100;

/** The parser's own order: what cannot be read comes before what makes no sense. */
export function dbmlError(text: string, faults: readonly Fault[]): StudioError {
  const errors = faults.slice(0, mostErrors).map(({ diagnostic, start }) => ({
    code: 'parse_failed',
    message: `${diagnostic.replace(/\.$/, '')}.`,
    ...lineColumn(text, start),
  }));
  const [first = { message: 'It cannot be understood.', line: 1, column: 1 }] = errors;
  const { line, column } = first;
  const place = `line ${line}, column ${column}`;
  return new StudioError('parse_failed', `This is not valid DBML (${place}): ${first.message}`, {
    line,
    column,
    errors,
  });
}
