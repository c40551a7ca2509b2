import type { UndoAnswer } from '../../../../core/read-model/attempt.ts'
import { toProblem } from '../../api-client/problem.ts'
import { counted } from '../../format/counted.ts'
import { useApp } from '../../store/use-app.ts'

/** A minute, like every undo on the page; the attempt offers it for longer. */
const UNDO_MS = 60_000

/** Restores the files that an attempt changed, or redoes its changes; a message reports the result and offers to undo it. */
export function usePutBack(workspaceId: string, attemptId: string) {
  const api = useApp((state) => state.api)
  const refresh = useApp((state) => state.refresh)
  const showToast = useApp((state) => state.showToast)
  const named = { workspace: workspaceId, id: attemptId }
  const say = (text: string, undo: (() => void) | null): void =>
    showToast({
      tone: 'plain',
      text,
      undo,
      ...(undo !== null && { undoUntilMs: Date.now() + UNDO_MS }),
    })
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
      await refresh()
    } catch (error) {
      showToast({ tone: 'problem', text: toProblem(error).message, undo: null })
    }
  }
  const makeAgain = (): Promise<void> =>
    attempt(async () => say(inWords(await api.attempts.redo(named), 'redone'), null))
  const putBack = (): Promise<void> =>
    attempt(async () => {
      const answer = await api.attempts.undo(named)
      say(inWords(answer, 'restored'), answer.putBack.length === 0 ? null : () => void makeAgain())
    })
  return { putBack, makeAgain }
}

function inWords({ putBack, leftAlone }: UndoAnswer, done: string): string {
  const [first] = leftAlone
  const what = putBack.length === 0 ? `Nothing was ${done}.` : `${counted(putBack.length, 'file')} ${done}.`
  if (first === undefined) return what
  const others = leftAlone.length > 1 ? ` and ${leftAlone.length - 1} more` : ''
  return `${what} ${first.path}${others} was left unchanged: ${first.reason}.`
}
