import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { modifierKey } from '../parts/modifier-key.ts';
import type { JSX } from 'react';
import { missingCapabilityReason } from '../api/capabilities.ts';
import { configQuery, queryClient, schemaQuery } from '../api/queries.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Icon } from '../parts/icon.tsx';
import { SidebarButton } from '../shell/sidebar-button.tsx';
import { explainStatement, noPlanReason, planLines } from './explain.ts';
import { saveQuery } from './past-queries.ts';
import { ParameterBar } from './parameter-bar.tsx';
import { PlanView } from './plan-view.tsx';
import { ResultBar } from './result-bar.tsx';
import { SqlEditor } from './sql-editor.tsx';
import { returnedRows } from './run-statement.ts';
import { SqlResult } from './sql-result.tsx';
import { SqlShelf } from './sql-shelf.tsx';
import { useParameters } from './use-parameters.ts';
import { useRunner } from './use-runner.ts';
import type { Runner } from './use-runner.ts';
import { localStore } from '../parts/browser-storage.ts';

const key = 'studio.sql.text';

/** The page for raw SQL: an editor, and the result. */
export function SqlPage(): JSX.Element {
  const { data: schema } = useQuery(schemaQuery);
  const { data: config } = useQuery(configQuery);
  const [text, setText] = useState(() => localStore.read(key) ?? '');
  const [statement, setStatement] = useState(text);
  const runner = useRunner();
  const parameters = useParameters(schema?.driver, statement);
  const run = async (next: string): Promise<void> => {
    const bound = parameters.bind(next, schema?.driver ?? (await readDriver()));
    if (bound !== undefined) runner.run({ statement: next, ...bound });
  };
  const change = (next: string): void => {
    setText(next);
    localStore.write(key, next);
  };
  if (config?.disable_sql === true) {
    return (
      <section className="sheet blank">
        <h1 className="b">SQL is switched off</h1>
        <p className="t2">
          {missingCapabilityReason(schema, ['sql']) ?? 'The studio was started with --disable-sql.'}
        </p>
      </section>
    );
  }
  return (
    <section className="sheet" aria-label="SQL">
      <SqlToolbar
        text={text}
        statement={statement}
        driver={schema?.driver}
        runner={runner}
        onRun={(next) => void run(next)}
        isReadOnly={config?.read_only === true}
      />
      <div className="split sql-split">
        <div className="left">
          <SqlEditor
            schema={schema}
            text={text}
            onChange={change}
            onRun={(next) => void run(next)}
            onStatement={setStatement}
          />
          <ParameterBar {...parameters} onRun={() => void run(statement)} />
          <Outcome runner={runner} driver={schema?.driver} />
        </div>
        <SqlShelf onShow={change} />
      </div>
    </section>
  );
}

/** The parameter syntax depends on the database, which is unknown until the structure has loaded. */
async function readDriver(): Promise<string | undefined> {
  try {
    return (await queryClient.ensureQueryData(schemaQuery)).driver;
  } catch {
    return undefined;
  }
}

interface OutcomeProps {
  readonly runner: Runner;
  readonly driver: string | undefined;
}

function Outcome({ runner, driver }: OutcomeProps): JSX.Element {
  const { answer, error, isRunning } = runner;
  if (error !== undefined) return <ErrorNotice error={error} />;
  if (answer === undefined)
    return (
      <p className="blank t3" role="status">
        {isRunning ? 'Running …' : `${modifierKey} and Enter run the statement under the cursor.`}
      </p>
    );
  const returned = returnedRows(answer);
  const plan = returned === undefined ? undefined : planLines(returned.columns, returned.rows);
  const isPlan = plan !== undefined && isExplained(runner);
  return (
    <>
      <ResultBar answer={answer} driver={driver} />
      {isPlan && <PlanView lines={plan} />}
      {!isPlan && returned !== undefined && <SqlResult answer={returned} driver={driver} />}
    </>
  );
}

function isExplained({ statement }: Runner): boolean {
  return /^\s*explain\b/i.test(statement);
}

interface SqlToolbarProps {
  readonly text: string;
  /** The statement that would run. */
  readonly statement: string;
  readonly driver: string | undefined;
  readonly runner: Runner;
  readonly onRun: (statement: string) => void;
  readonly isReadOnly: boolean;
}

function SqlToolbar(props: SqlToolbarProps): JSX.Element {
  const { text, statement, driver, runner, onRun, isReadOnly } = props;
  const plan = explainStatement(
    driver,
    statement.replace(/^\s*explain\s+(?:query\s+plan\s+)?/i, ''),
  );
  return (
    <div className="toolbar">
      <SidebarButton />
      <h1 className="title">SQL</h1>
      {isReadOnly && (
        <span
          className="badge lock"
          title="The studio was started read-only: statements may only read."
        >
          <Icon name="lock" /> Reads only
        </span>
      )}
      <span className="grow" />
      <button
        className="btn quiet"
        aria-disabled={plan === undefined}
        title={plan === undefined ? noPlanReason : 'Show the plan of the statement'}
        onClick={() => {
          if (plan !== undefined) onRun(plan);
        }}
      >
        <Icon name="tree" /> Explain
      </button>
      <button
        className="btn"
        onClick={() => {
          if (text.trim() !== '') saveQuery({ name: nameOf(text), statement: text });
        }}
        title="Save in this browser, under its first line"
      >
        <Icon name="star" /> Save
      </button>
      {runner.isRunning ? (
        <button className="btn" onClick={runner.cancel}>
          <Icon name="stop" /> Cancel
        </button>
      ) : (
        <button className="btn primary" onClick={() => onRun(statement)}>
          <Icon name="play" /> Run
          <span className="keys">
            <kbd>{modifierKey}</kbd>
            <kbd>↵</kbd>
          </span>
        </button>
      )}
    </div>
  );
}

const maxNameLength = 80;

function nameOf(text: string): string {
  const [first = ''] = text.trim().split('\n', 1);
  return first.replace(/^--\s*/, '').slice(0, maxNameLength);
}
