import type { FileDifference, VerdictInput } from '../verification/types.ts'
import type { Verdict } from '../vocabulary/verdict.ts'
import { type Asking, ask } from './asking.ts'
import type { Reports } from './baseline-reports.ts'
import type { WorkCase } from './case.ts'
import type { Setting } from './questions.ts'
import { measureIn } from './room-measuring.ts'
import { decideVerdict } from './verdict.ts'

/** Git is told their names. */
const MAX_PATHS = 1000

type Seen = NonNullable<WorkCase['sees']>

/** Returns the sentence that the checks pass only because of what git takes for committed or staged. */
export function sayUnseen(sees: Seen): string {
  const [looked, all] =
    sees === 'staged' ? ['what is staged', 'staged'] : ['what is not committed', 'not yet committed']
  return `the check looks only at ${looked}, and fails if all of the work is ${all}`
}

/**
 * Returns whether the checks pass only because they don't look at all of the work: they fail if all of it counts as not committed (or as
 * staged, if that is what they look at), and pass if other files do, so they don't only ask for a clean tree. `room`: paths that are as in
 * the baseline.
 */
export function* passesUnseen(
  subject: WorkCase,
  input: VerdictInput,
  room: readonly string[],
  base: Reports,
): Asking<boolean> {
  const { sees, difference } = subject
  const paths = changedFiles(difference)
  if (sees === undefined || paths.length === 0) return false
  const since = difference.headMoved?.from ?? null
  const view = { kind: 'uncommitted', since, sees, paths } as const
  const verdictWith = function* (files: 'work' | 'others'): Asking<Verdict | null> {
    const setting: Setting = { room, earlier: { ...view, files } }
    if ((yield* ask({ kind: 'room', setting })).kind === 'none') return null
    return decideVerdict((yield* measureIn(subject, setting, input, base)).input).verdict
  }
  return (yield* verdictWith('work')) === 'not_verified' && (yield* verdictWith('others')) === 'verified'
}

function changedFiles({ added, modified, renamed }: FileDifference): readonly string[] {
  return [...added, ...modified, ...renamed.map(({ to }) => to)].slice(0, MAX_PATHS)
}
