import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { JSX } from 'react';
import { useWriteDisabledReason } from '../api/capabilities.ts';
import type { Schema } from '../api/queries.ts';
import { chooseFiles } from '../importing/import-store.ts';
import { messageOf } from '../parts/error-notice.tsx';
import { Icon } from '../parts/icon.tsx';
import { showToast } from '../parts/toast.tsx';
import { demoFiles, fetchDemoFile } from './demo-files.ts';
import type { DemoFile } from './demo-files.ts';
import { localStore } from '../parts/browser-storage.ts';
import { welcomeTexts as texts } from '../texts/welcome.ts';

const key = 'studio.greeting';

/** The greeting of the demo database, with three suggestions. It is shown until it is dismissed. */
export function DemoGreeting({ schema }: { readonly schema: Schema }): JSX.Element | null {
  const [isGone, setGone] = useState(() => localStore.read(key) === 'gone');
  const canWrite = useWriteDisabledReason() === undefined;
  if (isGone || !isDemo(schema)) return null;
  const dismiss = (): void => {
    localStore.write(key, 'gone');
    setGone(true);
  };
  return (
    <section className="greeting" aria-label={texts.getStarted}>
      <header className="row">
        <h2 className="b grow">{canWrite ? texts.about : texts.aboutReadOnly}</h2>
        <button
          className="ib"
          aria-label={texts.dismiss}
          title={texts.hideForever}
          onClick={dismiss}
        >
          <Icon name="close" />
        </button>
      </header>
      <ol>
        <li>
          <Link to="/diagram" className="link m">
            {texts.relations}
          </Link>
          <span className="t2">{texts.aboutRelations}</span>
        </li>
        {canWrite && <WritingSteps />}
      </ol>
    </section>
  );
}

function WritingSteps(): JSX.Element {
  return (
    <>
      <li>
        <Link to="/tables/$table" params={{ table: 'posts' }} className="link m">
          {texts.edit}
        </Link>
        <span className="t2">{texts.aboutEdit}</span>
      </li>
      <li>
        <span className="m">{texts.dropFile}</span>
        <span className="t2">{texts.aboutFiles}</span>
        <ul>
          {demoFiles.map((file) => (
            <DemoFileLine key={file.name} file={file} />
          ))}
        </ul>
      </li>
    </>
  );
}

/** The command creates a file with this name if no database is given. */
function isDemo({ database, tables }: Schema): boolean {
  const isNamed = /(?:^|[\\/])demo(?:-v\d+)?\.db$/.test(database);
  return isNamed && tables.some(({ name }) => name === 'posts');
}

function DemoFileLine({ file }: { readonly file: DemoFile }): JSX.Element {
  const navigate = useNavigate();
  const start = async (): Promise<void> => {
    try {
      if (chooseFiles([await fetchDemoFile(file)])) await navigate({ to: '/import' });
    } catch (error) {
      showToast({ kind: 'error', title: texts.notImported, detail: messageOf(error) });
    }
  };
  return (
    <li>
      <Icon name="file" size="s" />
      <a className="link" href={file.url} download={file.name}>
        {file.name}
      </a>
      <span className="t2 grow">{file.note}</span>
      <button className="btn" aria-label={texts.importNamed(file)} onClick={() => void start()}>
        {texts.importFile}
      </button>
    </li>
  );
}
