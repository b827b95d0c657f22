import type { JSX } from 'react';
import { Icon } from '../parts/icon.tsx';
import type { IconName } from '../parts/icon.tsx';
import { FileButton, FolderButton } from './file-button.tsx';
import { chooseKind, kindDisabledReason } from './import-store.ts';
import type { ImportState } from './import-store.ts';
import type { ImportKind } from './recognize-files.ts';
import { importingTexts as texts } from '../texts/importing.ts';
import { commonTexts } from '../texts/common.ts';

interface FileStepProps {
  readonly state: ImportState;
  readonly disabledReason: string | undefined;
}

/** Asks for the file, and for its kind if the file name does not show it. */
export function FileStep({ state, disabledReason }: FileStepProps): JSX.Element {
  if (state.files.length > 0) return <KindQuestion {...state} />;
  return (
    <div className="wizard-middle">
      <div className="drop">
        <Icon name="upload" />
        <h2>{texts.dropFile}</h2>
        <p className="t2">{texts.aboutPreview}</p>
        <FileButton disabledReason={disabledReason} />
        <FolderButton disabledReason={disabledReason} />
        {disabledReason !== undefined && <p className="t2">{disabledReason}</p>}
      </div>
      <dl className="taken">
        <div>
          <dt>{commonTexts.data}</dt>
          <dd>{texts.dataFiles}</dd>
        </div>
        <div>
          <dt>{texts.schema}</dt>
          <dd>{texts.schemaFiles}</dd>
        </div>
        <div>
          <dt>{texts.dump}</dt>
          <dd>{texts.dumpFiles}</dd>
        </div>
        <div>
          <dt>{texts.models}</dt>
          <dd>{texts.modelFiles}</dd>
        </div>
      </dl>
    </div>
  );
}

const kindLabels: Readonly<
  Record<ImportKind, { readonly title: string; readonly note: string; readonly icon: IconName }>
> = {
  data: { title: commonTexts.data, note: texts.aboutData, icon: 'table' },
  schema: { title: texts.schema, note: texts.aboutSchema, icon: 'tree' },
  dump: { title: texts.dump, note: texts.aboutDump, icon: 'database' },
  models: { title: texts.models, note: texts.aboutModels, icon: 'go' },
};

function KindQuestion({ kinds, likely }: ImportState): JSX.Element | null {
  if (likely === undefined) return null;
  const first = likely === 'unknown' ? kinds[0] : likely;
  return (
    <div className="wizard-middle">
      <h2>{texts.whatIsInFile}</h2>
      <div className="kinds">
        {kinds.map((kind) => (
          <KindButton key={kind} kind={kind} isFirst={kind === first} isLikely={kind === likely} />
        ))}
      </div>
    </div>
  );
}

interface KindButtonProps {
  readonly kind: ImportKind;
  readonly isFirst: boolean;
  readonly isLikely: boolean;
}

function KindButton({ kind, isFirst, isLikely }: KindButtonProps): JSX.Element {
  const { title, note, icon } = kindLabels[kind];
  const disabledReason = kindDisabledReason(kind);
  return (
    <button
      className="kind"
      autoFocus={isFirst}
      aria-disabled={disabledReason !== undefined}
      onClick={() => disabledReason === undefined && chooseKind(kind)}
    >
      <Icon name={icon} />
      <span className="m">{title}</span>
      <span className="t2">{disabledReason ?? note}</span>
      {isLikely && <span className="ok small">{texts.detected}</span>}
    </button>
  );
}
