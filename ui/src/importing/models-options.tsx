import { useState } from 'react';
import type { JSX } from 'react';
import { CheckField } from '../parts/choice-field.tsx';
import { importingTexts as texts } from '../texts/importing.ts';
import type { ImportChoices } from './import-choices.ts';
import { choose, performImport } from './import-store.ts';
import type { ImportState } from './import-store.ts';

/** The options of gorm.Config that affect the tables. Each change repeats the dry run. */
export function ModelsOptions({
  state: { choices },
}: {
  readonly state: ImportState;
}): JSX.Element {
  const changeAndCheck = (changes: Partial<ImportChoices>): void => {
    choose(changes);
    void performImport({ isDry: true });
  };
  return (
    <div className="options">
      <TextField
        label={texts.tablePrefix}
        value={choices.tablePrefix}
        onEnter={(tablePrefix) => changeAndCheck({ tablePrefix })}
      />
      <TextField
        label={texts.replaceInNames}
        placeholder={texts.replacementsExample}
        value={choices.nameReplacements}
        onEnter={(nameReplacements) => changeAndCheck({ nameReplacements })}
      />
      <CheckField
        isOn={choices.hasSingularTables}
        onChange={(hasSingularTables) => changeAndCheck({ hasSingularTables })}
      >
        {texts.singularTables}
      </CheckField>
      <CheckField
        isOn={choices.skipsForeignKeys}
        onChange={(skipsForeignKeys) => changeAndCheck({ skipsForeignKeys })}
      >
        {texts.noForeignKeys}
      </CheckField>
    </div>
  );
}

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly onEnter: (value: string) => void;
}

/** A text that takes effect with Enter, or when the focus leaves the field. */
function TextField({ label, value, placeholder, onEnter }: TextFieldProps): JSX.Element {
  const [text, setText] = useState(value);
  const enter = (): void => {
    if (text.trim() !== value) onEnter(text.trim());
  };
  return (
    <label className="row">
      <span className="t2">{label}</span>
      <span className="field">
        <input
          className="bare"
          value={text}
          placeholder={placeholder}
          onChange={(event) => setText(event.target.value)}
          onBlur={enter}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // Otherwise the key would also press the button to cancel, which gets the focus next.
            event.preventDefault();
            event.currentTarget.blur();
          }}
        />
      </span>
    </label>
  );
}
