import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ReactFlowProvider } from '@xyflow/react';
import type { Dimensions } from '@xyflow/react';
import { useCallback, useMemo, useState } from 'react';
import type { JSX } from 'react';
import { schemaQuery } from '../api/queries.ts';
import type { Schema } from '../api/queries.ts';
import type { SearchText } from '../app/search-text.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { useIsPhone } from '../parts/use-is-phone.ts';
import { countText } from '../shell/count-text.ts';
import { diagramSearch, readDiagramView } from './diagram-address.ts';
import type { ChangeView, DiagramView } from './diagram-address.ts';
import { DiagramCanvas } from './diagram-canvas.tsx';
import { DiagramToolbar } from './diagram-toolbar.tsx';
import { layoutQuery } from './layout-query.ts';
import { neighborsOf } from './neighbors.ts';
import type { FoundName } from './table-search.tsx';
import { useSharedPositions } from './share-positions.ts';
import '@xyflow/react/dist/base.css';
import './diagram.css';
import { diagramTexts as texts } from '../texts/diagram.ts';
import { commonTexts } from '../texts/common.ts';

/** The page of the diagram, in the layout that the server computes. */
export function DiagramPage(): JSX.Element {
  const { data: schema } = useQuery(schemaQuery);
  const [view, change] = useDiagramView(schema);
  const neighborhood = useNeighborhood(schema, view);
  const [column, setFound] = useFoundColumn(view);
  const [size, setSize] = useState<Dimensions>();
  const measure = useCallback((canvas: HTMLElement | null) => {
    if (canvas !== null) setSize({ width: canvas.clientWidth, height: canvas.clientHeight });
  }, []);
  const shown = view.hidesOthers ? neighborhood : undefined;
  const tables = shown && [...shown].toSorted();
  const {
    data: layout,
    error,
    isPlaceholderData: isOutdated,
    refetch,
  } = useQuery({
    ...layoutQuery({ columns: view.columns, tables }),
    enabled: schema !== undefined,
    placeholderData: keepPreviousData,
  });
  const counts = useMemo(() => countsOf(schema), [schema]);
  const hiddenNames = JSON.stringify(view.hidden);
  const hidden = useMemo(() => new Set(JSON.parse(hiddenNames) as string[]), [hiddenNames]);
  const positionsKey = `studio.places ${schema?.driver} ${schema?.database} ${view.columns}`;
  useSharedPositions(positionsKey, view.columns);
  return (
    <section className="sheet" aria-label={commonTexts.diagram}>
      <ReactFlowProvider>
        <DiagramToolbar
          layout={layout}
          view={view}
          onChange={change}
          tables={tables}
          hidden={hidden}
          positionsKey={positionsKey}
          onFind={setFound}
        />
        <div className="canvas" ref={measure}>
          {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
          {error === null && (layout === undefined || isOutdated) && (
            <ComputingNote isOverLayout={layout !== undefined} />
          )}
          {layout?.tables.length === 0 && <p className="canvas-note t2">{texts.noTables}</p>}
          {layout !== undefined && layout.tables.length > 0 && size !== undefined && (
            <DiagramCanvas
              layout={layout}
              hidden={hidden}
              emphasis={{ around: view.around, neighborhood, column, counts }}
              view={view}
              onChange={change}
              positionsKey={positionsKey}
              size={size}
            />
          )}
        </div>
      </ReactFlowProvider>
    </section>
  );
}

/** The column that the search found, as long as its table is focused. */
function useFoundColumn({
  around,
}: DiagramView): readonly [string | undefined, (found: FoundName) => void] {
  const [found, setFound] = useState<FoundName>();
  return [found?.table === around ? found?.column : undefined, setFound];
}

function ComputingNote({ isOverLayout }: { readonly isOverLayout: boolean }): JSX.Element {
  return (
    <p className={isOverLayout ? 'pop canvas-note above t2' : 'canvas-note t2'} role="status">
      {texts.computing}
    </p>
  );
}

/** The state in the URL, without a focused table that no longer exists. */
function useDiagramView(schema: Schema | undefined): readonly [DiagramView, ChangeView] {
  const search: SearchText = useSearch({ strict: false });
  const navigate = useNavigate();
  const read = readDiagramView(search);
  const isThere =
    schema === undefined ||
    [...schema.tables, ...schema.views].some(({ name }) => name === read.around);
  const named = isThere ? read : { ...read, around: undefined, hidesOthers: false };
  const isPhone = useIsPhone();
  const view = isPhone ? phoneView(named, schema) : named;
  const change: ChangeView = (changes) =>
    void navigate({
      to: '/diagram',
      search: diagramSearch({ ...view, isWhole: isPhone, ...changes }),
      replace: true,
    });
  return [view, change];
}

/** In tables and in relations of the table that is shown first: as much as a phone has space for. */
const phoneLimits = { tables: 30, relations: 8 };

/** On a phone, a large diagram begins with a table of many relations, but not too many, and its neighbors. */
function phoneView(view: DiagramView, schema: Schema | undefined): DiagramView {
  const { tables = [] } = schema ?? {};
  const isLarge = tables.length > phoneLimits.tables;
  if (!isLarge || view.around !== undefined || view.isWhole) return view;
  const rank = ({ relations }: Schema['tables'][number]): number =>
    relations.length > phoneLimits.relations ? 0 : relations.length;
  const first = tables.reduce((best, table) => (rank(table) > rank(best) ? table : best));
  return { ...view, around: first.name, hidesOthers: true };
}

function useNeighborhood(
  schema: Schema | undefined,
  { around, depth }: DiagramView,
): ReadonlySet<string> | undefined {
  return useMemo(
    () =>
      schema === undefined || around === undefined ? undefined : neighborsOf(schema, around, depth),
    [schema, around, depth],
  );
}

function countsOf(schema: Schema | undefined): ReadonlyMap<string, string> {
  const tables = [...(schema?.tables ?? []), ...(schema?.views ?? [])];
  return new Map(tables.map((table) => [table.name, countText(table)]));
}
