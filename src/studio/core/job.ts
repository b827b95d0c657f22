import type { Writable } from 'node:stream';
import type { Target } from '../../model/database.ts';
import type { Access, Context } from './context.ts';
import type { ModelSettings } from './models.ts';

/** Imports, and exports that stream. */
export type JobName =
  | 'export-data'
  | 'export-table'
  | 'export-diagram'
  | 'import-data'
  | 'import-schema'
  | 'import-models';

/** What an import or export works with: a process and a connection of its own. */
export interface JobContext extends Context {
  readonly target: Target;
  /** A folder of this job's own; removed afterwards whatever happens. */
  readonly folder: string;
  /** The studio's state folder (models, journals); undefined when it keeps none. */
  readonly stateDir?: string;
  /** The name of the job's journal, from which the studio undoes it. */
  readonly journal?: string;
  /** Font files for scripts that the bundled fonts do not have, to look in before the system's. */
  readonly fonts: readonly string[];
  /** The largest upload in bytes; what is packed may expand to ten times that. */
  readonly maxUploadBytes: number;
}

/** Where a job's bytes and news go. */
export interface JobOutput {
  /** What the file is; told before its first byte. */
  head(head: FileHead): void;
  /** The file's bytes; pieces of 32 KB or more are best. */
  readonly stream: Writable;
  /** Cheap: only some of what is told is passed on. */
  progress(progress: Progress): void;
}

export interface FileHead {
  readonly fileName: string;
  readonly mediaType: string;
  /** False when the file is not of one moment: the database has no snapshots to read from. */
  readonly consistent?: boolean;
  /** What the file could not hold, a sentence each. */
  readonly warnings?: readonly string[];
}

export interface Progress {
  readonly bytes: number;
  readonly total_bytes: number;
  readonly rows: number;
  readonly table?: string;
  /** While the job has not started: how many are to start before it. */
  readonly waiting?: number;
}

/** A file that came with a request, spooled to disk. */
export interface UploadedFile {
  /** As the client calls it. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
}

export interface Upload {
  readonly files: readonly UploadedFile[];
  /** The form's other fields. */
  readonly fields: Readonly<Record<string, string>>;
}

/** What a job's process is told. */
export interface JobRequest {
  readonly name: JobName;
  readonly input: unknown;
  readonly target: Target;
  readonly access: Access;
  readonly models: ModelSettings;
  readonly folder: string;
  readonly stateDir?: string;
  readonly journal?: string;
  readonly fonts: readonly string[];
  readonly maxUploadBytes: number;
}

/** What a job's process tells while it works. */
export type JobMessage =
  | { readonly head: FileHead }
  | { readonly progress: Progress }
  | { readonly phase: JobPhase };

/** The commit phase of an import. The studio reports the last one when the job is killed. */
export type JobPhase = 'committing' | 'committed';
