import type { JSX } from 'react';
import { databaseChoices } from '../parts/database-choices.ts';
import { CheckField, InputField, Segments, SelectField } from '../parts/choice-field.tsx';
import type { ShownView } from './export-address.ts';
import type { Choose, ExportChoices } from './export-choices.ts';
import { exportingTexts as texts } from '../texts/exporting.ts';
import { commonTexts } from '../texts/common.ts';

interface ChoicesProps {
  readonly choices: ExportChoices;
  readonly choose: Choose;
}

interface ExportOptionsProps extends ChoicesProps {
  readonly shown: ShownView | undefined;
}

/** The options below the format. */
export function ExportOptions({ choices, choose, shown }: ExportOptionsProps): JSX.Element | null {
  const { content, asShown } = choices;
  if (content === 'models') return <ModelsOptions choices={choices} choose={choose} />;
  if (content === 'diagram') return <DiagramOptions choices={choices} choose={choose} />;
  return (
    <div className="export-options">
      {content === 'view' && shown?.columns !== undefined && (
        <CheckField isOn={asShown} onChange={(isOn) => choose({ asShown: isOn })}>
          {texts.shownColumns}
        </CheckField>
      )}
      <FormatOptions choices={choices} choose={choose} format={formatOf(choices)} />
      {(content === 'view' || content === 'data') && choices.dataFormat === 'csv' && (
        <CsvOptions choices={choices} choose={choose} />
      )}
    </div>
  );
}

/** The format whose options apply. SQL of a query result has no target database to select. */
function formatOf({ content, schemaFormat, resultFormat, dataFormat }: ExportChoices): string {
  if (content === 'schema') return schemaFormat;
  if (content === 'dump') return 'sql';
  if (content === 'result') return resultFormat === 'sql' ? '' : resultFormat;
  return dataFormat;
}

interface FormatOptionsProps extends ChoicesProps {
  readonly format: string;
}

function FormatOptions({ choices, choose, format }: FormatOptionsProps): JSX.Element | null {
  if (format === 'sql')
    return (
      <SelectField
        label={texts.targetDatabase}
        value={choices.dialect}
        choices={[['', texts.thisDatabase], ...databaseChoices]}
        onChoose={(dialect) => choose({ dialect })}
      />
    );
  if (format !== 'csv' && format !== 'xlsx') return null;
  return (
    <CheckField
      isOn={choices.guardsFormulas}
      onChange={(guardsFormulas) => choose({ guardsFormulas })}
    >
      {texts.escapeFormulas}
    </CheckField>
  );
}

function CsvOptions({ choices, choose }: ChoicesProps): JSX.Element {
  return (
    <>
      <SelectField
        label={commonTexts.delimiter}
        value={choices.delimiter}
        choices={[
          ['comma', commonTexts.comma],
          ['semicolon', commonTexts.semicolon],
          ['tab', commonTexts.tab],
          ['pipe', commonTexts.pipe],
        ]}
        onChoose={(delimiter) => choose({ delimiter })}
      />
      <InputField
        label={commonTexts.nullText}
        value={choices.nullText}
        placeholder={texts.emptyField}
        onChange={(nullText) => choose({ nullText })}
      />
      <SelectField
        label={texts.dateForm}
        value={choices.dateForm ?? ''}
        choices={[
          ['', 'YYYY-MM-DD'],
          ['DD.MM.YYYY', 'DD.MM.YYYY'],
          ['DD/MM/YYYY', 'DD/MM/YYYY'],
          ['MM/DD/YYYY', 'MM/DD/YYYY'],
        ]}
        onChoose={(dateForm) => choose({ dateForm })}
      />
      <CheckField
        isOn={choices.hasDecimalComma}
        onChange={(hasDecimalComma) => choose({ hasDecimalComma })}
      >
        {texts.decimalComma}
      </CheckField>
      <CheckField
        isOn={choices.hasByteOrderMark}
        onChange={(hasByteOrderMark) => choose({ hasByteOrderMark })}
      >
        {texts.byteOrderMark}
      </CheckField>
    </>
  );
}

function DiagramOptions({ choices, choose }: ChoicesProps): JSX.Element {
  return (
    <div className="export-options">
      <Segments
        label={commonTexts.columns}
        value={choices.columns}
        choices={[
          ['all', texts.allColumns],
          ['keys', texts.keyColumns],
          ['none', texts.noColumns],
        ]}
        onChoose={(columns) => choose({ columns })}
      />
      <Segments
        label={texts.colors}
        value={choices.theme}
        choices={[
          ['light', texts.light],
          ['dark', texts.dark],
        ]}
        onChoose={(theme) => choose({ theme })}
      />
    </div>
  );
}

function ModelsOptions({ choices, choose }: ChoicesProps): JSX.Element {
  return (
    <div className="export-options">
      <label className="row">
        <span className="t2">{texts.package}</span>
        <span className="field">
          <input
            value={choices.packageName}
            placeholder={texts.packageHint}
            onChange={(event) => choose({ packageName: event.target.value })}
          />
        </span>
      </label>
      <Segments
        label={texts.nullAs}
        value={choices.nulls}
        choices={[
          ['pointer', texts.pointer],
          ['sql', 'sql.Null'],
        ]}
        onChoose={(nulls) => choose({ nulls })}
      />
      <CheckField isOn={choices.hasJsonTags} onChange={(hasJsonTags) => choose({ hasJsonTags })}>
        {texts.jsonTags}
      </CheckField>
    </div>
  );
}
