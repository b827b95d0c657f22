import type { JSX } from 'react';
import { databaseChoices } from '../parts/database-choices.ts';
import { CheckField, SelectField } from '../parts/choice-field.tsx';
import type { ImportChoices } from './import-choices.ts';
import { choose, performImport } from './import-store.ts';
import type { ImportState } from './import-store.ts';
import { importingTexts as texts } from '../texts/importing.ts';

/** The options of a schema import. Each change repeats the dry run. */
export function SchemaOptions({ state }: { readonly state: ImportState }): JSX.Element {
  const { choices, format } = state;
  const changeAndCheck = (changes: Partial<ImportChoices>): void => {
    choose(changes);
    void performImport({ isDry: true });
  };
  return (
    <div className="options">
      {format === 'sql' && (
        <SelectField
          label={texts.sourceDatabase}
          value={choices.dialect}
          choices={[['', texts.autoDetect], ...databaseChoices]}
          onChoose={(dialect) => changeAndCheck({ dialect })}
        />
      )}
      <CheckField
        isOn={choices.skipsExisting}
        onChange={(skipsExisting) => changeAndCheck({ skipsExisting })}
      >
        {texts.skipExisting}
      </CheckField>
      {format === 'sql' && (
        <CheckField
          isOn={choices.skipsOtherStatements}
          onChange={(skipsOtherStatements) => changeAndCheck({ skipsOtherStatements })}
        >
          {texts.skipInserts}
        </CheckField>
      )}
    </div>
  );
}
