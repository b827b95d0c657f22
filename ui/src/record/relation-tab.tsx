import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { relatedQuery } from '../api/queries.ts';
import type { RelationAddress } from '../api/queries.ts';
import { relatedPageSize } from './related-rows.tsx';

interface RelationTabProps {
  readonly address: RelationAddress;
  readonly label: string;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
}

/** The tab of a relation, with its number of rows. */
export function RelationTab({
  address,
  label,
  isSelected,
  onSelect,
}: RelationTabProps): JSX.Element {
  const { data } = useQuery(relatedQuery(address, { page: 1, pageSize: relatedPageSize }));
  return (
    <button className="subtab" role="tab" aria-selected={isSelected} onClick={onSelect}>
      {label}
      <span className="cnt">{data?.total?.toLocaleString('en')}</span>
    </button>
  );
}
