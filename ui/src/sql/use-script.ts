import { useMemo, useState } from 'react';
import { queryClient, schemaQuery } from '../api/queries.ts';
import { dangerOf } from './dangerous-statement.ts';
import type { Danger } from './dangerous-statement.ts';
import { errorOffset, runScript, useScriptRun } from './script-runs.ts';
import type { PreparedStatement, ScriptRun } from './script-runs.ts';
import type { PlacedStatement } from './statements.ts';
import { useParameters } from './use-parameters.ts';
import type { Parameters } from './use-parameters.ts';

/** Finds what is to run once the database, and so its lexical rules, are known. */
export type FindStatements = (driver: string | undefined) => readonly PlacedStatement[];

/** What a tab of the SQL page runs, and last ran. */
export interface Script {
  readonly run: ScriptRun;
  /** The statements that would run: those selected, or the one under the cursor. */
  readonly current: readonly PlacedStatement[];
  readonly setCurrent: (statements: readonly PlacedStatement[]) => void;
  /** Values of the parameters of what would run, or of what should have run and lacks values. */
  readonly parameters: Parameters;
  readonly runStatements: (find: FindStatements, prefix?: string) => void;
  /** Runs what lacked values of parameters. */
  readonly repeat: () => void;
  /** Set while dangerous statements wait to be confirmed. */
  readonly confirmation: Confirmation | undefined;
  readonly stopsAtError: boolean;
  readonly setStopsAtError: (stops: boolean) => void;
  /** Offsets in the text of the editor of what the database rejected. */
  readonly errorOffsets: readonly number[];
}

/** A statement that is confirmed before it runs. */
export interface DangerousStatement {
  readonly danger: Danger;
  readonly prepared: PreparedStatement;
}

interface Confirmation {
  readonly dangerous: readonly DangerousStatement[];
  readonly onRun: () => void;
  readonly onClose: () => void;
}

interface PendingConfirmation {
  readonly prepared: readonly PreparedStatement[];
  readonly dangerous: readonly DangerousStatement[];
}

interface RequestedRun {
  readonly statements: readonly PlacedStatement[];
  readonly prefix: string;
}

interface ScriptOptions {
  readonly driver: string | undefined;
  readonly isReadOnly: boolean;
}

/** `tab` is the id of a tab of the SQL page. */
export function useScript(tab: string, { driver, isReadOnly }: ScriptOptions): Script {
  const run = useScriptRun(tab);
  const [current, setCurrent] = useState<readonly PlacedStatement[]>([]);
  const [requested, setRequested] = useState<RequestedRun>();
  const parameters = useParameters(
    driver,
    (requested?.statements ?? current).map(({ text }) => text),
  );
  const [pending, setPending] = useState<PendingConfirmation>();
  const [stopsAtError, setStopsAtError] = useState(true);
  const start = (prepared: readonly PreparedStatement[]): void => {
    setPending(undefined);
    void runScript(tab, prepared, { stopsAtError });
  };
  const prepare = async (find: FindStatements, prefix: string): Promise<void> => {
    const knownDriver = driver ?? (await readDriver());
    const statements = find(knownDriver);
    setRequested({ statements, prefix });
    const prepared: PreparedStatement[] = [];
    for (const { text, from } of statements) {
      const statement = prefix + text;
      const bound = parameters.bind(statement, knownDriver);
      if (bound === undefined) return;
      prepared.push({ statement, ...bound, from, added: prefix.length });
    }
    const dangerous = isReadOnly ? [] : dangerousStatements(prepared, knownDriver);
    if (dangerous.length > 0) setPending({ prepared, dangerous });
    else start(prepared);
  };
  return {
    run,
    current,
    setCurrent: (statements) => {
      setCurrent(statements);
      setRequested(undefined);
    },
    parameters,
    runStatements: (find, prefix = '') => void prepare(find, prefix),
    repeat: () => void prepare(() => requested?.statements ?? current, requested?.prefix ?? ''),
    confirmation: pending && {
      dangerous: pending.dangerous,
      onRun: () => start(pending.prepared),
      onClose: () => setPending(undefined),
    },
    stopsAtError,
    setStopsAtError,
    errorOffsets: useMemo(
      () => run.statements.flatMap((each) => errorOffset(each) ?? []),
      [run.statements],
    ),
  };
}

function dangerousStatements(
  prepared: readonly PreparedStatement[],
  driver: string | undefined,
): readonly DangerousStatement[] {
  return prepared.flatMap((each) => {
    const danger = dangerOf(each.statement, driver);
    return danger === undefined ? [] : [{ danger, prepared: each }];
  });
}

/** The parameter syntax depends on the database, which is unknown until the structure has loaded. */
async function readDriver(): Promise<string | undefined> {
  try {
    return (await queryClient.ensureQueryData(schemaQuery)).driver;
  } catch {
    return undefined;
  }
}
