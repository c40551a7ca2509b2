/** A finding about this machine. */
export interface Finding {
  readonly status: 'ok' | 'warning' | 'error'
  /** What was found, and the remedy if something is wrong. */
  readonly message: string
}
