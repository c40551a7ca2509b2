/** Headers sent with a line of a record. */
export const LINE_HEADERS = {
  seq: 'Pw-Seq',
  hash: 'Pw-Hash',
  prev: 'Pw-Prev',
  encoding: 'Pw-Encoding',
  /** Secrets were removed: the line no longer matches its hash. */
  redacted: 'Pw-Redacted',
} as const
