export const noCopyData = 'COPY FROM STDIN is not supported here';

export interface CopyPipeline {
  sendCopyFail(message: string): void;
  sync(): void;
}

/** While the server waits for COPY data, it ignores the Sync that the driver has already sent. */
export function rejectCopy(pipeline: CopyPipeline): void {
  pipeline.sendCopyFail(noCopyData);
  pipeline.sync();
}
