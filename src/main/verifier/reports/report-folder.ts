import { randomBytes } from 'node:crypto'
import { lstat, mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { MAX_REPORT_BYTES } from '../../../core/reports/test-report.ts'
import { onlyIn, withFileBeneath } from '../../files/beneath.ts'
import { errorCode, explainCode } from '../../files/storage-error.ts'
import { decodeReport } from './decode-report.ts'

/** A folder of ours for the report of one run. */
export interface ReportFolder {
  /** The path where the runner is told to write: a name that no one could have known. */
  readonly reportFile: string
  /** Returns what was written there, one text per file, because a runner may make a folder of it. Null if nothing was. */
  read(): Promise<WrittenReport | null>
  remove(): Promise<void>
}

/** The texts of a report, or a sentence that says why it is rejected. */
export type WrittenReport = { readonly texts: readonly string[] } | { readonly reason: string }

/** Prefix of report folders; followed by the id of the process that created it, so that the leftovers of a killed process can be found. */
export const REPORT_PREFIX = 'pulseward-report-'

/** Creates a new, private folder outside the workspace, so that its content can only come from this run. */
export async function createReportFolder(): Promise<ReportFolder> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), `${REPORT_PREFIX}${process.pid}-`)))
  const reportFile = join(folder, `report-${randomBytes(12).toString('hex')}`)
  return {
    reportFile,
    read: () => readReportFile(reportFile),
    remove: () => rm(folder, { recursive: true, force: true }).catch(() => undefined),
  }
}

/** Limit for one file per test suite, in folders of their modules. More files are not a test run. */
const MAX_FILES = 5000
const MAX_DEPTH = 6

async function readReportFile(path: string): Promise<WrittenReport | null> {
  try {
    const files = (await lstat(path)).isDirectory() ? await filesBelow(path, MAX_DEPTH) : [path]
    return files.length === 0 ? { reason: 'it is a folder without a report' } : await readReportFiles(files)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    return { reason: error instanceof Error ? error.message : String(error) }
  }
}

/** Reads the files of one report, at most `MAX_REPORT_BYTES` in all. Rejects if one can't be opened. */
export async function readReportFiles(files: readonly string[]): Promise<WrittenReport> {
  if (files.length > MAX_FILES) return { reason: `it has more than ${MAX_FILES} files` }
  const texts: string[] = []
  let left = MAX_REPORT_BYTES
  for (const file of files) {
    const reading = await readRegularFile(file, left)
    if ('reason' in reading) return reading
    left -= reading.bytes.length
    texts.push(decodeReport(reading.bytes))
  }
  return { texts }
}

/** Returns the reports in a folder that a runner wrote: its XML and TRX files, sorted. Other files (logs, pages) are ignored. */
async function filesBelow(folder: string, depth: number): Promise<readonly string[]> {
  if (depth < 0) return []
  const entries = (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))
  const found = entries.map((entry): Promise<readonly string[]> | readonly string[] => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesBelow(path, depth - 1)
    return entry.isFile() && /\.(?:xml|trx)$/i.test(entry.name) ? [path] : []
  })
  return (await Promise.all(found)).flat()
}

async function readRegularFile(
  path: string,
  maxBytes: number,
): Promise<{ readonly bytes: Buffer } | { readonly reason: string }> {
  // Open it from above our folder, because the program could also have replaced our folder with a link.
  const above = dirname(dirname(path))
  const read = await withFileBeneath(
    onlyIn(above),
    relative(above, path),
    async (file, info) => {
      if (info.nlink > 1) return { reason: 'it is a link to another file' }
      if (info.size > maxBytes) return { reason: `it is larger than ${MAX_REPORT_BYTES} bytes` }
      return { bytes: await file.readFile() }
    },
    { last: 'keep' },
  ).catch((error: unknown) => ({ code: errorCode(error) }))
  if (!('code' in read)) return read
  if (read.code === 'ENOENT') throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
  return { reason: read.code === 'NOT_A_FILE' ? 'it is not a regular file' : explainCode(read.code) }
}
