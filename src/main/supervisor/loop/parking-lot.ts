import type { Clock } from '../../ports/clock.ts'
import type { Kept, Parking } from '../../ports/parking.ts'
import { createAccountWindows } from './account-windows.ts'

/** The interval between the workspaces that follow the first one into a new window: enough to see a limit before the next begins. */
const SPREAD_MS = 20_000
/** The last workspace follows within this time, however many there are. */
const LONGEST_SPREAD_MS = 10 * 60_000
/** The longest that the others wait for the workspace that tries the account: no attempt runs longer. */
const LONGEST_TRIAL_MS = 2 * 60 * 60_000

interface Account {
  readonly untilMs: number
  readonly reason: string
  /** Workspaces whose heartbeat has begun since the account was closed: only their reports are new information. */
  readonly asking: Set<string>
  /** The workspace that tries the account after the reset. */
  trial: { readonly workspace: string; readonly sinceMs: number } | null
  /** Once the account has answered: when each of the others may follow, in the order in which they asked. */
  readonly turns: Map<string, number>
  openedMs: number | null
  /** Workspaces that had to wait, and must be told when that ends. */
  readonly waiting: Set<string>
}

/** `onChange`: called with the workspaces whose next heartbeat has moved. */
export function createParkingLot(
  clock: Pick<Clock, 'nowMs'>,
  onChange: (workspaces: readonly string[]) => void = () => {},
): Parking {
  const accounts = new Map<string, Account>()
  const windows = createAccountWindows(clock)
  return {
    park: (name, by, untilMs, reason) => {
      const before = accounts.get(name)
      // Two workspaces that ran at the same time report the same limit: the later reset counts.
      const isLater = before === undefined || before.openedMs !== null || untilMs >= before.untilMs
      if (!isLater) return
      windows.closed(name, untilMs)
      const waiting = new Set([...(before?.waiting ?? []), by])
      accounts.set(name, {
        untilMs,
        reason,
        asking: new Set(),
        trial: null,
        turns: new Map(),
        openedMs: null,
        waiting,
      })
      onChange([...waiting])
    },
    keeps: (name, workspace, share01 = null) => {
      const account = accounts.get(name)
      if (account === undefined) return null
      const untilMs = share01 === null ? null : windows.hadUntil(name, workspace, share01)
      const kept =
        keptBy(account, workspace, clock.nowMs()) ?? (untilMs === null ? null : hadItsShare(untilMs))
      if (kept !== null) account.waiting.add(workspace)
      return kept
    },
    begins: (name, workspace) => {
      windows.begins(name)
      const account = accounts.get(name)
      if (account === undefined || account.openedMs !== null) return
      const nowMs = clock.nowMs()
      account.asking.add(workspace)
      if (nowMs >= account.untilMs) account.trial ??= { workspace, sinceMs: nowMs }
    },
    ends: (name, workspace, hasAnswered) => {
      const account = accounts.get(name)
      if (account?.asking.delete(workspace) !== true) return
      if (account.trial?.workspace === workspace) account.trial = null
      if (hasAnswered) account.openedMs = clock.nowMs()
      onChange([...account.waiting])
    },
    used: windows.used,
  }
}

function hadItsShare(untilMs: number): Kept {
  return { untilMs, reason: 'It has had its share of its account’s window (window_share).', isClosed: false }
}

function keptBy(account: Account, workspace: string, nowMs: number): Kept | null {
  const { untilMs, reason, trial, openedMs, turns } = account
  if (openedMs !== null) {
    const turnMs = turns.get(workspace) ?? openedMs + ((turns.size * SPREAD_MS) % LONGEST_SPREAD_MS)
    turns.set(workspace, turnMs)
    if (turnMs <= nowMs) return null
    return {
      untilMs: turnMs,
      reason: 'Others that waited for the same limit come first.',
      isClosed: false,
    }
  }
  if (nowMs < untilMs) return { untilMs, reason, isClosed: true }
  if (trial === null || trial.workspace === workspace) return null
  const endMs = trial.sinceMs + LONGEST_TRIAL_MS
  return endMs <= nowMs
    ? null
    : {
        untilMs: endMs,
        reason: `Waits for ${trial.workspace}, which tries the account first after its limit.`,
        isClosed: false,
      }
}
