/** Names of file formats and of databases' languages, as their makers write them. */
export const formatTitles = {
  csv: 'CSV',
  dbml: 'DBML',
  go: 'Go',
  json: 'JSON',
  markdown: 'Markdown',
  mermaid: 'Mermaid',
  ndjson: 'NDJSON',
  parquet: 'Parquet',
  pdf: 'PDF',
  png: 'PNG',
  sql: 'SQL',
  svg: 'SVG',
  xlsx: 'Excel',
  yaml: 'YAML',
  zip: 'Files in a zip',
};
