import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { focusOnMount } from '../parts/focus-on-mount.ts';
import { Icon } from '../parts/icon.tsx';
import type { ImportResponse } from './call-import.ts';
import { DataOutcome } from './data-outcome.tsx';
import { ErrorTable } from './error-table.tsx';
import { goBack, startOver, beginNextImport } from './import-store.ts';
import type { ImportState, Outcome } from './import-store.ts';
import { fileErrorsInDetails } from './row-errors.ts';
import { saveText } from './save-text.ts';
import { StructureOutcome } from './structure-outcome.tsx';
import { importingTexts as texts } from '../texts/importing.ts';
import { commonTexts } from '../texts/common.ts';

/** The outcome of the import. */
export function ResultStep({ state }: { readonly state: ImportState }): JSX.Element {
  const { result } = state;
  const response = result?.response;
  return (
    <>
      <div
        className="wizard-body"
        ref={focusOnMount}
        tabIndex={0}
        role="region"
        aria-label={texts.result}
      >
        {result !== undefined && <OutcomeDetails result={result} />}
      </div>
      <div className="wizard-foot">
        {response !== undefined && (
          <button className="btn lg" onClick={() => saveReport(state)}>
            <Icon name="download" size="s" /> {texts.downloadReport}
          </button>
        )}
        <span className="grow" />
        {response === undefined && (
          <button className="btn lg" onClick={goBack}>
            {commonTexts.back}
          </button>
        )}
        <NextFileButton waiting={state.waiting} />
        {response !== undefined && <OpenTableButton response={response} />}
      </div>
    </>
  );
}

/** Continues with the next dropped file, or with a new one. */
function NextFileButton({ waiting: [files] }: Pick<ImportState, 'waiting'>): JSX.Element {
  return (
    <button className="btn lg" onClick={files === undefined ? startOver : beginNextImport}>
      {files === undefined ? texts.importAnother : texts.nextFile({ file: files[0]?.name ?? '' })}
    </button>
  );
}

function OutcomeDetails({ result }: { readonly result: Outcome }): JSX.Element {
  const { response, error, durationMs } = result;
  if (response === undefined) {
    const errors = fileErrorsInDetails(error);
    return (
      <>
        <div className="wizard-notice">
          <ErrorNotice error={error} />
        </div>
        {errors !== undefined && <ErrorTable errors={errors} />}
      </>
    );
  }
  return (
    <>
      <p className="wizard-notice ok row" role="status">
        <Icon name="done" /> {texts.done}
      </p>
      {response.kind === 'data' ? (
        <DataOutcome response={response.body} durationMs={durationMs} isDry={false} />
      ) : (
        <StructureOutcome response={response} durationMs={durationMs} isDry={false} />
      )}
    </>
  );
}

function OpenTableButton({ response }: { readonly response: ImportResponse }): JSX.Element | null {
  const [table] = tablesOf(response);
  if (table === undefined) return null;
  return (
    <Link className="btn primary lg" to="/tables/$table" params={{ table }}>
      {texts.openTable({ table })}
    </Link>
  );
}

function tablesOf({ kind, body }: ImportResponse): readonly string[] {
  return kind === 'data' ? Object.keys(body.tables) : body.tables_created;
}

function saveReport({ files, result }: ImportState): void {
  const report = {
    files: files.map(({ name, size }) => ({ name, bytes: size })),
    seconds: Math.round(result?.durationMs ?? 0) / 1000,
    ...result?.response?.body,
  };
  saveText({
    name: 'import-report.json',
    type: 'application/json',
    text: `${JSON.stringify(report, null, 2)}\n`,
  });
}
