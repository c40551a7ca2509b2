/** Variables that a check gets in addition to every program's. */
export interface CheckVariables {
  /** The variables with their values. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** The names of inherited variables that look like secrets but are passed on. */
  readonly envFrom?: readonly string[] | undefined
}
