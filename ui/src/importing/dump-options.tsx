import type { JSX } from 'react';
import { databaseChoices } from '../parts/database-choices.ts';
import { CheckField, SelectField } from '../parts/choice-field.tsx';
import type { ImportChoices } from './import-choices.ts';
import { choose, performImport } from './import-store.ts';
import type { ImportState } from './import-store.ts';
import { importingTexts as texts } from '../texts/importing.ts';

/** The options of a file with structure and rows. Each change repeats the dry run. */
export function DumpOptions({ state: { choices } }: { readonly state: ImportState }): JSX.Element {
  const changeAndCheck = (changes: Partial<ImportChoices>): void => {
    choose(changes);
    void performImport({ isDry: true });
  };
  const { DMY, MDY, YMD } = texts.dateOrders;
  return (
    <div className="options">
      <SelectField
        label={texts.sourceDatabase}
        value={choices.dialect}
        choices={[['', texts.autoDetect], ...databaseChoices]}
        onChoose={(dialect) => changeAndCheck({ dialect })}
      />
      <SelectField
        label={texts.dateOrder}
        value={choices.dateOrder}
        choices={[
          ['', texts.isoOrder],
          ['DMY', DMY],
          ['MDY', MDY],
          ['YMD', YMD],
        ]}
        onChoose={(dateOrder) => changeAndCheck({ dateOrder })}
      />
      <CheckField
        isOn={choices.skipsRoutines}
        onChange={(skipsRoutines) => changeAndCheck({ skipsRoutines })}
      >
        {texts.skipsRoutines}
      </CheckField>
    </div>
  );
}
