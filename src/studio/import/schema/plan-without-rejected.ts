/** Plans a dump without the views, triggers, routines and extensions that the database rejects. */
import { StudioError } from '../../../model/errors.ts';
import { dependsOn } from '../../../sql/dependency-order.ts';
import { describeTables } from '../create-and-load.ts';
import { rejectExisting, withoutProgram } from './select-programs.ts';
import { planSchema } from './schema-plan.ts';
import type { Schema, Table } from '../../../model/schema.ts';
import type { ScriptProgram } from '../../../model/stored-program.ts';
import type { NewTablesContext } from '../create-and-load.ts';
import type { UploadedSchema } from './read-schema-upload.ts';
import type { Rejection } from './rejected-object.ts';
import type { PlanOptions, SchemaPlan } from './schema-plan.ts';

export interface ReducedInput {
  readonly structure: UploadedSchema;
  readonly programs: readonly ScriptProgram[];
  /** The views that are left out. */
  readonly omitted: readonly Table[];
  /** One sentence for each extension that is left out. */
  readonly omittedExtensions: readonly string[];
  /** One sentence for each attempt after which columns became numbers. */
  readonly numbers: readonly string[];
  /** One sentence for each other object that is left out. */
  readonly warnings: readonly string[];
}

export interface TriedPlan {
  readonly input: ReducedInput;
  readonly plan: SchemaPlan;
  readonly created: Schema;
}

/**
 * Each trial goes on after a rejected object, and fails where something else needs that object. The last
 * one rejects nothing.
 */
export async function planWithoutRejected(
  context: NewTablesContext,
  input: ReducedInput,
  options: Omit<PlanOptions, 'programs'>,
): Promise<TriedPlan> {
  let reduced = input;
  for (;;) {
    const { structure, programs } = reduced;
    const plan = planSchema(structure, { ...options, programs });
    const rejections: Rejection[] = [];
    const created = await describeTables(context, plan, (one) => rejections.push(one)).catch(
      (error: unknown) => {
        if (rejections.length === 0) throw withExtensions(error, reduced);
        return undefined;
      },
    );
    if (created !== undefined && rejections.length === 0) return { input: reduced, plan, created };
    const rejected = rejections.flatMap(({ object }) => object.program ?? []);
    await rejectExisting(rejected, context.database);
    reduced = rejections.reduce(withoutObject, reduced);
  }
}

/** Objects may need an extension that is left out. */
function withExtensions(error: unknown, { omittedExtensions }: ReducedInput): unknown {
  if (!(error instanceof StudioError) || omittedExtensions.length === 0) return error;
  const message = [error.message.replace(/([^.])$/, '$1.'), ...omittedExtensions].join(' ');
  return new StudioError(error.code, message, error.details);
}

/** Fails if the file has no object of that name, which an import has cut. */
export function withoutObject(
  input: ReducedInput,
  { object: { program, view, extension }, reason }: Rejection,
): ReducedInput {
  if (extension !== undefined) return withoutExtension(input, extension, reason);
  if (program !== undefined) {
    const { programs, warnings } = withoutProgram(input.programs, program, reason);
    return { ...input, programs, warnings: [...input.warnings, ...warnings] };
  }
  const { structure, omitted } = input;
  const { schema } = structure;
  // A trial that another transaction has ended is repeated, and reports its objects again.
  if (omitted.some(({ name }) => name === view?.name)) return input;
  const found = schema.views.find(({ name }) => name === view?.name);
  if (found === undefined)
    throw new StudioError(
      'import_failed',
      `The database rejects the view ${view?.name}: ${reason}`,
    );
  const base = omitted.find((other) => dependsOn(found, other));
  const because = base === undefined ? '' : `, as ${base.name} is`;
  const views = schema.views.filter((other) => other !== found);
  return {
    ...input,
    structure: { ...structure, schema: { ...schema, views } },
    omitted: [...omitted, found],
    warnings: [
      ...input.warnings,
      `The view ${found.name} is left out${because}: ${reason.replace(/\.$/, '')}.`,
    ],
  };
}

function withoutExtension(input: ReducedInput, name: string, reason: string): ReducedInput {
  const { structure, omittedExtensions } = input;
  const { schema } = structure;
  const { externalObjects } = schema;
  // A trial that another transaction has ended is repeated, and reports its objects again.
  if (externalObjects?.extensions.includes(name) !== true) return input;
  const extensions = externalObjects.extensions.filter((other) => other !== name);
  return {
    ...input,
    structure: {
      ...structure,
      schema: { ...schema, externalObjects: { ...externalObjects, extensions } },
    },
    omittedExtensions: [
      ...omittedExtensions,
      `The extension ${name} is left out: ${reason.replace(`The extension ${name} `, 'it ').replace(/\.$/, '')}.`,
    ],
  };
}
