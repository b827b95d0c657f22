import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { JSX } from 'react';
import { missingCapabilityReason } from '../api/capabilities.ts';
import { configQuery, schemaQuery } from '../api/queries.ts';
import type { Schema } from '../api/queries.ts';
import { CheckField } from '../parts/choice-field.tsx';
import { Icon } from '../parts/icon.tsx';
import { modifierKey, shortcutText, withShift } from '../parts/modifier-key.ts';
import { useIsPhone } from '../parts/use-is-phone.ts';
import { SidebarButton } from '../shell/sidebar-button.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { explainPrefixOf } from './explain.ts';
import { ParameterBar } from './parameter-bar.tsx';
import { saveQuery } from './saved-queries.ts';
import { ScriptResults } from './script-results.tsx';
import { cancelScript } from './script-runs.ts';
import { SqlEditor } from './sql-editor.tsx';
import { StatementPanel } from './statement-panel.tsx';
import { SqlTabStrip } from './sql-tab-strip.tsx';
import { changeSqlTab, showInSqlTab, useSqlTabs } from './sql-tabs-store.ts';
import type { SqlTab } from './sql-tabs-store.ts';
import { statementsIn } from './statements.ts';
import type { PlacedStatement } from './statements.ts';
import { useScript } from './use-script.ts';
import type { Script } from './use-script.ts';
import { sqlTexts as texts } from '../texts/sql.ts';
import { commonTexts } from '../texts/common.ts';

/** The page for raw SQL: tabs with an editor, and the results of what each last ran. */
export function SqlPage(): JSX.Element {
  const { data: schema } = useQuery(schemaQuery);
  const { data: config, isPending } = useQuery(configQuery);
  const { tabs, active } = useSqlTabs();
  const tab = tabs.find(({ id }) => id === active) ?? tabs[0];
  if (config?.disable_sql === true) {
    return (
      <section className="sheet blank">
        <SidebarButton />
        <h1 className="b">{texts.disabled}</h1>
        <p className="t2">{missingCapabilityReason(schema, ['sql']) ?? texts.disabledByOption}</p>
      </section>
    );
  }
  if (tab === undefined || isPending) return <section className="sheet" />;
  return (
    <SqlTabPage key={tab.id} tab={tab} schema={schema} isReadOnly={config?.read_only === true} />
  );
}

interface SqlTabPageProps {
  readonly tab: SqlTab;
  readonly schema: Schema | undefined;
  readonly isReadOnly: boolean;
}

function SqlTabPage({ tab, schema, isReadOnly }: SqlTabPageProps): JSX.Element {
  // A phone has space for either the editor or the panel of statements.
  const [isPanelShown, setPanelShown] = useState(false);
  const driver = schema?.driver;
  const script = useScript(tab.id, { driver, isReadOnly });
  const { run, runStatements } = script;
  const change = (text: string): void => changeSqlTab(tab.id, { text });
  const runAll = (): void =>
    runStatements((currentDriver) => statementsIn(tab.text, currentDriver));
  return (
    <section className="sheet" aria-label={commonTexts.sql}>
      <SqlToolbar
        text={tab.text}
        driver={driver}
        isReadOnly={isReadOnly}
        script={script}
        onRunAll={runAll}
        onCancel={() => cancelScript(tab.id)}
        isPanelShown={isPanelShown}
        onTogglePanel={() => setPanelShown(!isPanelShown)}
      />
      <SqlTabStrip />
      <div className={`split sql-split ${isPanelShown ? 'panel-shown' : ''}`}>
        <div className="left">
          <SqlEditor
            schema={schema}
            text={tab.text}
            onChange={change}
            onRun={runStatements}
            onRunAll={runAll}
            onStatements={script.setCurrent}
            errorOffsets={script.errorOffsets}
          />
          <ParameterBar {...script.parameters} onRun={script.repeat} />
          <ScriptResults tab={tab.id} run={run} driver={driver} />
        </div>
        <StatementPanel
          onShow={(statement) => {
            showInSqlTab(statement);
            setPanelShown(false);
          }}
        />
      </div>
      {script.confirmation !== undefined && <ConfirmDialog {...script.confirmation} />}
    </section>
  );
}

interface SqlToolbarProps {
  readonly text: string;
  readonly driver: string | undefined;
  readonly isReadOnly: boolean;
  readonly script: Script;
  readonly onRunAll: () => void;
  readonly onCancel: () => void;
  readonly isPanelShown: boolean;
  readonly onTogglePanel: () => void;
}

function SqlToolbar(props: SqlToolbarProps): JSX.Element {
  const { text, driver, isReadOnly, script } = props;
  const { current, runStatements } = script;
  const isScript = statementsIn(text, driver).length > 1;
  const isPhone = useIsPhone();
  return (
    <div className="toolbar sql-toolbar">
      <SidebarButton />
      <h1 className="title">{commonTexts.sql}</h1>
      {isReadOnly && (
        <span className="badge lock" title={texts.readOnlyHint}>
          <Icon name="lock" /> {texts.readOnly}
        </span>
      )}
      <span className="grow" />
      {isScript && (
        <div className="script row">
          <CheckField isOn={script.stopsAtError} onChange={script.setStopsAtError}>
            {texts.stopAtError}
          </CheckField>
        </div>
      )}
      {isPhone && (
        <button
          className="ib"
          aria-label={texts.queryHistory}
          aria-pressed={props.isPanelShown}
          onClick={props.onTogglePanel}
        >
          <Icon name="clock" />
        </button>
      )}
      <ExplainButton current={current} driver={driver} onRun={runStatements} />
      <button
        className="btn"
        onClick={() => {
          if (text.trim() !== '') void saveQuery({ name: nameOf(text), statement: text });
        }}
        title={texts.saveHint}
      >
        <Icon name="star" /> {commonTexts.save}
      </button>
      <RunButtons {...props} isScript={isScript} />
    </div>
  );
}

interface RunButtonsProps extends SqlToolbarProps {
  readonly isScript: boolean;
}

function RunButtons({ script, isScript, onRunAll, onCancel }: RunButtonsProps): JSX.Element {
  const { run, current, runStatements } = script;
  if (run.stop !== undefined)
    return (
      <button className="btn" onClick={onCancel}>
        <Icon name="stop" /> {commonTexts.cancel}
      </button>
    );
  return (
    <>
      {isScript && (
        <button className="btn script" onClick={onRunAll} title={shortcutText(withShift('↵'))}>
          {texts.runAll}
        </button>
      )}
      <button className="btn primary" onClick={() => runStatements(() => current)}>
        <Icon name="play" /> {texts.run}
        <span className="keys">
          <kbd>{modifierKey}</kbd>
          <kbd>↵</kbd>
        </span>
      </button>
    </>
  );
}

interface ExplainButtonProps {
  readonly current: readonly PlacedStatement[];
  readonly driver: string | undefined;
  readonly onRun: Script['runStatements'];
}

function ExplainButton({ current, driver, onRun }: ExplainButtonProps): JSX.Element {
  const prefix = explainPrefixOf(driver);
  const isExplained = current.some(({ text }) => /^\s*explain\b/i.test(text));
  return (
    <button
      className="btn quiet"
      aria-disabled={prefix === undefined}
      title={prefix === undefined ? texts.noPlan : texts.explainHint}
      onClick={() => {
        if (prefix !== undefined) onRun(() => current, isExplained ? '' : prefix);
      }}
    >
      <Icon name="tree" /> {texts.explain}
    </button>
  );
}

const maxNameLength = 80;

function nameOf(text: string): string {
  const [first = ''] = text.trim().split('\n', 1);
  return first.replace(/^--\s*/, '').slice(0, maxNameLength);
}
