import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { SidebarButton } from './sidebar-button.tsx';

export function NotFound(): JSX.Element {
  return (
    <section className="sheet blank">
      <SidebarButton />
      <h1 className="b">Page not found</h1>
      <p className="t2">
        The table may have been renamed or removed.{' '}
        <Link to="/" className="link">
          Show all tables
        </Link>
      </p>
    </section>
  );
}
