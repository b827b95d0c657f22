import { Compiler, DEFAULT_ENTRY, MemoryProjectLayout } from '@dbml/parse';
import { StudioError } from '../../model/errors.ts';
import { lineColumn } from '../../portable/lexer/position.ts';
import type { Database } from '@dbml/parse';

/** The parser takes minutes for tens of megabytes, so longer files are rejected. */
const maxLength = 50 * 1024 * 1024;

/** Parses a file with DBML's own parser. Other files of the project, which `use` imports, are not available. */
export function parseDbml(text: string): Database {
  if (text.length > maxLength) {
    throw new StudioError('too_large', 'The DBML file is longer than 50 MB.');
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
    return { value: undefined, errors: [{ diagnostic: 'It is nested too deeply', start: 0 }] };
  }
}

const maxErrors = 100;

/** Keeps the parser's order: syntax errors come before semantic ones. */
export function dbmlError(text: string, faults: readonly Fault[]): StudioError {
  const errors = faults.slice(0, maxErrors).map(({ diagnostic, start }) => ({
    code: 'parse_failed',
    message: `${diagnostic.replace(/\.$/, '')}.`,
    ...lineColumn(text, start),
  }));
  const [first = { message: 'The parser reports no reason.', line: 1, column: 1 }] = errors;
  const { line, column } = first;
  const location = `line ${line}, column ${column}`;
  return new StudioError('parse_failed', `This is not valid DBML (${location}): ${first.message}`, {
    line,
    column,
    errors,
  });
}
