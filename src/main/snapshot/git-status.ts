import type { RawPath } from './raw-path.ts'

/** A blob or a submodule's commit, as a tree names it. */
export interface Committed {
  readonly mode: string
  readonly id: string
}

/** What `git status` says about one path that differs from HEAD. */
interface DirtyPath {
  /** The entry in HEAD; `null` if there is none. */
  readonly committed: Committed | null
  readonly isSubmodule: boolean
  /** Git was not asked about it: whether it differs has to be checked. */
  readonly isUnasked?: boolean
  /** The index contains it, but it is not checked out. */
  readonly isSkipped?: boolean
  /** The index does not contain it. */
  readonly isUntracked?: boolean
}

export interface GitStatus {
  /** `null` before the first commit. */
  readonly head: string | null
  /** From the top of the work tree. */
  readonly dirty: ReadonlyMap<RawPath, DirtyPath>
  /** Untracked folders that are nested repositories, whose files git does not list. */
  readonly nested: readonly RawPath[]
  /** Ignored paths from the top of the work tree: files, and whole folders, which end in "/". */
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

/** Parses the output of `git status`; `null` if it is not in git's format. */
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
 * A file removed from the index but left on disk has two records, and the other one has the committed content. Which of them
 * counts depends on HEAD, so both are kept.
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

/** A path's content in two commits that differ there. */
export interface TreeChange {
  readonly before: Committed | null
  readonly after: Committed | null
}

/** Parses the output of `git diff-tree`; `null` if it is not in git's format. */
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
