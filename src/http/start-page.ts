/** The page at `/studio/`; its links are relative, so that it is right under every prefix. */
export const startPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Database Studio</title>
    <link rel="icon" href="icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="studio.css">
  </head>
  <body>
    <main>
      <img src="icon.svg" alt="" width="56" height="56">
      <h1>Database Studio</h1>
      <p class="lead">The studio is running, and serves its database as JSON over HTTP.</p>
      <ul>
        <li><a href="api/openapi.json"><strong>API description</strong><span>Every route, as an OpenAPI document</span></a></li>
        <li><a href="api/schema"><strong>Schema</strong><span>Tables, columns, keys, relations and row counts</span></a></li>
        <li><a href="api/config"><strong>Configuration</strong><span>How this studio was started</span></a></li>
        <li><a href="api/health"><strong>Health</strong><span>Whether the database answers</span></a></li>
      </ul>
      <p class="hint">Rows of a table are at <code>api/tables/<var>table</var>/rows</code>.</p>
    </main>
  </body>
</html>
`;

export const startStyle = `:root {
  color-scheme: light dark;
  --paper: light-dark(#f6f7f9, #14161a);
  --card: light-dark(#ffffff, #1c1f25);
  --ink: light-dark(#1b1f27, #e8eaee);
  --soft: light-dark(#5a6270, #a0a7b4);
  --line: light-dark(#dfe3e9, #2d323b);
  --accent: light-dark(#2456c8, #86a9ff);
}

* { box-sizing: border-box; }

body {
  margin: 0;
  min-height: 100vh;
  display: grid;
  place-items: center;
  padding: 2rem 1rem;
  background: var(--paper);
  color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif;
}

main { width: min(100%, 34rem); }

h1 { margin: 1rem 0 0; font-size: 1.75rem; line-height: 1.2; letter-spacing: -0.02em; }

.lead { margin: 0.5rem 0 1.75rem; color: var(--soft); }

ul {
  margin: 0;
  padding: 0;
  list-style: none;
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 12px;
  overflow: hidden;
}

li + li { border-top: 1px solid var(--line); }

a {
  display: block;
  padding: 0.8rem 1.1rem;
  color: inherit;
  text-decoration: none;
}

a strong { display: block; color: var(--accent); font-weight: 600; }

a span { color: var(--soft); font-size: 0.9rem; }

a:hover { background: color-mix(in srgb, var(--accent) 7%, transparent); }

a:focus-visible { outline: 2px solid var(--accent); outline-offset: -3px; border-radius: 12px; }

.hint { margin: 1.25rem 0 0; color: var(--soft); font-size: 0.9rem; }

code { font: 0.9em ui-monospace, monospace; }
`;

export const startIcon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <rect width="32" height="32" rx="7" fill="#2456c8"/>
  <g fill="none" stroke="#fff" stroke-width="2">
    <ellipse cx="16" cy="9.5" rx="8" ry="3"/>
    <path d="M8 9.5v13c0 1.7 3.6 3 8 3s8-1.3 8-3v-13M8 16c0 1.7 3.6 3 8 3s8-1.3 8-3"/>
  </g>
</svg>
`;
