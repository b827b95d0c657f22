import type { JSX } from 'react';
import {
  diagramFormats,
  resultFormats,
  schemaFormats,
  tablesFormats,
  viewFormats,
} from './export-choices.ts';
import type { Choose, ExportChoices } from './export-choices.ts';
import { exportingTexts as texts } from '../texts/exporting.ts';

interface FormatChoiceProps {
  readonly choices: ExportChoices;
  readonly choose: Choose;
}

/** Offers the formats for what is exported. */
export function FormatChoice({ choices, choose }: FormatChoiceProps): JSX.Element | null {
  const { content, dataFormat, resultFormat, schemaFormat, diagramFormat } = choices;
  if (content === 'models' || content === 'dump') return null;
  if (content === 'schema')
    return (
      <Cards
        formats={schemaFormats}
        value={schemaFormat}
        onChoose={(format) => choose({ schemaFormat: format })}
      />
    );
  if (content === 'result')
    return (
      <Cards
        formats={resultFormats}
        value={resultFormat}
        onChoose={(format) => choose({ resultFormat: format })}
      />
    );
  if (content === 'diagram')
    return (
      <Cards
        formats={diagramFormats}
        value={diagramFormat}
        onChoose={(format) => choose({ diagramFormat: format })}
      />
    );
  return (
    <Cards
      formats={content === 'view' ? viewFormats : tablesFormats}
      value={dataFormat}
      onChoose={(format) => choose({ dataFormat: format })}
    />
  );
}

interface CardsProps<T extends string> {
  readonly formats: readonly (readonly [format: T, title: string, note: string])[];
  readonly value: T;
  readonly onChoose: (format: T) => void;
}

function Cards<T extends string>({ formats, value, onChoose }: CardsProps<T>): JSX.Element {
  return (
    <fieldset className="formats">
      <legend>{texts.format}</legend>
      <div className="fmt">
        {formats.map(([format, title, note]) => (
          <label key={format} className={format === value ? 'on' : ''}>
            <input
              className="visually-hidden"
              type="radio"
              name="format"
              checked={format === value}
              onChange={() => onChoose(format)}
            />
            <span className={format === value ? 'm' : ''}>{title}</span>
            <small>{note}</small>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
