import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';

export function NotFound(): JSX.Element {
  return (
    <section className="sheet blank">
      <h1 className="b">There is nothing at this address.</h1>
      <p className="t2">
        A table may have been renamed, or the link is older than the database.{' '}
        <Link to="/" className="link">
          Show all tables
        </Link>
      </p>
    </section>
  );
}
