import { createHash } from 'node:crypto'
import { accessSync, constants, createReadStream, lstatSync, realpathSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { exactStatAt } from '../files/stats-at.ts'

/** A program outside the workspace's tree. */
export interface FoundProgram {
  /** Path with links resolved. */
  readonly path: string
  /** Path at which it was found and is run; an interpreter's environment depends on the path that it is called by. */
  readonly found: string
  readonly state: string
  /** SHA-256, or size and time if it is too large to read at every change. */
  readonly content: string
  /** When the file system last changed anything about it, epoch ms. */
  readonly changedMs: number
}

/** Programs by the name that a check uses. */
export type Programs = ReadonlyMap<string, FoundProgram>

const MAX_HASHED_BYTES = 32 * 1024 * 1024

/** Finds the programs of these names on PATH. Omits those that don't exist. Never rejects. */
export async function findPrograms(
  names: readonly string[],
  directory: string,
  known: Programs = new Map(),
): Promise<Programs> {
  const found = await Promise.all(
    names.map(async (name) => {
      const program = await findProgram(name, directory, known.get(name)).catch(() => null)
      return program === null ? [] : [[name, program] as const]
    }),
  )
  return new Map(found.flat())
}

async function findProgram(
  name: string,
  directory: string,
  known: FoundProgram | undefined,
): Promise<FoundProgram | null> {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => isAbsolute(folder))
  const candidates = isAbsolute(name)
    ? [name]
    : name.includes('/')
      ? [join(directory, name)]
      : folders.map((folder) => join(folder, name))
  for (const candidate of candidates) {
    // Synchronous, because each look asks about each folder of PATH, and the thread pool takes ten times as long.
    const stats = exactStatAt(candidate)
    if (stats?.isFile() !== true || !mayRun(candidate)) continue
    const path = realpathSync(candidate)
    const state = `${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}:${stats.ino}`
    if (known?.path === path && known.found === candidate && known.state === state) return known
    const content =
      stats.size > MAX_HASHED_BYTES ? `large:${stats.size}:${stats.mtimeNs}` : await hashOf(path)
    const changedMs = changedAt(candidate, stats.ctimeNs)
    return { path, found: candidate, state, content, changedMs }
  }
  return null
}

function mayRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Returns the later change time of the file and of a link that leads to it. */
function changedAt(candidate: string, ctimeNs: bigint): number {
  const own = lstatSync(candidate, { bigint: true }).ctimeNs
  return Number((own > ctimeNs ? own : ctimeNs) / 1_000_000n)
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
