import { randomBytes } from 'node:crypto'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { MAX_REPORT_BYTES } from '../../../core/reports/test-report.ts'
import { onlyIn, withFileBeneath } from '../../files/beneath.ts'
import { errorCode, explainCode } from '../../files/storage-error.ts'

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
  // From above our folder: what ran could put a link in the place of that, too.
  const above = dirname(dirname(path))
  const read = await withFileBeneath(
    onlyIn(above),
    relative(above, path),
    async (file, info) => {
      if (info.nlink > 1) return { reason: 'it is a link to another file' }
      if (info.size > MAX_REPORT_BYTES) return { reason: `it is larger than ${MAX_REPORT_BYTES} bytes` }
      return { text: await file.readFile('utf8') }
    },
    { last: 'keep' },
  ).catch((error: unknown) => ({ code: errorCode(error) }))
  if (!('code' in read)) return read
  if (read.code === 'ENOENT') return null
  return { reason: read.code === 'NOT_A_FILE' ? 'it is not a regular file' : explainCode(read.code) }
}
