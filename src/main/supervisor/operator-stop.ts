/** Why the signal of a heartbeat is aborted where the operator has ended it; any other reason is the supervisor's own end. */
export class OperatorStop extends Error {
  constructor() {
    super('The operator has stopped the heartbeat.')
  }
}

/** Whether the operator has ended what `signal` belongs to. */
export function isStoppedByOperator(signal: AbortSignal): boolean {
  return signal.reason instanceof OperatorStop
}
