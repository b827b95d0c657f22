import { useState } from 'react';
import type { JSX } from 'react';
import type { Plan, PlanStep } from './plan.ts';
import { sqlTexts as texts } from '../texts/sql.ts';
import { commonTexts } from '../texts/common.ts';

/** The plan of a statement as a tree, with the costs of its steps and marks on full scans. */
export function PlanView({ plan }: { readonly plan: Plan }): JSX.Element {
  const [isText, setText] = useState(false);
  const total = Math.max(...plan.steps.map(({ cost = 0 }) => cost), 0);
  return (
    <>
      <div className="plan-bar">
        <div className="seg" role="group" aria-label={texts.planFormat}>
          <button aria-pressed={!isText} onClick={() => setText(false)}>
            {texts.tree}
          </button>
          <button aria-pressed={isText} onClick={() => setText(true)}>
            {texts.text}
          </button>
        </div>
      </div>
      {isText ? (
        <pre className="plan code" aria-label={texts.plan} role="region" tabIndex={0}>
          {plan.text}
        </pre>
      ) : (
        <ol className="plan code" aria-label={texts.plan} tabIndex={0}>
          {plan.steps.map((step, i) => (
            // The index is a stable key: a plan does not change while it is shown.
            <Step key={i} step={step} total={total} />
          ))}
        </ol>
      )}
    </>
  );
}

interface StepProps {
  readonly step: PlanStep;
  /** The cost of the whole plan. Zero if the plan has no costs. */
  readonly total: number;
}

function Step({ step, total }: StepProps): JSX.Element {
  const { depth, title, details, cost, rows, isFullScan } = step;
  return (
    <li className={isFullScan ? 'scan' : ''} style={{ paddingInlineStart: `${depth * 20 + 16}px` }}>
      <div className="grow">
        <div>
          {title}
          {isFullScan && <span className="badge mod">{texts.fullScan}</span>}
        </div>
        {details.map((detail, i) => (
          <div key={i} className="t3">
            {detail}
          </div>
        ))}
      </div>
      {rows !== undefined && (
        <span className="t2 num">{commonTexts.rowCount({ count: Math.round(rows) })}</span>
      )}
      {cost !== undefined && (
        <span className="plan-cost num" title={texts.costHint}>
          {cost.toLocaleString('en')}
          <meter min={0} max={total} value={cost} aria-label={texts.costShare} />
        </span>
      )}
    </li>
  );
}
