import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { SidebarButton } from './sidebar-button.tsx';
import { shellTexts as texts } from '../texts/shell.ts';

export function NotFound(): JSX.Element {
  return (
    <section className="sheet blank">
      <SidebarButton />
      <h1 className="b">{texts.pageNotFound}</h1>
      <p className="t2">
        {texts.tableMissing}{' '}
        <Link to="/" className="link">
          {texts.showAllTables}
        </Link>
      </p>
    </section>
  );
}
