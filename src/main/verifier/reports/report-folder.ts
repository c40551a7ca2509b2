import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdtemp, open, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MAX_REPORT_BYTES } from '../../../core/reports/test-report.ts'

/** A folder of ours for the report of one run. */
export interface ReportFolder {
  /** Where the runner is told to write: a name that nobody could know before. */
  readonly reportFile: string
  /** The text that was written there; null where nothing was. */
  read(): Promise<{ readonly text: string } | { readonly reason: string } | null>
  remove(): Promise<void>
}

/** Makes a new, private folder outside the workspace: what stands in it was written by this very run. */
export async function createReportFolder(): Promise<ReportFolder> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'pulseward-report-')))
  const reportFile = join(folder, `report-${randomBytes(12).toString('hex')}`)
  return {
    reportFile,
    read: () => readReportFile(reportFile),
    remove: () => rm(folder, { recursive: true, force: true }).catch(() => undefined),
  }
}

async function readReportFile(path: string): ReturnType<ReportFolder['read']> {
  try {
    // Not through a link, and a pipe is not waited for: it was to be a file.
    const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
    const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    try {
      const info = await file.stat()
      if (!info.isFile()) return { reason: 'it is not a regular file' }
      if (info.nlink > 1) return { reason: 'it is a link to another file' }
      if (info.size > MAX_REPORT_BYTES) return { reason: `it is larger than ${MAX_REPORT_BYTES} bytes` }
      return { text: await file.readFile('utf8') }
    } finally {
      await file.close()
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    return { reason: error instanceof Error ? error.message : String(error) }
  }
}
