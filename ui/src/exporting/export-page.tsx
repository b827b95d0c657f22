import type { JSX } from 'react';
import { SidebarButton } from '../shell/sidebar-button.tsx';
import { ExportForm } from './export-form.tsx';
import { commonTexts as texts } from '../texts/common.ts';

/** The content of the export dialog as a page with its own URL. */
export function ExportPage(): JSX.Element {
  return (
    <section className="sheet export-page" aria-label={texts.export}>
      <div className="toolbar">
        <SidebarButton />
        <h1 className="title">{texts.export}</h1>
      </div>
      <ExportForm content="data" />
    </section>
  );
}
