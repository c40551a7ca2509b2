/** What a look at this machine has found. */
export interface Finding {
  readonly status: 'ok' | 'warning' | 'error'
  /** What was found, and the remedy where something is wrong. */
  readonly message: string
}
