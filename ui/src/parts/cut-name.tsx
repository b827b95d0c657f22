import type { JSX } from 'react';
import type { CutParts } from './cut-names.ts';

interface CutNameProps {
  readonly name: string;
  readonly parts: CutParts | undefined;
}

/** A name that is cut in its middle if there is too little space. */
export function CutName({ name, parts }: CutNameProps): JSX.Element {
  if (parts === undefined || parts.kept === '') return <span className="cut">{name}</span>;
  const { start, kept, rest } = parts;
  return (
    <span className="cut-name">
      <span className="visually-hidden">{name}</span>
      <span className="cut" aria-hidden="true">
        {start}
      </span>
      <span className="kept" aria-hidden="true">
        {kept}
      </span>
      {rest !== '' && (
        <span className="cut" aria-hidden="true">
          {rest}
        </span>
      )}
    </span>
  );
}
