import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { applyStoredTheme } from './app/theme.ts';
import { Studio } from './app/studio.tsx';
import { storeChangesOverReload } from './editing/unsaved-changes.ts';
import { watchRowKeys } from './editing/row-key-watch.ts';

applyStoredTheme();
watchRowKeys();
storeChangesOverReload();
const container = document.querySelector('#studio');
if (container !== null) {
  createRoot(container).render(
    <StrictMode>
      <Studio />
    </StrictMode>,
  );
}
