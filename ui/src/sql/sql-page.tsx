import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { JSX } from 'react';
import { configQuery, schemaQuery } from '../api/queries.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Icon } from '../parts/icon.tsx';
import { saveQuery } from './past-queries.ts';
import { outcomeText, runStatement } from './run-statement.ts';
import type { SqlAnswer } from './run-statement.ts';
import { SqlEditor } from './sql-editor.tsx';
import { SqlResult } from './sql-result.tsx';
import { SqlShelf } from './sql-shelf.tsx';

const key = 'studio.sql.text';

/** Statements of one's own, and what they give. */
export function SqlPage(): JSX.Element {
  const { data: schema } = useQuery(schemaQuery);
  const { data: config } = useQuery(configQuery);
  const [text, setText] = useState(() => localStorage.getItem(key) ?? '');
  const [editorKey, setEditorKey] = useState(0);
  const runner = useRunner();
  const change = (next: string): void => {
    setText(next);
    localStorage.setItem(key, next);
  };
  const show = (statement: string): void => {
    change(statement);
    setEditorKey(editorKey + 1);
  };
  if (config?.disable_sql === true) {
    return (
      <section className="sheet blank">Raw SQL is switched off: the studio was started so.</section>
    );
  }
  return (
    <section className="sheet" aria-label="SQL">
      <SqlToolbar
        text={text}
        isRunning={runner.isRunning}
        onRun={runner.run}
        onCancel={runner.cancel}
      />
      <div className="split sql-split">
        <div className="left">
          <SqlEditor
            key={editorKey}
            schema={schema}
            text={text}
            onChange={change}
            onRun={runner.run}
          />
          {runner.error !== undefined && <ErrorNotice error={runner.error} />}
          {runner.answer !== undefined && (
            <>
              <div className="resbar">
                <span className="ok row">
                  <Icon name="done" size="s" />
                  {outcomeText(runner.answer)}
                </span>
                <span className="badge">{runner.answer.type}</span>
              </div>
              {runner.answer.type === 'read' && <SqlResult answer={runner.answer} />}
            </>
          )}
        </div>
        <SqlShelf onShow={show} />
      </div>
    </section>
  );
}

interface Runner {
  readonly isRunning: boolean;
  readonly answer: SqlAnswer | undefined;
  readonly error: unknown;
  readonly run: (statement: string) => void;
  readonly cancel: () => void;
}

/** One statement at a time; the next one takes the place of what is shown when it is there. */
function useRunner(): Runner {
  const [answer, setAnswer] = useState<SqlAnswer>();
  const [error, setError] = useState<unknown>();
  const [isRunning, setRunning] = useState(false);
  const stop = useRef<AbortController>(undefined);
  const perform = async (statement: string, controller: AbortController): Promise<void> => {
    try {
      setAnswer(await runStatement(statement, controller.signal));
      setError(undefined);
    } catch (failure) {
      setError(controller.signal.aborted ? new Error('Cancelled.') : failure);
    }
    setRunning(false);
  };
  const run = (statement: string): void => {
    if (isRunning || statement.trim() === '') return;
    stop.current = new AbortController();
    setRunning(true);
    void perform(statement, stop.current);
  };
  return { isRunning, answer, error, run, cancel: () => stop.current?.abort() };
}

interface SqlToolbarProps {
  readonly text: string;
  readonly isRunning: boolean;
  readonly onRun: (statement: string) => void;
  readonly onCancel: () => void;
}

function SqlToolbar({ text, isRunning, onRun, onCancel }: SqlToolbarProps): JSX.Element {
  const explain = (): void => onRun(`EXPLAIN ${text}`);
  const save = (): void => {
    const name =
      text
        .split('\n', 1)[0]
        ?.replace(/^--\s*/, '')
        .slice(0, 80) ?? '';
    if (text.trim() !== '') saveQuery({ name, statement: text });
  };
  return (
    <div className="toolbar">
      <h1 className="title">SQL</h1>
      <span className="grow" />
      <button className="btn quiet" onClick={explain}>
        <Icon name="tree" /> Explain
      </button>
      <button className="btn" onClick={save} title="Kept in this browser, under its first line">
        <Icon name="star" /> Save
      </button>
      {isRunning ? (
        <button className="btn" onClick={onCancel}>
          <Icon name="stop" /> Cancel
        </button>
      ) : (
        <button className="btn primary" onClick={() => onRun(text)}>
          <Icon name="play" /> Run
          <span className="keys">
            <kbd>⌘</kbd>
            <kbd>↵</kbd>
          </span>
        </button>
      )}
    </div>
  );
}
