import type { JSX } from 'react';
import type { CutParts } from './cut-names.ts';

interface CutNameProps {
  readonly name: string;
  readonly parts: CutParts | undefined;
}

/** A name that is cut in its middle if there is too little space. */
export function CutName({ name, parts }: CutNameProps): JSX.Element {
  if (parts === undefined || parts.uncut === '') return <span className="cut">{name}</span>;
  const { start, uncut, rest } = parts;
  return (
    <span className="cut-name">
      <span className="visually-hidden">{name}</span>
      <span className="cut" aria-hidden="true">
        {start}
      </span>
      <span className="uncut" aria-hidden="true">
        {uncut}
      </span>
      {rest !== '' && (
        <span className="cut" aria-hidden="true">
          {rest}
        </span>
      )}
    </span>
  );
}
