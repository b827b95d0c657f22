import type { JSX } from 'react';
import type { PlanLine } from './explain.ts';

/** Shows the plan of a statement and highlights full scans. */
export function PlanView({ lines }: { readonly lines: readonly PlanLine[] }): JSX.Element {
  return (
    <ol className="plan code" aria-label="Plan" tabIndex={0}>
      {lines.map(({ depth, text }, i) => (
        <li
          // The index is a stable key: a plan does not change while it is shown.
          key={i}
          className={isScan(text) ? 'scan' : ''}
          style={{ paddingInlineStart: `${depth * 20 + 16}px` }}
        >
          {text}
          {isScan(text) && <span className="badge mod">reads the whole table</span>}
        </li>
      ))}
    </ol>
  );
}

function isScan(text: string): boolean {
  return /^(?:-> *)?(?:SCAN (?!.*USING)|Seq Scan|Table scan)/.test(text);
}
