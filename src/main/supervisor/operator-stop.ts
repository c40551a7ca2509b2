/**
 * The reason with which a heartbeat's signal is aborted if the operator ended it; any other reason means that the supervisor is stopping.
 */
export class OperatorStop extends Error {
  constructor() {
    super('The operator has stopped the heartbeat.')
  }
}

/** Whether the operator has ended the run that `signal` belongs to. */
export function isStoppedByOperator(signal: AbortSignal): boolean {
  return signal.reason instanceof OperatorStop
}
