import type { Writable } from 'node:stream';
import type { Capability } from '../../model/capabilities.ts';
import type { DatabaseTarget } from '../../model/database.ts';
import type { Schema } from '../../model/schema.ts';
import type { Traceparent } from '../../model/traceparent.ts';
import type { Access, Context } from './context.ts';
import type { ModelSettings } from './models.ts';

/** Imports, and exports that stream. */
export type JobName =
  | 'export-data'
  | 'export-table'
  | 'export-dump'
  | 'export-diagram'
  | 'import-data'
  | 'import-schema'
  | 'import-dump'
  | 'import-models';

/** The context of an import or export, which has a process and a connection of its own. */
export interface JobContext<C extends Capability = never> extends Context<C> {
  readonly target: DatabaseTarget;
  /** A temporary folder for this job. It is removed afterwards, even if the job is killed. */
  readonly folder: string;
  /** The studio's state folder with models and journals. Undefined if it has none. */
  readonly stateDir?: string;
  /** The name of the job's journal, from which the studio undoes it. */
  readonly journal?: string;
  /** Called with the phases of an import that are no commits of transactions. */
  readonly onPhase?: (phase: JobPhase) => void;
  /** Font files for scripts that the bundled fonts do not cover. They take precedence over the system's fonts. */
  readonly fonts: readonly string[];
  /** The largest upload in bytes. Compressed files may expand to ten times that. */
  readonly maxUploadBytes: number;
  /** As in the request. */
  readonly cachedTables?: Schema;
}

/** Receives the bytes and the messages of a job. */
export interface JobOutput {
  /** Describes the file. Called before its first byte. */
  head(head: FileHead): void;
  /** Receives the bytes of the file. Chunks of 32 KB or more are efficient. */
  readonly stream: Writable;
  /** Cheap to call often: calls are throttled. */
  progress(progress: Progress): void;
}

export interface FileHead {
  readonly fileName: string;
  readonly mediaType: string;
  /** False if the tables were not read in one snapshot, because the database does not support that. */
  readonly consistent?: boolean;
  /** What the file does not contain, one sentence each. */
  readonly warnings?: readonly string[];
}

export interface Progress {
  readonly bytes: number;
  readonly total_bytes: number;
  readonly rows: number;
  readonly table?: string;
  /** While the job waits: its position in the queue, from 1. */
  readonly waiting?: number;
}

/** A file that came with a request, spooled to disk. */
export interface UploadedFile {
  /** As the client calls it. */
  readonly name: string;
  /** Its folder relative to the upload, with `/`. Empty or absent for a single file. */
  readonly folder?: string;
  readonly path: string;
  readonly bytes: number;
}

export interface Upload {
  readonly files: readonly UploadedFile[];
  /** The form's other fields. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The request that starts a job's process. */
export interface JobRequest {
  readonly name: JobName;
  readonly input: unknown;
  readonly target: DatabaseTarget;
  readonly access: Access;
  readonly models: ModelSettings;
  readonly folder: string;
  readonly stateDir?: string;
  readonly journal?: string;
  readonly fonts: readonly string[];
  readonly maxUploadBytes: number;
  readonly traceparent?: Traceparent;
  /** The tables of an export as the studio has cached them, which may be outdated. Without other tables. */
  readonly cachedTables?: Schema;
}

/** A message of a job's process while it runs. */
export type JobMessage =
  | { readonly head: FileHead }
  | { readonly progress: Progress }
  | { readonly phase: JobPhase }
  /** What the studio logs of earlier imports that the job has completed. */
  | { readonly recovered: readonly string[] };

/** The phase of an import. The studio reports the last one when the job fails or is killed. `undone`: what it had committed has been removed. */
export type JobPhase = 'committing' | 'committed' | 'undone';
