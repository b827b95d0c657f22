/** What a studio can do with its database, and the error of what it cannot do. */
import { hasGormDriver } from '../../gorm/dialects/index.ts';
import { studioCapabilities } from '../../model/capabilities.ts';
import { StudioError } from '../../model/errors.ts';
import { supports } from '../../model/supports.ts';
import type { Capability, StudioCapability } from '../../model/capabilities.ts';
import type { Dialect } from '../../model/database.ts';
import type { ErrorCode } from '../../model/errors.ts';
import type { Context } from './context.ts';
import type { JobContext } from './job.ts';

/** What loading files needs. */
export type LoadCapability = 'write' | 'load';

/** What changing the structure needs. */
export type StructureCapability = 'write' | 'ddl';

export type Capabilities = Readonly<Record<StudioCapability, boolean>>;

export function capabilitiesOf(dialect: Dialect): Capabilities {
  return Object.fromEntries(
    studioCapabilities.map((name) => [name, hasCapability(dialect, name)]),
  ) as Record<StudioCapability, boolean>;
}

function hasCapability(dialect: Dialect, name: StudioCapability): boolean {
  return name === 'gorm' ? hasGormDriver(dialect.name) : supports(dialect, name);
}

/** The database, as the error of a missing capability needs it. */
export interface CapableDatabase {
  /** `Dialect.name` */
  readonly name: string;
  readonly capabilities: Capabilities;
}

/** Fails with the error of the first of these capabilities that the database lacks. */
export function mustHave(
  { name, capabilities }: CapableDatabase,
  needed: readonly StudioCapability[],
): void {
  const missing = needed.find((capability) => !capabilities[capability]);
  if (missing !== undefined) throw missingError(name, missing);
}

function missingError(database: string, capability: StudioCapability): StudioError {
  const { code, action } = errorsByCapability[capability];
  const message = `The studio cannot ${action} a database of the kind "${database}".`;
  return new StudioError(code, message, { capability });
}

/** `what` completes the sentence "The studio cannot … a database". */
const errorsByCapability: Readonly<
  Record<StudioCapability, { readonly code: ErrorCode; readonly action: string }>
> = {
  // A studio without these two reports `read_only` and `disable_sql` in its configuration.
  write: { code: 'read_only', action: 'write to' },
  sql: { code: 'sql_disabled', action: 'run raw SQL on' },
  load: { code: 'unsupported', action: 'import data into' },
  script: { code: 'unsupported', action: 'write or read scripts of INSERT statements for' },
  ddl: { code: 'unsupported', action: 'write or read the structure as SQL of' },
  gorm: { code: 'unsupported', action: 'convert Go models for' },
};

/** Fails unless the dialect has the capability. */
export function mustSupport<C extends Capability>(
  dialect: Dialect,
  capability: C,
): asserts dialect is Dialect<C> {
  if (!supports(dialect, capability)) throw missingError(dialect.name, capability);
}

/**
 * Makes an operation of one that needs capabilities. Without them it fails before it begins, so that the
 * operation itself can rely on all their members.
 */
export function operationNeeding<C extends StudioCapability, Rest extends readonly unknown[], T>(
  needed: readonly C[],
  perform: (context: Context<CapabilitiesIn<C>>, ...rest: Rest) => Promise<T>,
): (context: Context, ...rest: Rest) => Promise<T> {
  return async (context, ...rest) => {
    mustSupportAll(context, needed);
    return perform(context as Context<CapabilitiesIn<C>>, ...rest);
  };
}

/** The same for a job. */
export function jobNeeding<C extends StudioCapability, Rest extends readonly unknown[], T>(
  needed: readonly C[],
  perform: (context: JobContext<CapabilitiesIn<C>>, ...rest: Rest) => Promise<T>,
): (context: JobContext, ...rest: Rest) => Promise<T> {
  return async (context, ...rest) => {
    mustSupportAll(context, needed);
    return perform(context as JobContext<CapabilitiesIn<C>>, ...rest);
  };
}

/** The members of C that are capabilities of a database, as opposed to those of the studio only. */
type CapabilitiesIn<C extends StudioCapability> = Extract<C, Capability>;

function mustSupportAll({ database }: Context, needed: readonly StudioCapability[]): void {
  const { dialect } = database;
  const missing = needed.find((capability) => !hasCapability(dialect, capability));
  if (missing !== undefined) throw missingError(dialect.name, missing);
}
