import type { EdgeProps } from '@xyflow/react';
import { memo } from 'react';
import type { JSX } from 'react';
import type { Route } from '../../../src/portable/drawing/route-between.ts';
import {
  endOf,
  endShapes,
  junctionDot,
  roundedPath,
} from '../../../src/portable/drawing/route-shapes.ts';
import { useEmphasis } from './emphasis.ts';
import type { Emphasis } from './emphasis.ts';
import type { RelationData, RelationEdgeType } from './flow-elements.ts';
import { relationRoutes } from './relation-routes.ts';
import { useShownTables } from './shown-tables.ts';
import { diagramTexts as texts } from '../texts/diagram.ts';

/** The line of a relation with crow's feet, as in exported diagrams. At small zoom without them. */
export const RelationEdge = memo(function RelationEdge(
  props: EdgeProps<RelationEdgeType>,
): JSX.Element | null {
  const emphasis = useEmphasis();
  const shown = useShownTables();
  const { data, sourceX, sourceY, targetX, targetY } = props;
  if (data === undefined) return null;
  const { relation } = data;
  const emphasized = emphasisClass(data, emphasis);
  if (relation.is_labeled && emphasis.isZoomedOut && emphasized !== 'on') return null;
  const current = {
    from: { x: sourceX - data.from.width, y: sourceY },
    to: { x: targetX, y: targetY },
  };
  const isWhole = relation.is_labeled && emphasized === 'on';
  const routes = relationRoutes(data, { current, shown, isWhole });
  const way = relation.has_foreign_key ? 'way' : 'way modelled';
  return (
    <g className={`relation ${emphasis.isZoomedOut ? 'far' : ''} ${emphasized}`}>
      {!emphasis.isZoomedOut && <title>{titleOf(data)}</title>}
      {routes.map(({ points }, i) => (
        <path key={`way ${i}`} className={way} d={roundedPath(points)} />
      ))}
      {!emphasis.isZoomedOut &&
        routes.map((drawn, i) => <Details key={i} relation={relation} route={drawn} />)}
    </g>
  );
});

interface DetailsProps {
  readonly relation: RelationData['relation'];
  readonly route: Route;
}

/** The lines of the other columns of a composite key, and the crow's feet. */
function Details({ relation, route }: DetailsProps): JSX.Element {
  const { from, to, has_foreign_key: hasForeignKey } = relation;
  const { points, junctions, branches } = route;
  const markers = [
    ...junctions.map(junctionDot),
    ...branches.flatMap((branch) => branch.points.slice(-1).map(junctionDot)),
    ...endShapes(from.count, endOf(points)),
    ...endShapes(to.count, endOf(points.toReversed())),
  ];
  return (
    <>
      {branches.map((branch, i) => (
        <path
          key={`branch ${i}`}
          className={hasForeignKey ? 'branch' : 'branch modelled'}
          d={roundedPath(branch.points)}
        />
      ))}
      {markers.map((marker, i) => (
        <path key={i} className={markerClass(marker)} d={marker.path} />
      ))}
    </>
  );
}

function emphasisClass({ from, to }: RelationData, { around, neighborhood }: Emphasis): string {
  if (around === undefined || neighborhood === undefined) return '';
  if (from.name === around || to.name === around) return 'on';
  return neighborhood.has(from.name) && neighborhood.has(to.name) ? '' : 'dim';
}

function titleOf({ relation: { from, to, has_foreign_key: hasForeignKey } }: RelationData): string {
  const title = texts.relation({
    from: from.table,
    fromColumns: from.columns.join(', '),
    to: to.table,
    toColumns: to.columns.join(', '),
  });
  return hasForeignKey ? title : `${title}\n${texts.onlyInModels}`;
}

function markerClass({ fill }: ReturnType<typeof junctionDot>): string {
  if (fill === undefined) return 'mark';
  return fill === 'canvas' ? 'mark hollow' : 'mark full';
}
