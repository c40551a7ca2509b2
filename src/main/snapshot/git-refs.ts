import { join } from 'node:path'
import { readdirSync } from '../files/names.ts'
import { commonDirectory, readRegular, readText, realGitDirectory } from './git-folder.ts'

/** More of them than that are listed by git. */
const MAX_LOOSE = 500
const MAX_PACKED_BYTES = 16 * 1024 * 1024
const ID = /^([0-9a-f]{40}|[0-9a-f]{64})\n?$/
/** A line of `packed-refs`: id and name. Lines that begin with `#` and `^` are about the file and about the line before. */
const PACKED = /^([0-9a-f]{40,64}) (refs\/.+)$/

/**
 * The names below `folders` (`refs/heads` …) with what they stand for, read from the repository's files: to ask git for them takes as long
 * as a third of a `git status`. `null` where the files are not what git is asked to be read as: another format, many names, a name
 * that stands for another one.
 */
export function readRefs(top: string, folders: readonly string[]): Map<string, string> | null {
  const common = commonDirectory(realGitDirectory(join(top, '.git')))
  if (/refstorage/i.test(readText(join(common, 'config')))) return null
  const refs = new Map<string, string>()
  // Those by themselves first: a name that is being packed is in both for a moment, and never in none.
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

/** The files below a folder, by their paths from `common`; `null` where it cannot be listed, none where it is not there. */
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
