import { useEffect, useMemo, useState } from 'react';
import type { JSX } from 'react';
import { CheckField, InputField, SelectField } from '../parts/choice-field.tsx';
import { sampleFormat } from './cell-preview.ts';
import { choose, setReadOptions } from './import-store.ts';
import type { ImportState } from './import-store.ts';
import { importingTexts as texts } from '../texts/importing.ts';
import { commonTexts } from '../texts/common.ts';

interface FormatOptionsProps {
  readonly state: ImportState;
  /** Opens the options, because the format of some values is unclear. */
  readonly isNeeded: boolean;
  /** Values are converted only in formats that the user selects. */
  readonly isOnRequest: boolean;
}

/** How the file and its values are written. The first rows below show the effect at once. */
export function FormatOptions({ state, isNeeded, isOnRequest }: FormatOptionsProps): JSX.Element {
  const { choices, format } = state;
  const [isOpen, setOpen] = useState(isNeeded);
  useEffect(() => {
    if (isNeeded) setOpen(true);
  }, [isNeeded]);
  return (
    <details
      className="format-options"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="t2">{texts.formatOptions}</summary>
      <div className="options">
        <CheckField
          isOn={choices.hasHeader}
          onChange={(hasHeader) => setReadOptions({ hasHeader })}
        >
          {texts.hasHeader}
        </CheckField>
        {/* A title can have other delimiters, so that of the rows is detected again. */}
        <InputField
          label={texts.skipRows}
          value={choices.skipRows}
          placeholder="0"
          maxLength={5}
          onChange={(skipRows) => setReadOptions({ skipRows, delimiter: '' })}
        />
        {format !== 'xlsx' && (
          <InputField
            label={texts.quote}
            value={choices.quote}
            placeholder={'"'}
            maxLength={1}
            onChange={(quote) => setReadOptions({ quote })}
          />
        )}
        <ValueFormats state={state} isOnRequest={isOnRequest} />
        <InputField
          label={commonTexts.nullText}
          value={choices.nullText}
          placeholder={texts.nullTextExample}
          onChange={(nullText) => choose({ nullText })}
        />
        <CheckField isOn={choices.trimsTexts} onChange={(trimsTexts) => choose({ trimsTexts })}>
          {texts.trim}
        </CheckField>
        <CheckField
          isOn={choices.keepsFormulaApostrophes}
          onChange={(keepsFormulaApostrophes) => choose({ keepsFormulaApostrophes })}
        >
          {texts.keepApostrophes}
        </CheckField>
      </div>
    </details>
  );
}

function decimalTitle(decimal: 'comma' | 'point' | 'ambiguous' = 'ambiguous'): string | undefined {
  return decimal === 'ambiguous' ? undefined : texts.decimals[decimal];
}

/** The formats that depend on the country. Auto-detect names what the first rows show. */
function ValueFormats({
  state: { choices, preview },
  isOnRequest,
}: Pick<FormatOptionsProps, 'state' | 'isOnRequest'>): JSX.Element {
  const { head } = preview;
  const foundFormat = useMemo(
    () => (head === undefined ? undefined : sampleFormat(head, choices)?.foundFormat),
    [head, choices],
  );
  const detected = isOnRequest ? () => texts.notConverted : autoDetect;
  return (
    <>
      <SelectField
        label={texts.decimal}
        value={choices.decimal}
        choices={[
          ['', detected(decimalTitle(foundFormat?.decimal))],
          ['comma', texts.decimals.comma],
          ['point', texts.decimals.point],
        ]}
        onChoose={(decimal) => choose({ decimal })}
      />
      <SelectField
        label={texts.dateOrder}
        value={choices.dateOrder}
        choices={[
          [
            '',
            detected(
              foundFormat === undefined || foundFormat.dateOrder === 'ambiguous'
                ? undefined
                : texts.dateOrders[foundFormat.dateOrder],
            ),
          ],
          ['DMY', texts.dateOrders.DMY],
          ['MDY', texts.dateOrders.MDY],
          ['YMD', texts.dateOrders.YMD],
        ]}
        onChoose={(dateOrder) => choose({ dateOrder })}
      />
      <InputField
        label={texts.trueWords}
        value={choices.trueWords}
        placeholder={texts.trueWordsExample}
        onChange={(trueWords) => choose({ trueWords })}
      />
      <InputField
        label={texts.falseWords}
        value={choices.falseWords}
        placeholder={texts.falseWordsExample}
        onChange={(falseWords) => choose({ falseWords })}
      />
    </>
  );
}

/** `foundValue`: what the file shows. */
export function autoDetect(foundValue: string | undefined): string {
  return foundValue === undefined ? texts.autoDetect : texts.autoDetected({ found: foundValue });
}
