import { useReactFlow, useStore } from '@xyflow/react';
import type { JSX } from 'react';
import { Icon } from '../parts/icon.tsx';
import { diagramTexts as texts } from '../texts/diagram.ts';

interface ZoomBarProps {
  readonly isMinimapShown: boolean;
  readonly onToggleMinimap: () => void;
}

/** Buttons to zoom in, zoom out and fit the diagram, and to show the minimap. */
export function ZoomBar({ isMinimapShown, onToggleMinimap }: ZoomBarProps): JSX.Element {
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  const percent = useStore((state) => Math.round(state.transform[2] * 100));
  return (
    <div className="pop zoom nopan" role="group" aria-label={texts.zoom}>
      <button
        className="ib"
        aria-label={texts.zoomOut}
        title={texts.zoomOut}
        onClick={() => void zoomOut()}
      >
        <Icon name="minus" size="s" />
      </button>
      <output aria-label={texts.zoom}>{percent}%</output>
      <button
        className="ib"
        aria-label={texts.zoomIn}
        title={texts.zoomIn}
        onClick={() => void zoomIn()}
      >
        <Icon name="plus" size="s" />
      </button>
      <span className="sep" />
      <button
        className="ib"
        aria-label={texts.fitView}
        title={texts.fitView}
        onClick={() => void fitView({ padding: 0.06, maxZoom: 1 })}
      >
        <Icon name="expand" size="s" />
      </button>
      <button
        className="ib minimap-toggle"
        aria-label={texts.minimap}
        aria-pressed={isMinimapShown}
        title={isMinimapShown ? texts.hideMinimap : texts.showMinimap}
        onClick={onToggleMinimap}
      >
        <Icon name="map" size="s" />
      </button>
    </div>
  );
}
