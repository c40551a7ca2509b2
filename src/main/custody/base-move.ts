import { dirname } from 'node:path'
import { GIT_INDEX } from '../../core/custody/git-view.ts'
import { ELSEWHERE } from '../../core/judgement/decide-custody.ts'
import { lstatAt } from '../files/stats-at.ts'
import { setOrDelete } from './base-answers.ts'
import type { BaseState, LeftFile } from './base-files.ts'
import { placeOf } from './git-places.ts'
import type { IndexCustody } from './index-custody.ts'
import type { GuardedFiles } from './scan.ts'
import type { WorkspaceBase } from './workspace-base.ts'

export interface Between {
  readonly base: WorkspaceBase
  readonly index: IndexCustody
  readonly state: BaseState
  /** Guarded files in the baseline, and as last seen. */
  readonly before: GuardedFiles
  readonly now: GuardedFiles
  /** The attempt that a crash cut off, if any. */
  readonly crashed: string | null
  /** Returns whether a change at that time (epoch ms) was made while an agent of another workspace could write here. */
  readonly ranElsewhere: (changedMs: number) => boolean
  readonly isInstrument: (path: string) => boolean
}

/**
 * Processes the changes since custody last settled: they are the operator's, or those of an attempt that was cut off. Paths are from the
 * top.
 */
export async function moveBase(
  between: Between,
): Promise<{ readonly next: BaseState; readonly moved: readonly string[] }> {
  const { state, before, now } = between
  const base = new Map(before)
  const left = new Map(state.left)
  const moved: string[] = []
  for (const path of new Set([...before.keys(), ...now.keys(), ...left.keys()])) {
    const current = now.get(path) ?? null
    const known = left.get(path)
    const expected = known === undefined ? (before.get(path) ?? null) : known.file
    if (current?.content === before.get(path)?.content) {
      left.delete(path)
      if (current !== null) base.set(path, current)
    } else if (current?.content !== expected?.content) {
      if (path === GIT_INDEX && between.crashed === null && current !== null) {
        const next = await between.index.afterOperator(before.get(path) ?? null, expected, current)
        base.set(path, next.base)
        if (next.isHiding) left.set(path, { file: current, attemptId: known?.attemptId ?? 'operator' })
        else left.delete(path)
        continue
      }
      const leftBy = whoLeft(path, between)
      if (leftBy !== null) left.set(path, { file: current, attemptId: leftBy } satisfies LeftFile)
      else {
        left.delete(path)
        setOrDelete(base, path, current)
        moved.push(path)
      }
    }
  }
  return { next: { ...state, base, left }, moved }
}

/** Returns who made the change if it does not move the baseline; `null`: the operator's own change, which does. */
function whoLeft(path: string, { base, crashed, ranElsewhere, isInstrument }: Between): string | null {
  if (crashed !== null) return crashed
  if (ranElsewhere(changedMsOf(placeOf(base.places, path)))) return ELSEWHERE
  return isInstrument(path) ? 'operator' : null
}

/**
 * Returns when the file system last changed anything about a file, or about its folder if the file is gone. Epoch ms; 0 if neither exists.
 */
function changedMsOf(file: string): number {
  for (const path of [file, dirname(file)]) {
    const stats = lstatAt(path)
    if (typeof stats === 'object') return stats.ctimeMs
  }
  return 0
}
