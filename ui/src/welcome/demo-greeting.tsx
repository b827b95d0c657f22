import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { JSX } from 'react';
import type { Schema } from '../api/queries.ts';
import { chooseFiles } from '../importing/import-store.ts';
import { messageOf } from '../parts/error-notice.tsx';
import { Icon } from '../parts/icon.tsx';
import { showToast } from '../parts/toast.tsx';
import { demoFiles, fetchDemoFile } from './demo-files.ts';
import type { DemoFile } from './demo-files.ts';
import { localStore } from '../parts/browser-storage.ts';

const key = 'studio.greeting';

/** The greeting of the demo database, with three suggestions. It is shown until it is dismissed. */
export function DemoGreeting({ schema }: { readonly schema: Schema }): JSX.Element | null {
  const [isGone, setGone] = useState(() => localStore.read(key) === 'gone');
  if (isGone || !isDemo(schema)) return null;
  const dismiss = (): void => {
    localStore.write(key, 'gone');
    setGone(true);
  };
  return (
    <section className="greeting" aria-label="Get started">
      <header className="row">
        <h2 className="b grow">
          A sample database of a publishing house. Change anything you like.
        </h2>
        <button
          className="ib"
          aria-label="Dismiss"
          title="Do not show this again"
          onClick={dismiss}
        >
          <Icon name="close" />
        </button>
      </header>
      <ol>
        <li>
          <Link to="/diagram" className="link m">
            See the relations
          </Link>
          <span className="t2">
            The diagram of all tables. A click on one highlights its neighbors.
          </span>
        </li>
        <li>
          <Link to="/tables/$table" params={{ table: 'posts' }} className="link m">
            Edit a post
          </Link>
          <span className="t2">
            Type into a cell. Nothing is written before you have reviewed and saved it.
          </span>
        </li>
        <li>
          <span className="m">Drop a file anywhere</span>
          <span className="t2">
            Sample files for the import. Each is checked before it is written.
          </span>
          <ul>
            {demoFiles.map((file) => (
              <DemoFileLine key={file.name} file={file} />
            ))}
          </ul>
        </li>
      </ol>
    </section>
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
      showToast({ kind: 'error', title: 'Not imported', detail: messageOf(error) });
    }
  };
  return (
    <li>
      <Icon name="file" size="s" />
      <a className="link" href={file.url} download={file.name}>
        {file.name}
      </a>
      <span className="t2 grow">{file.note}</span>
      <button className="btn" aria-label={`Import ${file.name}`} onClick={() => void start()}>
        Import
      </button>
    </li>
  );
}
