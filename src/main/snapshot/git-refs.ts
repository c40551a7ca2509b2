import { join } from 'node:path'
import { readdirSync } from '../files/names.ts'
import { commonDirectory, readRegular, readText, realGitDirectory } from './git-folder.ts'

/** Git lists them if there are more. */
const MAX_LOOSE = 500
const MAX_PACKED_BYTES = 16 * 1024 * 1024
const ID = /^([0-9a-f]{40}|[0-9a-f]{64})\n?$/
/** A line of `packed-refs`: id and name. Lines that begin with `#` and `^` are about the file and about the line before. */
const PACKED = /^([0-9a-f]{40,64}) (refs\/.+)$/

/**
 * Reads the names in `folders` (`refs/heads` …) with their targets from the repository's files: asking git takes as long as a
 * third of a `git status`. `null` if git has to read them: another format, many names, a symbolic name.
 */
export function readRefs(top: string, folders: readonly string[]): Map<string, string> | null {
  const common = commonDirectory(realGitDirectory(join(top, '.git')))
  if (/refstorage/i.test(readText(join(common, 'config')))) return null
  const refs = new Map<string, string>()
  // Loose names first: a name being packed is in both places for a moment, and never in neither.
  const loose = folders.map((folder) => listFiles(common, folder))
  const names = loose.flatMap((one) => one ?? [])
  if (loose.includes(null) || names.length > MAX_LOOSE) return null
  const ids = names.map((name) => ID.exec(readText(join(common, name)))?.[1])
  const packed = readRegular(join(common, 'packed-refs'), MAX_PACKED_BYTES)
  if (packed !== null && packed.length >= MAX_PACKED_BYTES) return null
  for (const line of packed?.toString('latin1').split('\n') ?? []) {
    const [, id, name] = PACKED.exec(line) ?? []
    if (id !== undefined && name !== undefined && folders.some((folder) => name.startsWith(`${folder}/`)))
      refs.set(name, id)
  }
  for (const [index, name] of names.entries()) {
    const id = ids[index]
    if (id === undefined) return null
    refs.set(Buffer.from(name).toString('latin1'), id)
  }
  return refs
}

/** Returns the files in a folder, by their paths from `common`; `null` if it cannot be listed, empty if it does not exist. */
function listFiles(common: string, folder: string): string[] | null {
  try {
    const entries = readdirSync(join(common, folder), { withFileTypes: true })
    const found = entries
      .filter(({ name }) => !name.endsWith('.lock'))
      .map((entry) => {
        const path = `${folder}/${entry.name}`
        if (entry.isFile()) return [path]
        return entry.isDirectory() ? listFiles(common, path) : null
      })
    return found.includes(null) ? null : found.flatMap((one) => one ?? [])
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? [] : null
  }
}
