import type { Log } from '../../ports/log.ts'

/** Returns a log that keeps its lines for tests. */
export function createRecordingLog(): Log & { readonly lines: readonly string[] } {
  const lines: string[] = []
  const record = (level: string) => (message: string, fields?: Record<string, unknown>) => {
    lines.push(`${level} ${message} ${JSON.stringify(fields ?? {})}`)
  }
  return { lines, info: record('info'), warn: record('warn'), error: record('error') }
}
