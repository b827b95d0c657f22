import type { JobContext, JobName, JobOutput } from '../core/job.ts';

/** Performs a job; what it returns is its JSON answer. */
type PerformJob = (context: JobContext, input: never, output: JobOutput) => Promise<unknown>;

interface JobKind {
  /** Whether it changes the database; a read-only studio opens it read-only. */
  readonly writes: boolean;
  /** Whether the structure may be another one afterwards. */
  readonly changesStructure: boolean;
  /** Diagrams are done in seconds, and do not wait for transfers, which may take hours. */
  readonly queue: 'diagrams' | 'transfers';
  load(): Promise<PerformJob>;
}

const read = { writes: false, changesStructure: false, queue: 'transfers' } as const;

/**
 * Imports, and exports that stream: each runs once, in a process of its own. Loaded there when it
 * is asked for.
 */
export const jobs = {
  'export-data': {
    ...read,
    load: async () => (await import('../export/export-data.ts')).exportData,
  },
  'export-table': {
    ...read,
    load: async () => (await import('../export/export-table.ts')).exportTable,
  },
  'export-diagram': {
    ...read,
    queue: 'diagrams',
    load: async () => (await import('../export/export-diagram.ts')).exportDiagram,
  },
  'import-data': {
    writes: true,
    changesStructure: false,
    queue: 'transfers',
    load: async () => (await import('../import/import-data.ts')).importData,
  },
  'import-schema': {
    writes: true,
    changesStructure: true,
    queue: 'transfers',
    load: async () => (await import('../import/import-schema.ts')).importSchema,
  },
  'import-models': {
    writes: true,
    changesStructure: true,
    queue: 'transfers',
    load: async () => (await import('../import/import-models.ts')).importModels,
  },
} as const satisfies Readonly<Record<JobName, JobKind>>;
