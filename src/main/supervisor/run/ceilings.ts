import type { AgentUsage } from '../../../core/activity/types.ts'
import {
  addUsed,
  ceilingReached,
  limitKey,
  limitsFrom,
  sayLimit,
  type Used,
  usedOf,
  usedToday,
} from '../../../core/record/budget.ts'
import type { SpentLimit } from '../../../core/vocabulary/limit.ts'
import type { CycleContext } from '../cycle-context.ts'
import type { CeilingOptions, ReachedCeiling } from './watch-ceiling.ts'

/**
 * Returns what a run may use: its own ceiling, and what is left of the daily limits of its workspace and of all together. A limit that
 * already paused the workspace today no longer applies, nor does one that was reached before the run was started by hand: the operator
 * wants it to run.
 */
export function ceilingsOf(context: CycleContext): CeilingOptions {
  const { ports, config } = context
  const { spending, ledger, id } = ports
  const { attemptCeiling, preset, model: asked } = config.agent
  const own = usedToday(ledger.state)
  const excused = new Set(excusedLimits(context, own))
  let used: AgentUsage | null = null
  const dayReached = (): ReachedCeiling | null => {
    const now = used === null ? own : addUsed(own, usedOf(used))
    const limit = spentLimits(context, now).find((each) => !excused.has(limitKey(each)))
    return limit === undefined ? null : { words: sayLimit(limit), isOfTheDay: true }
  }
  return {
    priceOf: (model) => spending.priceOf(model ?? asked, preset),
    used: (now) => {
      used = now
      const words = ceilingReached(attemptCeiling, now)
      // Reported to all running attempts: what one uses is no longer available to the others.
      spending.running(id, now)
      return words === null ? dayReached() : { words, isOfTheDay: false }
    },
    dayReached,
    onOthers: (listener) => spending.onUsed(listener),
  }
}

function excusedLimits(context: CycleContext, own: Used): readonly string[] {
  const { limitsReached, day } = context.ports.ledger.state
  const paused = limitsReached?.day === day ? (limitsReached?.keys ?? []) : []
  return context.byHand === true ? [...paused, ...spentLimits(context, own).map(limitKey)] : paused
}

function spentLimits({ ports, config }: CycleContext, own: Used): readonly SpentLimit[] {
  const { dayLimits } = config.agent
  const all = ports.spending.all()
  return [
    ...(dayLimits.atLimit === 'pause' ? limitsFrom(1, own, dayLimits, 'workspace') : []),
    ...(all.limits.atLimit === 'pause' ? limitsFrom(1, all.used, all.limits, 'all') : []),
  ]
}
