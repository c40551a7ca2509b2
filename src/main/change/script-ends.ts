import { posix } from 'node:path'
import type { ChangedFile } from '../../core/change/custody-findings.ts'
import {
  type CheckScript,
  endToTry,
  failingScript,
  isComparing,
  mayEndProcess,
} from '../../core/custody/failing-end.ts'
import { loadedFrom } from '../../core/custody/loaded-files.ts'
import { belongsToCheck } from '../../core/custody/places-of-checks.ts'
import { isCalledProgram, mayReach } from '../../core/custody/reaching.ts'
import type { Moment } from '../../core/judgement/questions.ts'
import type { TreeFiles } from './base-files.ts'
import { reachAtBase, type Scope, type ScopeGuard } from './policy.ts'

/** Knows which scripts the checks of a scope run, and their text with a failing end. Paths are from the scope's folder. */
export interface ScriptEnds {
  scriptsOf(command: readonly string[]): Promise<readonly CheckScript[]>
  /** Returns the script's text at that moment; `null` if there is no end to try. */
  textAt(moment: Extract<Moment, { readonly kind: 'failing-end' }>): Promise<string | null>
}

/** `guarded`: changed paths, from the top, that are the base's in a clean room. */
export function scriptEnds(
  { folder }: Pick<Scope, 'folder'>,
  { base, head }: { readonly base: TreeFiles; readonly head: TreeFiles },
  changes: readonly ChangedFile[],
  guarded: ReadonlySet<string>,
): ScriptEnds {
  const changed = new Set(changes.map(({ path }) => posix.relative(folder, path)))
  const mayBeEnded = (compares: boolean): boolean =>
    changes.some(
      ({ path, after }) => after !== null && mayReach(path) && mayEndProcess(path, after, compares),
    )
  return {
    scriptsOf: async (command) => (await reachAtBase(base, folder, { name: 'gate', command })).scripts,
    textAt: async ({ path, language, beside = [], atOnce }) => {
      const place = posix.join(folder, path)
      const text = await (guarded.has(place) ? base : head).text(place)
      if (text === null || atOnce) return text === null ? null : failingScript(text, language)
      const loaded = await loadedFrom([path, ...beside], readerOf(head, folder))
      const canEnd = mayBeEnded(isComparing(text, language))
      return endToTry({ path, language, text, loaded, changed, mayBeEnded: canEnd })
    },
  }
}

/** Returns the files of a tree that the checks of a scope load, directly or through other files, from the top. */
export async function loadedByChecks(
  { folder }: Pick<Scope, 'folder'>,
  { executed }: ScopeGuard,
  head: TreeFiles,
): Promise<readonly string[]> {
  const roots = [...executed]
    .filter(([, parts]) => parts.some(({ part, perhapsSubject }) => part === null && !perhapsSubject))
    .map(([path]) => posix.relative(folder, path))
    .filter((path) => !isCalledProgram(path) || belongsToCheck(path, []))
  const loaded = await loadedFrom(roots, readerOf(head, folder))
  return [...loaded.keys()].map((path) => posix.join(folder, path))
}

function readerOf(tree: TreeFiles, folder: string) {
  return async (paths: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    const places = paths.map((path) => [path, posix.join(folder, path)] as const)
    await tree.load(places.map(([, place]) => place))
    return new Map(
      places.flatMap(([path, place]) => {
        const text = tree.loaded(place)
        return text === null || text === undefined ? [] : [[path, text] as const]
      }),
    )
  }
}
