/** What a check is given beside what every program is. */
export interface CheckVariables {
  /** With their values. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** The names of inherited ones that look like secrets and are passed on all the same. */
  readonly envFrom?: readonly string[] | undefined
}
