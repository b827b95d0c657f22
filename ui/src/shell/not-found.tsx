import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';

export function NotFound(): JSX.Element {
  return (
    <section className="sheet blank">
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
