/** Which record: the host and its workspace. */
export interface RecordPlace {
  readonly host: string
  readonly workspace: string
}

/** Returns one string for a record; a host's name has no slash. */
export function recordKey({ host, workspace }: RecordPlace): string {
  return `${host}/${workspace}`
}
