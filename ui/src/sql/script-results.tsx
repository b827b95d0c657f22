import type { JSX } from 'react';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Icon } from '../parts/icon.tsx';
import type { IconName } from '../parts/icon.tsx';
import { shortcutText } from '../parts/modifier-key.ts';
import { useIsPhone } from '../parts/use-is-phone.ts';
import { readPlan } from './plan.ts';
import { PlanView } from './plan-view.tsx';
import { ResultBar } from './result-bar.tsx';
import { outcomeText, returnedRows } from './run-statement.ts';
import { selectStatement } from './script-runs.ts';
import type { ScriptRun, StatementRun } from './script-runs.ts';
import { SqlResult } from './sql-result.tsx';
import { sqlTexts as texts } from '../texts/sql.ts';

interface ScriptResultsProps {
  /** `SqlTab.id` */
  readonly tab: string;
  readonly run: ScriptRun;
  readonly driver: string | undefined;
}

/** The results of the last run, one for each statement. */
export function ScriptResults({ tab, run, driver }: ScriptResultsProps): JSX.Element {
  const { statements, shown } = run;
  const statement = statements[shown];
  const isPhone = useIsPhone();
  if (statement === undefined)
    return (
      <p className="blank t3" role="status">
        {texts.howToRun({ shortcut: isPhone ? texts.run : shortcutText('↵') })}
      </p>
    );
  return (
    <>
      {statements.length > 1 && (
        <div className="subtabs sql-runs" role="tablist" aria-label={texts.results}>
          {statements.map((each, i) => (
            <button
              key={i}
              className={`subtab ${each.state}`}
              role="tab"
              aria-selected={i === shown}
              title={`${each.statement.slice(0, 300)}\n${stateText(each)}`}
              onClick={() => selectStatement(tab, i)}
            >
              <Icon name={stateIcons[each.state]} size="xs" /> {i + 1}
            </button>
          ))}
        </div>
      )}
      <StatementResult key={`${tab} ${shown}`} run={statement} driver={driver} />
    </>
  );
}

const stateIcons: Readonly<Record<StatementRun['state'], IconName>> = {
  waiting: 'clock',
  running: 'play',
  done: 'check',
  failed: 'close',
  skipped: 'minus',
};

function stateText({ state, response }: StatementRun): string {
  if (response !== undefined) return outcomeText(response);
  return stateTexts[state];
}

const stateTexts: Readonly<Record<StatementRun['state'], string>> = {
  waiting: texts.waiting,
  running: texts.running,
  done: texts.done,
  failed: texts.failed,
  skipped: texts.skipped,
};

interface StatementResultProps {
  readonly run: StatementRun;
  readonly driver: string | undefined;
}

function StatementResult({ run, driver }: StatementResultProps): JSX.Element {
  const { state, response, error, statement } = run;
  if (error !== undefined) return <ErrorNotice error={error} />;
  if (response === undefined)
    return (
      <p className="blank t3" role="status">
        {stateTexts[state]}
      </p>
    );
  const returned = returnedRows(response);
  const isExplained = /^\s*explain\b/i.test(statement);
  const plan =
    returned === undefined || !isExplained ? undefined : readPlan(returned.columns, returned.rows);
  return (
    <>
      <ResultBar response={response} driver={driver} />
      {plan !== undefined && <PlanView plan={plan} />}
      {plan === undefined && returned !== undefined && (
        <SqlResult response={returned} driver={driver} />
      )}
    </>
  );
}
