import { useReactFlow, useStore } from '@xyflow/react';
import type { JSX } from 'react';
import { Icon } from '../parts/icon.tsx';

/** Buttons to zoom in, zoom out and fit the diagram. */
export function ZoomBar(): JSX.Element {
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  const percent = useStore((state) => Math.round(state.transform[2] * 100));
  return (
    <div className="pop zoom nopan" role="group" aria-label="Zoom">
      <button className="ib" aria-label="Zoom out" title="Zoom out" onClick={() => void zoomOut()}>
        <Icon name="minus" size="s" />
      </button>
      <output aria-label="Zoom">{percent}%</output>
      <button className="ib" aria-label="Zoom in" title="Zoom in" onClick={() => void zoomIn()}>
        <Icon name="plus" size="s" />
      </button>
      <span className="sep" />
      <button
        className="ib"
        aria-label="Show all"
        title="Show all"
        onClick={() => void fitView({ padding: 0.06, maxZoom: 1 })}
      >
        <Icon name="expand" size="s" />
      </button>
    </div>
  );
}
