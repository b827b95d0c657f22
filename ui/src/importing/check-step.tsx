import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { schemaQuery } from '../api/queries.ts';
import type { Schema } from '../api/queries.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { focusOnMount } from '../parts/focus-on-mount.ts';
import { CheckField } from '../parts/choice-field.tsx';
import { newTablesTexts } from '../texts/new-tables.ts';
import { DataOutcome, Figure } from './data-outcome.tsx';
import { DumpOptions } from './dump-options.tsx';
import { ErrorTable } from './error-table.tsx';
import { ErrorsButton } from './errors-button.tsx';
import { choose, goBack, performImport } from './import-store.ts';
import type { ImportState, Outcome } from './import-store.ts';
import { ModelsOptions } from './models-options.tsx';
import { existingTablesIn, tablesInError } from './new-tables.ts';
import { NewTablesEditor } from './new-tables-editor.tsx';
import { ReplacedRows } from './replaced-rows.tsx';
import { fileErrorsInDetails } from './row-errors.ts';
import { SchemaOptions } from './schema-options.tsx';
import { scriptOf, SourceBlock } from './source-block.tsx';
import { StructureOutcome } from './structure-outcome.tsx';
import { writtenRows } from './written-rows.ts';
import { importingTexts as texts } from '../texts/importing.ts';
import { commonTexts } from '../texts/common.ts';

/** The result of the dry run. */
export function CheckStep({ state }: { readonly state: ImportState }): JSX.Element {
  const { check, choices, kind } = state;
  return (
    <>
      {kind === 'schema' && <SchemaOptions state={state} />}
      {kind === 'dump' && <DumpOptions state={state} />}
      {kind === 'models' && <ModelsOptions state={state} />}
      <div
        className="wizard-body"
        ref={focusOnMount}
        tabIndex={0}
        role="region"
        aria-label={texts.step.check}
      >
        {check !== undefined && <CheckResult check={check} />}
        <CreatedTables state={state} />
        {check?.response?.kind === 'data' && choices.mode === 'replace' && (
          <ReplacedRows names={Object.keys(check.response.body.tables)} />
        )}
      </div>
      <div className="wizard-foot">
        {kind === 'data' && <SkipChoice state={state} />}
        <span className="grow" />
        <button className="btn lg" onClick={goBack}>
          {commonTexts.back}
        </button>
        <ImportButton state={state} />
      </div>
    </>
  );
}

/** The tables that a data import creates, and their SQL. If the check rejects them, they can still be changed. */
function CreatedTables({ state }: { readonly state: ImportState }): JSX.Element | null {
  const { check, choices, uncheckedTables } = state;
  const body = check?.response?.kind === 'data' ? check.response.body : undefined;
  const { data: schema } = useQuery(schemaQuery);
  const tables =
    uncheckedTables ?? body?.schema ?? tablesInError(check?.error) ?? choices.newTables;
  if (!choices.createsTables || tables === undefined) return null;
  return (
    <>
      <NewTablesEditor
        tables={tables}
        existingNames={new Set([...namesOf(schema), ...existingTablesIn(check?.error)])}
        isChanged={uncheckedTables !== undefined}
      />
      {body?.statements !== undefined && uncheckedTables === undefined && (
        <div className="structure-outcome">
          <SourceBlock title={newTablesTexts.sql} text={scriptOf(body.statements)} />
        </div>
      )}
    </>
  );
}

/** The names that a new table cannot have. */
function namesOf(schema: Schema | undefined): readonly string[] {
  return schema === undefined ? [] : [...schema.tables, ...schema.views].map(({ name }) => name);
}

function CheckResult({ check }: { readonly check: Outcome }): JSX.Element {
  const { response } = check;
  if (response === undefined) return <Failure {...check} />;
  if (response.kind !== 'data')
    return <StructureOutcome response={response} durationMs={check.durationMs} isDry />;
  return <DataOutcome response={response.body} durationMs={check.durationMs} isDry />;
}

function Failure({ error, errors: fileErrors, durationMs }: Outcome): JSX.Element {
  const errors = fileErrors ?? fileErrorsInDetails(error);
  // The message of `error` counts only the errors that the first dry run found before it ended.
  const shownError = fileErrors === undefined ? error : new Error(texts.rejected(fileErrors));
  return (
    <>
      <div className="wizard-notice">
        <ErrorNotice error={shownError} />
      </div>
      {errors !== undefined && (
        <>
          <div className="stats">
            <Figure title={texts.errorsFound(errors)} isBad>
              {errors.count.toLocaleString('en')}
            </Figure>
            <Figure title={texts.dryRun}>
              {texts.seconds({ seconds: (durationMs / 1000).toFixed(1) })}
            </Figure>
            <span className="grow" />
            <ErrorsButton errors={errors.first} />
          </div>
          <ErrorTable errors={errors} />
        </>
      )}
    </>
  );
}

/** Skips invalid rows. The option is here, next to the errors; changing it repeats the dry run. */
function SkipChoice({ state: { choices } }: { readonly state: ImportState }): JSX.Element {
  return (
    <>
      <CheckField
        isOn={choices.onError === 'skip'}
        onChange={(isOn) => {
          choose({ onError: isOn ? 'skip' : 'abort' });
          void performImport({ isDry: true });
        }}
      >
        {texts.skipInvalid}
      </CheckField>
      <span className="t2 wide">{texts.otherwiseRollsBack}</span>
    </>
  );
}

/** Why the checked file cannot be imported. */
function disabledReason(
  { check, choices, uncheckedTables }: ImportState,
  rows: number | undefined,
): string | undefined {
  const hasNothingToWrite = rows === 0 && choices.mode === 'append' && !choices.createsTables;
  if (uncheckedTables !== undefined) return newTablesTexts.unchecked;
  if (check?.response === undefined) return texts.notImportable;
  return hasNothingToWrite ? texts.nothingToImport : undefined;
}

function ImportButton({ state }: { readonly state: ImportState }): JSX.Element {
  const response = state.check?.response;
  const rows = response?.kind === 'data' ? writtenRows(response.body) : undefined;
  const reason = disabledReason(state, rows);
  return (
    <button
      className="btn primary lg"
      aria-disabled={reason !== undefined}
      title={reason}
      onClick={() => {
        if (reason === undefined) void performImport({ isDry: false });
      }}
    >
      {rows === undefined
        ? commonTexts.import
        : texts.importRows({ rows: commonTexts.rowCount({ count: rows }) })}
    </button>
  );
}
