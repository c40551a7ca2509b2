import { basename, dirname, join, sep } from 'node:path'
import type { FolderListing } from '../../api/schemas/setup.ts'
import { exists, isFolder } from '../files/durable-file.ts'
import { opendir } from '../files/names.ts'
import { errorCode, explainCode } from '../files/storage-error.ts'

/** No one reads a longer list; typing more narrows it. */
const MAXIMUM_LISTED = 100
/** Only part of a folder with more entries is listed, to stay fast. */
const MAXIMUM_READ = 5000

/**
 * Returns completions: the folders whose path begins with what was typed; hidden ones only after a dot. Empty input is the home
 * folder, like `~`. Never rejects.
 */
export async function listFolders(typed: string, homeDirectory: string): Promise<FolderListing> {
  const path = expandHome(typed.trim() === '' ? `~${sep}` : typed.trim(), homeDirectory)
  const isWhole = /[\\/]$/.test(path)
  const parent = withSeparator(isWhole ? path : dirname(path))
  const beginning = isWhole ? '' : basename(path)
  try {
    const { names, isCut } = await folderNames(parent, beginning)
    const folders = await Promise.all(
      names.map(async (name) => {
        const full = join(parent, name)
        return { name, path: full, hasContract: await exists(join(full, 'HEARTBEAT.md')).catch(() => false) }
      }),
    )
    return { parent, folders, isCut, problem: null }
  } catch (error) {
    const code = errorCode(error)
    const problem =
      code === 'ENOENT' ? `There is no folder ${parent}` : `Cannot list ${parent}: ${explainCode(code)}`
    return { parent, folders: [], isCut: false, problem }
  }
}

/** Expands `~` and `~/x` like a shell. */
export function expandHome(path: string, homeDirectory: string): string {
  return /^~(?=$|[\\/])/.test(path) ? homeDirectory + path.slice(1) : path
}

async function folderNames(
  parent: string,
  beginning: string,
): Promise<{ readonly names: readonly string[]; readonly isCut: boolean }> {
  const wanted = beginning.toLowerCase()
  const names: string[] = []
  let read = 0
  for await (const entry of await opendir(parent)) {
    if (++read > MAXIMUM_READ) return { names: sorted(names), isCut: true }
    if (!entry.name.toLowerCase().startsWith(wanted)) continue
    if (entry.name.startsWith('.') && !wanted.startsWith('.')) continue
    if (entry.isDirectory() || (entry.isSymbolicLink() && (await isFolder(join(parent, entry.name))))) {
      names.push(entry.name)
    }
  }
  return { names: sorted(names), isCut: names.length > MAXIMUM_LISTED }
}

function sorted(names: readonly string[]): string[] {
  return [...names]
    .sort((left, right) => left.localeCompare(right, 'en', { numeric: true, sensitivity: 'base' }))
    .slice(0, MAXIMUM_LISTED)
}

function withSeparator(path: string): string {
  return /[\\/]$/.test(path) ? path : path + sep
}
