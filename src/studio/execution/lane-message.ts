import type { DatabaseTarget } from '../../model/database.ts';
import type { WriteOutcome } from '../../model/errors.ts';
import type { Access } from '../core/context.ts';
import type { ModelSettings } from '../core/models.ts';
import type { Lane, OperationName } from './operations.ts';
import type { GroupedWrite } from './write-group.ts';

/** The start message of a lane's child process. */
export interface LaneStart {
  readonly target: DatabaseTarget;
  readonly lane: Lane;
  readonly access: Access;
  readonly models: ModelSettings;
}

/** One request to a lane's child process. */
export interface LaneCall {
  readonly name: OperationName;
  readonly input: unknown;
  readonly boundedOnly: boolean;
}

/** Several writes for one transaction. */
export interface LaneGroup {
  readonly group: readonly GroupedWrite[];
}

/** What the process of the lane for writes reports before its reply, when it changes. */
export interface LaneProgress {
  readonly outcome: WriteOutcome;
}

export type LaneMessage = LaneCall | LaneGroup;
