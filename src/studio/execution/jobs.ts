import { jobNeeding } from '../core/capabilities.ts';
import type { JobContext, JobName, JobOutput } from '../core/job.ts';

/** Performs a job and returns its JSON response. */
type PerformJob = (context: JobContext, input: never, output: JobOutput) => Promise<unknown>;

interface JobKind {
  /** Whether the job writes to the database. Other jobs open it read-only. */
  readonly writes: boolean;
  /** Whether the job may change the structure: always, or with this parameter. */
  readonly changesStructure: boolean | 'create_table';
  /** Diagrams take seconds and must not wait for transfers, which may take hours. */
  readonly queue: 'diagrams' | 'transfers';
  load(): Promise<PerformJob>;
}

const read = { writes: false, changesStructure: false, queue: 'transfers' } as const;

/** Imports and streaming exports. Each runs in a process of its own, which loads only its module. */
export const jobs = {
  'export-data': {
    ...read,
    load: async () => (await import('../export/export-data.ts')).exportData,
  },
  'export-table': {
    ...read,
    load: async () => (await import('../export/export-table.ts')).exportTable,
  },
  'export-dump': {
    ...read,
    load: async () => (await import('../export/export-dump.ts')).exportDump,
  },
  'export-diagram': {
    ...read,
    queue: 'diagrams',
    load: async () => (await import('../export/export-diagram.ts')).exportDiagram,
  },
  'import-data': {
    writes: true,
    changesStructure: 'create_table',
    queue: 'transfers',
    load: async () =>
      jobNeeding(['write', 'load'], (await import('../import/import-data.ts')).importData),
  },
  'import-schema': {
    writes: true,
    changesStructure: true,
    queue: 'transfers',
    load: async () =>
      jobNeeding(
        ['write', 'ddl'],
        (await import('../import/schema/import-schema.ts')).importSchema,
      ),
  },
  'import-dump': {
    writes: true,
    changesStructure: true,
    queue: 'transfers',
    load: async () =>
      jobNeeding(['write', 'load', 'ddl'], (await import('../import/import-dump.ts')).importDump),
  },
  'import-models': {
    writes: true,
    changesStructure: true,
    queue: 'transfers',
    load: async () =>
      jobNeeding(
        ['write', 'ddl', 'gorm'],
        (await import('../import/schema/import-models.ts')).importModels,
      ),
  },
} as const satisfies Readonly<Record<JobName, JobKind>>;
