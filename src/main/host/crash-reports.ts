import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

interface CrashReport {
  readonly path: string
  /** ISO 8601. */
  readonly at: string
  readonly bytes: number
}

/** Few, because each takes several MB. */
const KEPT = 10

/**
 * Lists what Chromium wrote when a process of the desktop app crashed, newest first. The reports stay in the data folder; nothing sends
 * them. Never rejects.
 */
export async function crashReports(dataDirectory: string): Promise<readonly CrashReport[]> {
  const directory = join(dataDirectory, 'desktop/Crashpad')
  const names = await readdir(directory, { recursive: true }).catch(() => [])
  const reports: CrashReport[] = []
  for (const name of names.filter((each) => each.endsWith('.dmp'))) {
    const path = join(directory, name)
    const found = await stat(path).catch(() => null)
    if (found !== null) reports.push({ path, at: found.mtime.toISOString(), bytes: found.size })
  }
  return reports.sort((left, right) => right.at.localeCompare(left.at))
}

/** Deletes crash reports except the latest few. Never rejects. */
export async function dropOldCrashReports(dataDirectory: string): Promise<void> {
  for (const { path } of (await crashReports(dataDirectory)).slice(KEPT)) {
    await rm(path, { force: true }).catch(() => undefined)
  }
}
