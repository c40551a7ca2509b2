import { rename, rm } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { z } from 'zod'
import { readJson } from '../../core/text/json.ts'
import { sessionAgentSchema } from '../../core/vocabulary/session.ts'
import { readBoundedFile, replaceFile } from '../files/bounded-file.ts'
import { findTop } from '../snapshot/git-command.ts'
import { commonOf, isWithin, realOr } from './hook-places.ts'

/** What a hook knows about a workspace: enough to tell that a folder belongs to none. */
export interface IndexedWorkspace {
  readonly id: string
  readonly directory: string
  /** The git folder that all work trees of its repository share; `null`: it is in no repository. */
  readonly common: string | null
  /** Its path below the top of the repository, with `/`; empty for the top. */
  readonly prefix: string
}

/** Returns a folder's place in its repository. */
export function placeInRepository(directory: string): Pick<IndexedWorkspace, 'common' | 'prefix'> & {
  readonly top: string | null
} {
  const real = realOr(directory)
  const top = findTop(real)
  if (top === null) return { top: null, common: null, prefix: '' }
  const common = commonOf(join(top, '.git'))
  return { top, common, prefix: relative(realOr(top), real).split(sep).join('/') }
}

/** Returns the folders in which an agent of this workspace is usually started, so that its program reads the project settings there. */
export function projectsOfWorkspace(directory: string): readonly string[] {
  return [...new Set([directory, findTop(directory) ?? directory])]
}

/** Returns the innermost workspace that a folder belongs to, by its path or by its work tree's repository; `null` if there is none. */
export function workspaceFor<Place extends IndexedWorkspace>(
  directory: string,
  workspaces: readonly Place[],
): { readonly workspace: Place; readonly top: string } | null {
  const real = realOr(directory)
  const longest = (all: readonly Place[]): Place | undefined =>
    all.toSorted((one, other) => other.directory.length - one.directory.length)[0]
  const { top, common } = placeInRepository(real)
  const around = longest(workspaces.filter((each) => isWithin(real, realOr(each.directory))))
  if (around !== undefined) {
    const own = placeInRepository(around.directory)
    // A nested repository inside the workspace is part of its files; another work tree of the same repository is not.
    const isWorkTree = top !== null && common === own.common
    return { workspace: around, top: (isWorkTree ? top : own.top) ?? around.directory }
  }
  if (top === null || common === null) return null
  const beside = longest(
    workspaces.filter((each) => each.common === common && isWithin(real, join(realOr(top), each.prefix))),
  )
  return beside === undefined ? null : { workspace: beside, top }
}

/**
 * Writes the list of workspaces, and of sessions begun in them, for hooks, which then need no host to look them up. A session is judged
 * wherever its agent goes.
 */
export async function writeHookIndex(
  dataDirectory: string,
  known: { readonly workspaces: readonly IndexedWorkspace[]; readonly sessions: readonly string[] },
): Promise<void> {
  const document = { version: 1, ...known }
  await replaceFile(join(dataDirectory, 'hook-index.json'), `${JSON.stringify(document)}\n`, 0o600, {
    isDurable: false,
  })
}

const spooledSchema = z.object({
  /** ISO 8601. */
  at: z.string().max(40),
  agent: sessionAgentSchema,
  event: z.literal('stop'),
  why: z.string().max(100),
  directory: z.string().max(4096),
  sessionId: z.string().max(200).nullable(),
})

export type SpooledCall = z.infer<typeof spooledSchema>

const MAX_SPOOLED = 500
/** Hooks write at most a quarter of this. */
const MAX_SPOOL_BYTES = 1024 * 1024

/** Returns stops that no host received, oldest first; each is returned only once. Never rejects. */
export async function takeSpooled(dataDirectory: string): Promise<readonly SpooledCall[]> {
  const path = join(dataDirectory, 'hook-spool.jsonl')
  const taken = `${path}.taken`
  try {
    await rename(path, taken)
    const reading = await readBoundedFile(taken, MAX_SPOOL_BYTES)
    if (!reading.ok) return []
    const lines = reading.bytes.toString('utf8').split('\n').filter(Boolean).slice(-MAX_SPOOLED)
    return lines.flatMap((line) => readJson(spooledSchema, line) ?? [])
  } catch {
    return []
  } finally {
    await rm(taken, { force: true }).catch(() => undefined)
  }
}
