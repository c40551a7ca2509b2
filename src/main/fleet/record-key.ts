/** The host and the workspace of a record. */
export interface RecordPlace {
  readonly host: string
  readonly workspace: string
}

/** Returns a unique string for a record; a host's name has no slash. */
export function recordKey({ host, workspace }: RecordPlace): string {
  return `${host}/${workspace}`
}
