import { countsAsCheck } from '../../core/custody/emptied.ts'
import { changedLines, mayFollow } from '../../core/custody/followed-renames.ts'
import { GIT_INDEX } from '../../core/custody/git-view.ts'
import { isLayoutEdit, mayHaveLayout } from '../../core/custody/layout-edit.ts'
import { type FileText, mayMove, pairMoved } from '../../core/custody/moved-tests.ts'
import { isMixed, steersDifferently } from '../../core/custody/steering.ts'
import type { BaseDifference, CheckName } from '../ports/custody.ts'
import type { BaseState } from './base-files.ts'
import type { Guard } from './check-guard.ts'
import { isOnlyFormatted, mayBeFormatted } from './formatted.ts'
import type { IndexCustody } from './index-custody.ts'
import type { GuardedFile, GuardedFiles } from './scan.ts'
import type { TextsOfFile, WorkspaceBase } from './workspace-base.ts'

export interface Compared {
  readonly base: WorkspaceBase
  readonly index: IndexCustody
  readonly guard: Guard
  readonly state: BaseState
  /** Guarded files in the baseline, and as last seen. */
  readonly before: GuardedFiles
  readonly now: GuardedFiles
}

/** Returns what differs from the baseline and affects a check. */
export async function differencesFromBase(compared: Compared): Promise<readonly BaseDifference[]> {
  const { base, index, guard, state, before, now } = compared
  const found: BaseDifference[] = []
  for (const path of new Set([...before.keys(), ...now.keys()])) {
    const was = before.get(path) ?? null
    const is = now.get(path) ?? null
    const left = state.left.get(path)
    const attemptId = left !== undefined && left.file?.content === is?.content ? left.attemptId : null
    if (path === GIT_INDEX) {
      const hides = await index.hiddenNames(was, is, guard.asksGit)
      if (hides.length > 0) found.push({ ...indexDifference(base, hides), attemptId })
    } else if (was?.content !== is?.content) {
      const steered = await steeredBy(path, was, is, compared)
      if (steered !== null) found.push({ ...steered, attemptId })
    }
  }
  return withMoved(found, compared)
}

/** No more tests than these are compared with each other. */
const MAX_MOVED = 20

/** Adds to new tests the deleted ones that they may be. */
async function withMoved(
  found: readonly BaseDifference[],
  { base, before, now }: Compared,
): Promise<readonly BaseDifference[]> {
  const movable = found.filter(
    ({ path, isProtected, executedBy }) => isProtected && executedBy.length === 0 && mayMove(path),
  )
  const [deleted, added] = (['deleted', 'added'] as const).map((wanted) =>
    movable.filter(({ kind }) => kind === wanted),
  )
  if (!deleted?.length || !added?.length || deleted.length > MAX_MOVED || added.length > MAX_MOVED)
    return found
  const textsIn = async (
    files: GuardedFiles,
    some: readonly BaseDifference[],
  ): Promise<readonly FileText[]> => {
    const texts = await Promise.all(
      some.map(async ({ path }) => {
        const file = files.get(base.topPath(path) ?? path) ?? null
        return { path, text: (await base.textsOf(file, null)).before }
      }),
    )
    return texts.flatMap(({ path, text }) => (text === null ? [] : [{ path, text }]))
  }
  const pairs = pairMoved(await textsIn(before, deleted), await textsIn(now, added))
  return found.map((one) => {
    const moved = pairs.get(one.path)
    return moved === undefined ? one : { ...one, moved }
  })
}

function indexDifference(base: WorkspaceBase, hides: readonly string[]): Omit<BaseDifference, 'attemptId'> {
  return {
    path: base.fromWorkspace(GIT_INDEX),
    kind: 'modified',
    isProtected: true,
    executedBy: [],
    hides: hides.map((path) => base.fromWorkspace(path)),
  }
}

/** Returns `null` if the change affects no check. */
async function steeredBy(
  path: string,
  was: GuardedFile | null,
  is: GuardedFile | null,
  { base, guard }: Pick<Compared, 'base' | 'guard'>,
): Promise<Omit<BaseDifference, 'attemptId'> | null> {
  const executions = guard.executed.get(path) ?? []
  const isSubject = executions.length > 0 && executions.every(({ perhapsSubject }) => perhapsSubject)
  const isModified = was !== null && is !== null && executions.length === 0
  const isFollower = isModified && mayFollow(path)
  const mayBeLayout = isModified && (mayHaveLayout(path) || mayBeFormatted(path))
  const texts = isMixed(path) || isSubject || isFollower || mayBeLayout ? await base.textsOf(was, is) : null
  if (mayBeLayout && isOnlyLayout(path, texts)) return null
  const isProtected =
    (guard.shadows.has(path) ||
      guard.isProtected(path) ||
      (was === null && guard.shadowsModule(path)) ||
      (is !== null && guard.shadowsSource(path))) &&
    (texts === null || !isMixed(path) || steersDifferently(path, texts.before, texts.after))
  // A file that runs instead of the program.
  const shadowed = guard.shadows.get(path)
  const executedBy: readonly CheckName[] = [
    ...executions
      .filter(({ part }) =>
        isSubject
          ? texts !== null && countsAsCheck(part, texts.before, texts.after)
          : part === null || texts === null || partDiffers(part, texts.before, texts.after),
      )
      .map(({ check }) => check),
    ...(shadowed === undefined ? [] : (guard.executedByName.get(shadowed) ?? [])),
  ]
  if (!isProtected && executedBy.length === 0) return null
  const lines =
    isFollower && texts !== null && texts.before !== null && texts.after !== null
      ? changedLines(texts.before, texts.after)
      : null
  return {
    path: base.fromWorkspace(path),
    kind: was === null ? 'added' : is === null ? 'deleted' : 'modified',
    isProtected,
    executedBy: [...new Set(executedBy)],
    ...(was === null && (guard.standIns.has(path) || shadowed !== undefined) && { standsIn: true as const }),
    ...(lines !== null && { lines }),
  }
}

function isOnlyLayout(path: string, texts: TextsOfFile | null): boolean {
  const { before, after } = texts ?? { before: null, after: null }
  return (
    before !== null &&
    after !== null &&
    (isLayoutEdit(path, before, after) || isOnlyFormatted(path, before, after))
  )
}

/** Returns whether a part of a package's manifest (`scripts.test`) has changed. */
function partDiffers(part: string, before: string | null, after: string | null): boolean {
  return partOf(part, before) !== partOf(part, after)
}

function partOf(part: string, text: string | null): string | undefined {
  try {
    let value: unknown = JSON.parse(text ?? '')
    const [first = '', ...rest] = part.split('.')
    for (const key of [first, rest.join('.')])
      value =
        typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}
