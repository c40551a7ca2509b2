import { GIT_INDEX } from '../../core/custody/git-view.ts'
import type { BaseState, KeptAnswer, LeftFile } from './base-files.ts'
import type { GuardedFile, GuardedFiles } from './scan.ts'

/** Returns the baseline with these paths as they are now; they no longer count as left by an attempt. */
export function withBase(
  state: BaseState,
  base: GuardedFiles,
  paths: readonly string[],
  now: GuardedFiles,
): BaseState {
  const next = new Map(base)
  for (const path of paths) setOrDelete(next, path, now.get(path) ?? null)
  const taken = new Set(paths)
  return { ...state, base: next, left: new Map([...state.left].filter(([path]) => !taken.has(path))) }
}

export function setOrDelete(base: Map<string, GuardedFile>, path: string, file: GuardedFile | null): void {
  if (file === null) base.delete(path)
  else base.set(path, file)
}

/** Returns the paths that these attempts left different from the baseline. */
export function leftBy({ left }: BaseState, attemptIds: readonly string[]): readonly string[] {
  return [...left].filter(([, { attemptId }]) => attemptIds.includes(attemptId)).map(([path]) => path)
}

/**
 * Returns the paths that accepted work adds to the baseline: what its attempts left, and what was shown with it, unless a later attempt has
 * changed it since.
 */
export function acceptedPaths(
  { left }: BaseState,
  {
    attemptIds,
    shown,
    laterIds,
  }: {
    readonly attemptIds: readonly string[]
    readonly shown: ReadonlySet<string>
    readonly laterIds: readonly string[]
  },
): readonly string[] {
  return [...left].flatMap(([path, { attemptId }]) =>
    attemptIds.includes(attemptId) || (shown.has(path) && !laterIds.includes(attemptId)) ? [path] : [],
  )
}

/** Returns what to keep of these paths so that an answer can be undone. */
export function remembered(
  { left }: BaseState,
  base: GuardedFiles,
  paths: readonly string[],
): Pick<KeptAnswer, 'base' | 'left'> {
  return {
    base: new Map(paths.map((path) => [path, base.get(path) ?? null])),
    left: new Map([...left].filter(([path]) => paths.includes(path))),
  }
}

/** Returns what differs from the baseline now, and who left it: this attempt, unless an earlier one had left it the same way. */
export function leftNowBy(
  attemptId: string,
  base: GuardedFiles,
  now: GuardedFiles,
  before: BaseState['left'],
): Map<string, LeftFile> {
  const left = new Map<string, LeftFile>()
  for (const path of new Set([...base.keys(), ...now.keys()])) {
    const current = now.get(path) ?? null
    if (current?.content === base.get(path)?.content) continue
    const known = before.get(path)
    const isAsLeft = known !== undefined && known.file?.content === current?.content
    left.set(path, isAsLeft ? known : { file: current, attemptId })
  }
  return left
}

/**
 * Splits the paths of an answer by whether they are still as the answer left them. Accepted files match the baseline as the attempt left
 * them; restored files match the original baseline. What the operator has changed since stays theirs.
 */
export function splitUndo(
  kept: KeptAnswer,
  base: GuardedFiles,
  now: GuardedFiles,
): { readonly stands: ReadonlySet<string>; readonly changed: readonly string[] } {
  const isAccepted = kept.files.size === 0
  const content = (file: GuardedFile | null | undefined): string | undefined => file?.content
  // Git can rewrite its index at any time.
  const isAsAnswered = (path: string): boolean =>
    path === GIT_INDEX ||
    (isAccepted
      ? content(base.get(path)) === content(kept.left.get(path)?.file)
      : [kept.base, kept.files].some((files) => content(now.get(path)) === content(files.get(path))))
  const paths = [...kept.base.keys()]
  return { stands: new Set(paths.filter(isAsAnswered)), changed: paths.filter((path) => !isAsAnswered(path)) }
}

export function onlyPaths<File>(
  files: ReadonlyMap<string, File>,
  paths: ReadonlySet<string>,
): ReadonlyMap<string, File> {
  return new Map([...files].filter(([path]) => paths.has(path)))
}
