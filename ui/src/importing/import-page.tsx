import { useEffect } from 'react';
import type { JSX } from 'react';
import { useWriteDisabledReason } from '../api/capabilities.ts';
import { Icon } from '../parts/icon.tsx';
import { SidebarButton } from '../shell/sidebar-button.tsx';
import { sizeText } from '../parts/size-text.ts';
import { CheckStep } from './check-step.tsx';
import { FileStep } from './file-step.tsx';
import { markSeen } from './import-card.tsx';
import { startOver, beginNextImport, useImport } from './import-store.ts';
import type { ImportState } from './import-store.ts';
import { MappingStep } from './mapping-step.tsx';
import { ProgressPane } from './progress-pane.tsx';
import { ResultStep } from './result-step.tsx';
import { currentStep, stepsOf } from './steps.ts';
import type { Step } from './steps.ts';
import { importingTexts as texts } from '../texts/importing.ts';
import { commonTexts } from '../texts/common.ts';
import { formatTitles } from '../texts/formats.ts';

/** The import wizard: select a file, map its columns, check it, import it. */
export function ImportPage(): JSX.Element {
  const state = useImport();
  const reason = useWriteDisabledReason();
  const outcome = state.result ?? state.check;
  useEffect(() => markSeen(outcome), [outcome]);
  return (
    <section className="sheet" aria-label={commonTexts.import}>
      <div className="toolbar">
        <SidebarButton />
        <h1 className="title">{commonTexts.import}</h1>
        <span className="grow" />
        <StepList state={state} />
      </div>
      <div className="wizard">
        {state.files.length > 0 && <FileHead state={state} />}
        <Pane state={state} disabledReason={reason} />
      </div>
    </section>
  );
}

interface PaneProps {
  readonly state: ImportState;
  /** Why nothing can be written. */
  readonly disabledReason: string | undefined;
}

function Pane({ state, disabledReason }: PaneProps): JSX.Element {
  if (state.running !== undefined) return <ProgressPane state={state} running={state.running} />;
  const step = currentStep(state);
  if (step === 'file') return <FileStep state={state} disabledReason={disabledReason} />;
  if (step === 'mapping') return <MappingStep state={state} />;
  if (step === 'check') return <CheckStep state={state} />;
  return <ResultStep state={state} />;
}

function StepList({ state }: { readonly state: ImportState }): JSX.Element {
  const steps = stepsOf(state);
  const distance = steps.indexOf(currentStep(state));
  return (
    <ol className="steps" aria-label={texts.steps}>
      {steps.map((step, i) => (
        <StepItem key={step} step={step} number={i + 1} distance={i - distance} />
      ))}
    </ol>
  );
}

interface StepItemProps {
  readonly step: Step;
  readonly number: number;
  /** The distance from the current step. Negative for completed steps. */
  readonly distance: number;
}

function StepItem({ step, number, distance }: StepItemProps): JSX.Element {
  const className = distance < 0 ? 'done' : distance === 0 ? 'now' : '';
  return (
    <li className={className} aria-current={distance === 0 ? 'step' : undefined}>
      <span className="no">{distance < 0 ? <Icon name="check" size="xs" /> : number}</span>
      {texts.step[step]}
    </li>
  );
}

function FileHead({ state }: { readonly state: ImportState }): JSX.Element {
  const { files, waiting, format, preview, running } = state;
  const details = [
    format === undefined ? '' : formatTitles[format],
    ...(preview.rows === undefined ? [] : [commonTexts.rowCount({ count: preview.rows })]),
    sizeText(files.reduce((sum, file) => sum + file.size, 0)),
  ];
  return (
    <div className="filehead">
      <span className="ico">
        <Icon name="file" />
      </span>
      <div className="grow cut">
        <div className="m cut">{files.map(({ name }) => name).join(', ')}</div>
        <div className="t3 small">{details.join(' · ')}</div>
      </div>
      {running === undefined && waiting.length > 0 && (
        <button className="btn quiet" onClick={beginNextImport}>
          {texts.skipFile({ more: waiting.length })}
        </button>
      )}
      {running === undefined && (
        <button className="btn" onClick={startOver}>
          {texts.chooseAnother}
        </button>
      )}
    </div>
  );
}
