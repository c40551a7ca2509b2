import { useMemo } from 'react'
import { UNDO_SECONDS } from '../../../../core/pacing/unblock.ts'
import type { Need } from '../../../../core/read-model/need.ts'
import { formatSignedPoints } from '../../../../core/scoring/format.ts'
import type { HeldDecision } from '../../../../core/vocabulary/held.ts'
import { LANDING_WORDS, type LandingAnswer } from '../../../../core/vocabulary/landing.ts'
import type { ProposalDecision } from '../../../../core/vocabulary/proposal.ts'
import { toProblem } from '../../api-client/problem.ts'
import { counted } from '../../format/counted.ts'
import type { AppState } from '../../store/app-state.ts'
import { useApp } from '../../store/use-app.ts'
import type { NeedDeed } from './need-actions.ts'

/** How to answer held work; omitted options are off. */
export interface HeldAnswer {
  readonly answer: HeldDecision
  readonly always?: boolean
  readonly rigged?: boolean
  readonly putBack?: boolean
  readonly reason?: string
}

/** Functions that answer needs. Each shows a message about what it did, with a button to undo it; none rejects. */
export interface Decisions {
  /** Resolves with whether it was answered. */
  held(workspace: string, attemptId: string, answer: HeldAnswer): Promise<boolean>
  /** Makes answered work wait for review again. */
  takeBack(workspace: string, attemptId: string): Promise<boolean>
  /** Resolves with whether it was answered; without `items`, answers all of it. */
  proposal(
    workspace: string,
    id: string,
    answer: ProposalDecision,
    items?: readonly number[],
  ): Promise<boolean>
  /** Resolves with whether it was answered. */
  landing(workspace: string, attemptId: string, answer: LandingAnswer): Promise<boolean>
  deed(need: Need, deed: NeedDeed): Promise<void>
  /** Resumes each of these with what the operator found; rejects with the first that could not be resumed. */
  resumeSuspended(workspaces: readonly string[], reason: string): Promise<void>
}

/** Returns functions that answer what needs the operator's attention. */
export function useDecide(): Decisions {
  const api = useApp((state) => state.api)
  const refresh = useApp((state) => state.refresh)
  const showToast = useApp((state) => state.showToast)
  const answerPermission = useApp((state) => state.answerPermission)
  const runNow = useApp((state) => state.runNow)
  const resume = useApp((state) => state.resume)
  const markSeen = useApp((state) => state.markSeen)
  return useMemo(
    () => decisions({ api, refresh, showToast, answerPermission, runNow, resume, markSeen }),
    [api, refresh, showToast, answerPermission, runNow, resume, markSeen],
  )
}

type Hands = Pick<
  AppState,
  'api' | 'refresh' | 'showToast' | 'answerPermission' | 'runNow' | 'resume' | 'markSeen'
>

function decisions(hands: Hands): Decisions {
  const answers = {
    held: (workspace: string, id: string, answer: HeldAnswer) => answerHeld(hands, workspace, id, answer),
    takeBack: (workspace: string, id: string) => takeBack(hands, workspace, id),
    proposal: (workspace: string, id: string, answer: ProposalDecision, items?: readonly number[]) =>
      answerProposal(hands, workspace, id, answer, items),
    landing: (workspace: string, id: string, answer: LandingAnswer) =>
      answerLanding(hands, workspace, id, answer),
  }
  return {
    ...answers,
    async resumeSuspended(workspaces, reason) {
      const { api, refresh, showToast } = hands
      try {
        for (const workspace of workspaces) await api.heartbeat.liftSuspension({ workspace, reason })
      } finally {
        await refresh()
      }
      showToast({ tone: 'plain', text: `${counted(workspaces.length, 'workspace')} resumed.`, undo: null })
    },
    async deed({ workspace, id }, deed) {
      switch (deed) {
        case 'accept-held':
        case 'refuse-held':
          await answers.held(workspace, id, { answer: deed === 'accept-held' ? 'accept' : 'refuse' })
          return
        case 'accept-proposal':
        case 'revert-proposal':
          await answers.proposal(workspace, id, deed === 'accept-proposal' ? 'accept' : 'revert')
          return
        case 'allow':
        case 'deny':
          return hands.answerPermission(id, deed === 'allow' ? 'allowed' : 'denied')
        case 'unblock':
          await unblock(hands, workspace, id)
          return
        case 'resume':
          return hands.resume(workspace)
        case 'seen':
          return hands.markSeen(workspace, null)
        case 'land':
        case 'drop':
          await answers.landing(workspace, id, deed)
          return
        case 'see-session':
          await attempt(hands, async () => {
            await hands.api.sessions.see({ workspace, session: id })
            return { text: 'Seen.', undo: null }
          })
          return
        case 'run':
          return hands.runNow(workspace)
      }
    },
  }
}

/** Performs an action and refreshes the view; shows the reason if the action failed. */
async function attempt(
  { refresh, showToast }: Hands,
  does: () => Promise<Omit<Parameters<AppState['showToast']>[0], 'tone'>>,
): Promise<boolean> {
  try {
    const said = await does()
    showToast({ tone: 'plain', ...said })
    await refresh()
    return true
  } catch (error) {
    showToast({ tone: 'problem', text: toProblem(error).message, undo: null })
    return false
  }
}

/** Returns until when the undo of an answer is offered. */
const undoUntil = () => Date.now() + UNDO_SECONDS * 1000

function answerHeld(hands: Hands, workspace: string, id: string, answer: HeldAnswer): Promise<boolean> {
  const undo = () => void takeBack(hands, workspace, id)
  return attempt(hands, async () => {
    const done = await hands.api.review.answer({ workspace, id, ...answer })
    const { delta, answered, putBack, failed, mayChange } = done
    const words = [
      `${answer.answer === 'accept' ? 'Accepted' : answer.rigged === true ? 'Refused as rigged' : 'Refused'}, ${formatSignedPoints(delta)} points.`,
      ...(answered.length > 1 ? [`${counted(answered.length, 'attempt')} were answered together.`] : []),
      ...(mayChange.length > 0 ? [`The task may now change ${mayChange.join(', ')}.`] : []),
      ...(putBack.length > 0 ? [`${counted(putBack.length, 'file')} restored.`] : []),
      ...failed.map(
        ({ path, reason }) =>
          `${path} could not be ${answer.answer === 'accept' ? 'written' : 'restored'}: ${reason}`,
      ),
    ]
    const canRestore = answer.answer === 'refuse' && answer.putBack !== true
    const restore = () => void refuseAndRestore(hands, workspace, id, answer)
    return {
      text: words.join(' '),
      undo,
      undoUntilMs: undoUntil(),
      ...(canRestore && { action: { label: 'Restore files', act: restore } }),
    }
  })
}

/** Repeats the refusal, but also restores the files to the baseline. */
async function refuseAndRestore(
  hands: Hands,
  workspace: string,
  id: string,
  answer: HeldAnswer,
): Promise<boolean> {
  try {
    await hands.api.review.undo({ workspace, id })
  } catch (error) {
    hands.showToast({ tone: 'problem', text: toProblem(error).message, undo: null })
    return false
  }
  return answerHeld(hands, workspace, id, { ...answer, putBack: true })
}

function takeBack(hands: Hands, workspace: string, id: string): Promise<boolean> {
  return attempt(hands, async () => {
    await hands.api.review.undo({ workspace, id })
    return { text: 'Undone: held for review again.', undo: null }
  })
}

function answerProposal(
  hands: Hands,
  workspace: string,
  id: string,
  answer: ProposalDecision,
  items?: readonly number[],
): Promise<boolean> {
  return attempt(hands, async () => {
    const {
      file,
      state,
      items: left,
    } = await hands.api.proposals.answer({
      workspace,
      id,
      answer,
      ...(items !== undefined && { items: [...items] }),
    })
    // Other changes to the file may still be waiting.
    const done = answer === 'accept' ? `${file} accepted` : `This change of ${file} was undone`
    const rest = state === 'pending' ? ` ${counted(left.length, 'change')} left to review.` : ''
    const text = `${done}.${rest}`
    // An accepted configuration is an approved one; approval is withdrawn under trust.
    if (file === 'pulseward.toml' && answer === 'accept') return { text, undo: null }
    return { text, undo: () => void undoProposal(hands, workspace, id), undoUntilMs: undoUntil() }
  })
}

function undoProposal(hands: Hands, workspace: string, id: string): Promise<boolean> {
  return attempt(hands, async () => {
    const { file } = await hands.api.proposals.undo({ workspace, id })
    return { text: `Undone: the change of ${file} needs your review again.`, undo: null }
  })
}

/** Dropped work can be queued again. */
function answerLanding(hands: Hands, workspace: string, id: string, answer: LandingAnswer): Promise<boolean> {
  return attempt(hands, async () => {
    const { landing } = await hands.api.landing.answer({ workspace, id, answer })
    const undo = answer === 'drop' ? () => void answerLanding(hands, workspace, id, 'retry') : null
    const text = `${landing.taskId}: ${LANDING_WORDS[landing.state].toLowerCase()}.`
    return { text, undo, ...(undo !== null && { undoUntilMs: undoUntil() }) }
  })
}

function unblock(hands: Hands, workspace: string, taskId: string): Promise<boolean> {
  const { api } = hands
  const undo = () =>
    void attempt(hands, async () => {
      const { refused } = await api.tasks.undoUnblock({ workspace, ids: [taskId] })
      const why = refused[0]?.reason
      return {
        text: why === undefined ? `${taskId} is blocked again.` : `${taskId} stays open. ${why}`,
        undo: null,
      }
    })
  return attempt(hands, async () => {
    await api.tasks.unblock({ workspace, id: taskId })
    return { text: `${taskId} is open again.`, undo, undoUntilMs: undoUntil() }
  })
}
