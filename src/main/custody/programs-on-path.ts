import { createHash } from 'node:crypto'
import { accessSync, constants, createReadStream, lstatSync, realpathSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { exactStatAt } from '../files/stats-at.ts'

/** A program outside of the workspace's tree. */
export interface FoundProgram {
  /** Links followed. */
  readonly path: string
  /** Where it was found: as it is run, since an environment is known by where its interpreter is called. */
  readonly found: string
  readonly state: string
  /** SHA-256; its size and time for one too large to be read at every change. */
  readonly content: string
  /** When the file system last changed anything of it, epoch ms. */
  readonly changedMs: number
}

/** By the name a check calls it by. */
export type Programs = ReadonlyMap<string, FoundProgram>

const MAX_HASHED_BYTES = 32 * 1024 * 1024

/** Where the programs of these names lie on PATH, and what they are. Those that are not there are left out. Never rejects. */
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
    // Asked of each folder of PATH at each look: over the thread pool that takes ten times as long.
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

/** Of the file, or of the link that leads to it, whichever came last. */
function changedAt(candidate: string, ctimeNs: bigint): number {
  const own = lstatSync(candidate, { bigint: true }).ctimeNs
  return Number((own > ctimeNs ? own : ctimeNs) / 1_000_000n)
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
