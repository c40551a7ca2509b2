import { useCallback, useEffect, useRef, useState } from 'react'
import type { ApiClient } from '../../../../api/client.ts'
import type {
  Configuration,
  ConfigurationReport,
  SettingValue,
} from '../../../../api/schemas/configuration.ts'
import { type Problem, toProblem } from '../../api-client/problem.ts'
import { useApp } from '../../store/use-app.ts'
import { DraftCheck } from './draft-check.ts'

/** Unsaved drafts by workspace, so that none is lost by navigating. */
const unsaved = new Map<string, { readonly base: Configuration; readonly text: string }>()

export interface Draft {
  /** The file as it was read, which the draft is based on. */
  readonly base: Configuration
  /** The editor's current text, ahead of `report` while typing. */
  readonly text: string
  /** The host parser's report on the draft. */
  readonly report: ConfigurationReport
  readonly isDirty: boolean
  /** Whether the check after the latest keystroke is still running. */
  readonly isChecking: boolean
  /** The file as someone else has changed it since. */
  readonly theirs: Configuration | null
  /** Why the last check or edit failed. */
  readonly problem: string | null
  write(text: string): void
  edit(path: readonly string[], value: SettingValue | null): void
  discard(): void
  /** Bases the draft on the current file, so that saving replaces it. */
  keepMine(): void
  takeTheirs(): void
  /** Writes the draft; resolves with whether it was written. If the file has changed since it was read, shows it as `theirs`. */
  save(approve: boolean): Promise<boolean>
  refetch(): Promise<void>
}

interface State {
  readonly base: Configuration
  readonly text: string
  readonly report: ConfigurationReport
  readonly theirs: Configuration | null
  readonly problem: string | null
  readonly isChecking: boolean
}

/** Returns the draft of a workspace's configuration; `null` until it is loaded. `freshness` changes when the file may have. */
export function useDraft(
  workspace: string,
  freshness: unknown,
): { readonly draft: Draft | null; readonly problem: Problem | null } {
  const api = useApp((state) => state.api)
  const refresh = useApp((state) => state.refresh)
  const [state, setState] = useState<State | null>(null)
  const [loadProblem, setLoadProblem] = useState<Problem | null>(null)
  const check = useCheck(api, workspace, setState)

  const refetch = useCallback(async () => {
    try {
      const found = await api.configuration.get({ workspace })
      setLoadProblem(null)
      setState((before) => withFound(before ?? restored(workspace), found))
    } catch (error) {
      setLoadProblem(toProblem(error))
    }
  }, [api, workspace])

  // biome-ignore lint/correctness/useExhaustiveDependencies: freshness is what asks for a new fetch
  useEffect(() => void refetch(), [refetch, freshness])

  useEffect(() => {
    if (state === null) return
    if (state.text === state.base.text) unsaved.delete(workspace)
    else unsaved.set(workspace, { base: state.base, text: state.text })
    check.follow(state.text, state.report.text)
  }, [state, workspace, check])

  const restart = (base: Configuration) => {
    check.forget()
    setState(freshState(base))
  }
  const change = (changes: Partial<State>) =>
    setState((before) => (before === null ? null : { ...before, ...changes }))
  const draft: Draft | null =
    state === null
      ? null
      : {
          ...state,
          isDirty: state.text !== state.base.text,
          write: (text) => change({ text, isChecking: true }),
          edit: (path, value) => check.edit(path, value),
          discard: () => restart(state.theirs ?? state.base),
          takeTheirs: () => state.theirs !== null && restart(state.theirs),
          keepMine: () => state.theirs !== null && change({ base: state.theirs, theirs: null }),
          refetch,
          save: async (approve) => {
            try {
              restart(
                await api.configuration.put({ workspace, text: state.text, hash: state.base.hash, approve }),
              )
              return true
            } catch (error) {
              const problem = toProblem(error)
              if (problem.code === 'CONFLICT') await refetch()
              else change({ problem: problem.message })
              return false
            } finally {
              await refresh()
            }
          },
        }
  return { draft, problem: state === null ? loadProblem : null }
}

function useCheck(
  api: ApiClient,
  workspace: string,
  setState: (change: (state: State | null) => State | null) => void,
): DraftCheck {
  const check = useRef<DraftCheck | null>(null)
  check.current ??= new DraftCheck({
    check: (text, edits) => api.configuration.check({ workspace, text, edits }),
    onReport: (report) =>
      setState((state) =>
        state === null
          ? null
          : { ...state, text: report.text, report, problem: report.refusal, isChecking: false },
      ),
    onProblem: (error) =>
      setState((state) =>
        state === null ? null : { ...state, problem: toProblem(error).message, isChecking: false },
      ),
  })
  const current = check.current
  useEffect(() => () => current.stop(), [current])
  return current
}

/** Restores an unsaved draft, until the file has been read again. */
function restored(workspace: string): State | null {
  const kept = unsaved.get(workspace)
  return kept === undefined ? null : { ...freshState(kept.base), text: kept.text, isChecking: true }
}

function freshState(base: Configuration): State {
  return { base, text: base.text, report: base, theirs: null, problem: null, isChecking: false }
}

/** Takes in the file as found: an untouched draft follows it, but an edited one is never silently replaced. */
function withFound(state: State | null, found: Configuration): State {
  if (state === null) return freshState(found)
  if (found.hash === state.base.hash) {
    // Unchanged, but it may have been approved since.
    return { ...state, base: found, theirs: null, report: state.text === found.text ? found : state.report }
  }
  if (state.text === state.base.text || state.text === found.text) return freshState(found)
  return { ...state, theirs: found }
}
