import type { FileDifference, VerdictInput } from '../verification/types.ts'
import type { Verdict } from '../vocabulary/verdict.ts'
import { type Asking, ask } from './asking.ts'
import type { Reports } from './baseline-reports.ts'
import type { WorkCase } from './case.ts'
import type { Moment, Setting } from './questions.ts'
import { measureIn } from './room-measuring.ts'
import { decideVerdict } from './verdict.ts'

/** These paths are passed to git by name. */
const MAX_PATHS = 1000
/** A few are enough to show whether a check passes with similar files. */
const MAX_OTHERS = 20

type Seen = NonNullable<WorkCase['sees']>
type Uncommitted = Extract<Moment, { readonly kind: 'uncommitted' }>

/** Returns the sentence that the checks pass only because of what git considers committed or staged. */
export function sayUnseen(sees: Seen): string {
  return sees === 'staged'
    ? 'the check looks only at staged changes, and fails if all the work is staged'
    : 'the check looks only at uncommitted changes, and fails if all the work is uncommitted'
}

/**
 * Returns whether the checks pass only because they don't look at all of the work: they fail if all of it counts as not
 * committed (or as staged, if that is what they look at), and pass if similar unchanged files do, so they don't merely ask
 * for a clean tree. `room`: paths that are as in the baseline.
 */
export function* passesUnseen(
  subject: WorkCase,
  input: VerdictInput,
  room: readonly string[],
  base: Reports,
): Asking<boolean> {
  const { sees, difference } = subject
  const changed = changedFiles(difference)
  if (sees === undefined || changed.length === 0) return false
  const { paths, others } = alike(changed, yield* ask({ kind: 'unchanged' }))
  if (paths.length === 0) return false
  const verdictWith = function* (seen: Pick<Uncommitted, 'paths' | 'by'>): Asking<Verdict | null> {
    const since = difference.headMoved?.from ?? null
    const setting: Setting = { room, earlier: { kind: 'uncommitted', since, sees, ...seen } }
    if ((yield* ask({ kind: 'room', setting })).kind === 'none') return null
    return decideVerdict((yield* measureIn(subject, setting, input, base)).input).verdict
  }
  return (
    (yield* verdictWith({ paths, by: 'content' })) === 'not_verified' &&
    (yield* verdictWith({ paths: others, by: 'mode' })) === 'verified'
  )
}

function changedFiles({ added, modified, renamed }: FileDifference): readonly string[] {
  return [...added, ...modified, ...renamed.map(({ to }) => to)].slice(0, MAX_PATHS)
}

/**
 * Returns the paths that have a similar unchanged file, with the same extension and nearby, and such files, one for each kind
 * of path. A check may list, and fail for, any file of another kind. Nearby means in the same folder or below it, else in the
 * nearest folder above, except for the top. Pure.
 */
export function alike(
  changed: readonly string[],
  unchanged: readonly string[],
): { readonly paths: readonly string[]; readonly others: readonly string[] } {
  const known = new Set(changed)
  const endings = new Set(changed.map(endingOf))
  const below = new Map<string, readonly string[]>()
  for (const path of unchanged) {
    if (known.has(path) || !endings.has(endingOf(path))) continue
    for (const kind of [...foldersOf(path), ''].map((folder) => kindOf(folder, path))) {
      const found = below.get(kind) ?? []
      if (found.length < MAX_OTHERS) below.set(kind, [...found, path])
    }
  }
  const likeTo = (path: string): readonly string[] => {
    if (endingOf(path) === '') return []
    const folders = foldersOf(path)
    const found = (folders.length === 0 ? [''] : folders).find((folder) => below.has(kindOf(folder, path)))
    return found === undefined ? [] : (below.get(kindOf(found, path)) ?? [])
  }
  const others = new Set<string>()
  for (const path of new Map(
    changed.map((path) => [kindOf(foldersOf(path)[0] ?? '', path), path]),
  ).values()) {
    const another = likeTo(path).find((one) => !others.has(one))
    if (another !== undefined && others.size < MAX_OTHERS) others.add(another)
  }
  return { paths: changed.filter((path) => likeTo(path).length > 0), others: [...others] }
}

/** Returns the part after the last dot of the name; empty if there is none. */
function endingOf(path: string): string {
  return /\.([^./]*)$/.exec(path)?.[1] ?? ''
}

/** Returns the folders that a path lies in, the innermost first, without the top. */
function foldersOf(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, at) => parts.slice(0, parts.length - at).join('/'))
}

function kindOf(folder: string, path: string): string {
  return `${folder}/*.${endingOf(path)}`
}
