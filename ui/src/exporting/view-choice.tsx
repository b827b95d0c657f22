import type { JSX } from 'react';
import type { Schema } from '../api/queries.ts';
import { CutName } from '../parts/cut-name.tsx';
import { cutNames } from '../parts/cut-names.ts';
import type { Choose, ExportChoices } from './export-choices.ts';
import { exportingTexts as texts } from '../texts/exporting.ts';

interface ViewChoiceProps {
  readonly views: Schema['views'];
  readonly choices: ExportChoices;
  readonly choose: Choose;
}

/** Selects the views whose rows are exported. None at first: an import cannot write them back. */
export function ViewChoice({ views, choices, choose }: ViewChoiceProps): JSX.Element | null {
  const { dataFormat, selectedViews } = choices;
  if (views.length === 0) return null;
  const isScript = dataFormat === 'sql';
  const parts = cutNames(views.map(({ name }) => name));
  const toggle = (name: string, isSelected: boolean): void => {
    const others = [...selectedViews].filter((other) => other !== name);
    choose({ selectedViews: new Set(isSelected ? [...others, name] : others) });
  };
  return (
    <div>
      <div className="row lb">
        <span id="export-views">{texts.views}</span>
        <span className="end t3">
          {texts.selectedCount({
            selected: isScript ? 0 : views.filter(({ name }) => selectedViews.has(name)).length,
            total: views.length,
          })}
        </span>
      </div>
      {isScript && <p className="t2">{texts.noViewsInScripts}</p>}
      <div className="tbl" role="group" aria-labelledby="export-views">
        {views.map(({ name }) => (
          <label key={name}>
            <input
              type="checkbox"
              disabled={isScript}
              checked={!isScript && selectedViews.has(name)}
              onChange={(event) => toggle(name, event.target.checked)}
            />
            <span className="grow">
              <CutName name={name} parts={parts.get(name)} />
            </span>
          </label>
        ))}
      </div>
    </div>
  );
}
