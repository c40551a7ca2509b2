import { join } from 'node:path'
import { lstat, readdir } from '../../files/names.ts'

/** Deeper than any module with its own reports. */
const MAX_DEPTH = 8
const MAX_FOLDERS = 5000
const NEVER = new Set(['.git', 'node_modules', '.venv', 'venv', '.gradle'])

/** When each report in the tree last changed, by path. The file system sets the change time, and no program can fake it. */
export type TreeReports = ReadonlyMap<string, bigint>

/** Lists the regular files of the tree whose path from `directory` matches. Limited; never rejects. */
export async function listTreeReports(directory: string, pattern: RegExp): Promise<TreeReports> {
  const found = new Map<string, bigint>()
  let folders: readonly string[] = ['']
  let seen = 0
  for (let depth = 0; depth <= MAX_DEPTH && folders.length > 0; depth += 1) {
    const below: string[] = []
    for (const folder of folders) {
      seen += 1
      if (seen > MAX_FOLDERS) return found
      const entries = await readdir(join(directory, folder), { withFileTypes: true }).catch(() => [])
      for (const entry of entries) {
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`
        if (entry.isDirectory() && !NEVER.has(entry.name)) below.push(path)
        if (!entry.isFile() || !pattern.test(path)) continue
        const info = await lstat(join(directory, path), { bigint: true }).catch(() => null)
        if (info !== null) found.set(path, info.ctimeNs)
      }
    }
    folders = below
  }
  return found
}

/** Returns the paths of reports written since `before`, sorted. */
export function writtenSince(before: TreeReports, after: TreeReports): readonly string[] {
  return [...after]
    .filter(([path, changed]) => before.get(path) !== changed)
    .map(([path]) => path)
    .sort()
}
