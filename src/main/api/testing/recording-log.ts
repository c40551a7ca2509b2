import type { Log } from '../../ports/log.ts'

/** A log that keeps what it is told, as lines, for tests to look at. */
export function createRecordingLog(): Log & { readonly lines: readonly string[] } {
  const lines: string[] = []
  const record = (level: string) => (message: string, fields?: Record<string, unknown>) => {
    lines.push(`${level} ${message} ${JSON.stringify(fields ?? {})}`)
  }
  return { lines, info: record('info'), warn: record('warn'), error: record('error') }
}
