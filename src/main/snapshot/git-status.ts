import type { RawPath } from './raw-path.ts'

/** A blob or a submodule's commit, as a tree names it. */
export interface Committed {
  readonly mode: string
  readonly id: string
}

/** What `git status` says about one path that differs from HEAD. */
interface DirtyPath {
  /** In HEAD; `null` where it has nothing there. */
  readonly committed: Committed | null
  readonly isSubmodule: boolean
  /** Git was not asked about it: whether it differs is to be found out. */
  readonly isUnasked?: boolean
  /** The index has it, and does not lay it out. */
  readonly isSkipped?: boolean
  /** The index does not name it. */
  readonly isUntracked?: boolean
}

export interface GitStatus {
  /** `null` before the first commit. */
  readonly head: string | null
  /** From the top of the work tree. */
  readonly dirty: ReadonlyMap<RawPath, DirtyPath>
  /** Untracked folders that are repositories of their own, of which git lists no files. */
  readonly nested: readonly RawPath[]
  /** What is ignored, from the top of the work tree: files, and folders as a whole, which end in "/". */
  readonly ignored: readonly RawPath[]
}

/*
 * Output of `git status --porcelain=v2 -z --branch`, each record ended by a zero byte:
 *   # branch.oid <commit> | (initial)          # <other headers>
 *   1 XY <sub> <mH> <mI> <mW> <hH> <hI> <path>                          changed
 *   u XY <sub> <m1> <m2> <m3> <mW> <h1> <h2> <h3> <path>                unmerged; stage 2 is ours, that of HEAD
 *   ? <path>                                                            untracked; a nested repository ends in "/"
 *   ! <path>                                                            ignored; a folder ends in "/"
 */
const CHANGED = /^1 .. (?<sub>\S+) (?<mode>\d+) \d+ \d+ (?<id>[0-9a-f]+) [0-9a-f]+ (?<path>.+)$/s
const UNMERGED =
  /^u .. (?<sub>\S+) \d+ (?<mode>\d+) \d+ \d+ [0-9a-f]+ (?<id>[0-9a-f]+) [0-9a-f]+ (?<path>.+)$/s
const HEAD = /^# branch\.oid (?<id>[0-9a-f]+)$/

/** Reads the output of `git status`; `null` where it is not as git writes it. */
export function parseGitStatus(output: Buffer): GitStatus | null {
  let head: string | null = null
  const dirty = new Map<RawPath, DirtyPath>()
  const nested: RawPath[] = []
  const ignored: RawPath[] = []
  for (const record of output.toString('latin1').split('\0')) {
    if (record === '') continue
    if (record.startsWith('#')) {
      head = HEAD.exec(record)?.groups?.id ?? head
    } else if (record.startsWith('! ')) {
      ignored.push(record.slice(2))
    } else if (record.startsWith('? ')) {
      const path = record.slice(2)
      if (path.endsWith('/')) nested.push(path.slice(0, -1))
      else addUntracked(dirty, path)
    } else {
      const { sub, mode = '', id = '', path } = (CHANGED.exec(record) ?? UNMERGED.exec(record))?.groups ?? {}
      if (path === undefined) return null
      dirty.set(path, { committed: committedAs(mode, id), isSubmodule: sub?.startsWith('S') ?? false })
    }
  }
  return { head, dirty, nested, ignored }
}

/**
 * A file taken out of the index but left on disk has two records: the other one knows what was committed. Which of both hold depends on
 * HEAD, so both are kept.
 */
export function addUntracked(dirty: Map<RawPath, DirtyPath>, path: RawPath): void {
  const { committed = null, isSubmodule = false } = dirty.get(path) ?? {}
  dirty.set(path, { committed, isSubmodule, isUntracked: true })
}

/*
 * Output of `git diff-tree -r -z --raw`: `:<mode before> <mode after> <id before> <id after> <status>` and the path, each
 * ended by a zero byte.
 */
const TREE_CHANGE = /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) [A-Z]$/

/** What two commits hold at a path where they differ. */
export interface TreeChange {
  readonly before: Committed | null
  readonly after: Committed | null
}

/** Reads the output of `git diff-tree`; `null` where it is not as git writes it. */
export function parseTreeChanges(output: Buffer): Map<RawPath, TreeChange> | null {
  const changes = new Map<RawPath, TreeChange>()
  const records = output.toString('latin1').split('\0')
  for (let index = 0; index + 1 < records.length; index += 2) {
    const [, modeBefore = '', modeAfter = '', idBefore = '', idAfter = ''] =
      TREE_CHANGE.exec(records[index] ?? '') ?? []
    const path = records[index + 1]
    if (modeBefore === '' || path === undefined) return null
    changes.set(path, { before: committedAs(modeBefore, idBefore), after: committedAs(modeAfter, idAfter) })
  }
  return changes
}

/** Git writes a mode of zeros for "nothing there". */
function committedAs(mode: string, id: string): Committed | null {
  return /^0+$/.test(mode) ? null : { mode, id }
}
