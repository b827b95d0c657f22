import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { leaveCompositionKeys } from './app/composition-keys.ts';
import { applyStoredTheme } from './app/theme.ts';
import { Studio } from './app/studio.tsx';
import { keepChangesAcrossReloads } from './editing/unsaved-changes.ts';
import { watchRowKeys } from './editing/row-key-watch.ts';

applyStoredTheme();
leaveCompositionKeys();
watchRowKeys();
keepChangesAcrossReloads();
const container = document.querySelector('#studio');
if (container !== null) {
  createRoot(container).render(
    <StrictMode>
      <Studio />
    </StrictMode>,
  );
}
