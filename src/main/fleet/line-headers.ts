/** What stands beside a line of a record on its way. */
export const LINE_HEADERS = {
  seq: 'Pw-Seq',
  hash: 'Pw-Hash',
  prev: 'Pw-Prev',
  encoding: 'Pw-Encoding',
  /** Secrets were taken out: the line no longer has its hash. */
  redacted: 'Pw-Redacted',
} as const
