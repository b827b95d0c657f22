import type { JSX } from 'react';
import { Icon } from '../parts/icon.tsx';
import type { IconName } from '../parts/icon.tsx';
import { FileButton } from './file-button.tsx';
import { chooseKind } from './import-store.ts';
import type { ImportState } from './import-store.ts';
import type { ImportKind } from './recognize-files.ts';

interface FileStepProps {
  readonly state: ImportState;
  readonly offReason: string | undefined;
}

/** Asks for the file, and for its kind if the file name does not show it. */
export function FileStep({ state, offReason }: FileStepProps): JSX.Element {
  if (state.files.length > 0) return <KindQuestion {...state} />;
  return (
    <div className="wizard-middle">
      <div className="drop">
        <Icon name="upload" />
        <h2>Drop a file anywhere in the studio</h2>
        <p className="t2">It is looked at first; nothing is written before you have seen it.</p>
        <FileButton offReason={offReason} />
        {offReason !== undefined && <p className="t2">{offReason}</p>}
      </div>
      <dl className="taken">
        <div>
          <dt>Data</dt>
          <dd>CSV, JSON, NDJSON, Excel, SQL inserts, a zip of CSV files</dd>
        </div>
        <div>
          <dt>Schema</dt>
          <dd>SQL, JSON, YAML, DBML: the tables of it</dd>
        </div>
        <div>
          <dt>Models</dt>
          <dd>Go structs for GORM, one or more files of a package</dd>
        </div>
      </dl>
    </div>
  );
}

const kindLabels: Readonly<
  Record<ImportKind, { readonly title: string; readonly note: string; readonly icon: IconName }>
> = {
  data: { title: 'Data', note: 'Rows go into tables that are there.', icon: 'table' },
  schema: { title: 'Schema', note: 'Tables are made.', icon: 'tree' },
  models: { title: 'Models', note: 'Tables are made of Go structs.', icon: 'go' },
};

function KindQuestion({ kinds, likely }: ImportState): JSX.Element | null {
  if (likely === undefined) return null;
  const first = likely === 'unknown' ? kinds[0] : likely;
  return (
    <div className="wizard-middle">
      <h2>What is in the file?</h2>
      <div className="kinds">
        {kinds.map((kind) => (
          <button
            key={kind}
            className="kind"
            autoFocus={kind === first}
            onClick={() => chooseKind(kind)}
          >
            <Icon name={kindLabels[kind].icon} />
            <span className="m">{kindLabels[kind].title}</span>
            <span className="t2">{kindLabels[kind].note}</span>
            {kind === likely && <span className="ok small">It looks like this.</span>}
          </button>
        ))}
      </div>
    </div>
  );
}
