/** Which record: of which workspace of which host. */
export interface RecordPlace {
  readonly host: string
  readonly workspace: string
}

/** One word for a record; a host's name has no slash. */
export function recordKey({ host, workspace }: RecordPlace): string {
  return `${host}/${workspace}`
}
