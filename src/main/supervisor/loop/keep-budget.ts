import { nextMidnight, timestamp } from '../../../core/pacing/schedule.ts'
import { limitKey, limitsStand, sayLimit, usedToday, warningKey } from '../../../core/record/budget.ts'
import type { SpentLimit } from '../../../core/vocabulary/limit.ts'
import type { CycleContext } from '../cycle-context.ts'

/**
 * Pauses the workspace until the next local day if a daily limit is reached, and notifies the operator; resolves with whether it did. Warns
 * from 80 % on. Called between attempts; a running attempt is ended by its ceilings. If the agent's program reports nothing that a limit
 * could use, it says so instead.
 */
export async function keepBudget(context: CycleContext): Promise<boolean> {
  const { ports, config } = context
  const { state } = ports.ledger
  const own = { used: usedToday(state), limits: config.agent.dayLimits }
  const { spent, near, unknown } = limitsStand(state, own, ports.spending.all())
  if (unknown !== null) await sayNotKept(context, unknown)
  for (const limit of near) await warn(context, limit)
  if (spent === null) return false
  const zone = config.heartbeat.timezone ?? 'local'
  const until = timestamp(nextMidnight(ports.clock.nowMs(), zone), zone)
  const isNotified = isNotifiedElsewhere(context, spent, limitKey(spent))
  const [event] = await ports.ledger.append({ type: 'paused', until, limit: spent })
  if (isNotified) return true
  ports.notifier.notify({
    key: `budget:${spent.scope === 'all' ? 'all' : ports.id}:${event?.day ?? until}:${limitKey(spent)}`,
    about: 'budget',
    workspaceId: ports.id,
    title:
      spent.scope === 'all'
        ? "The day's budget of all workspaces is spent"
        : `${ports.name}: the day's budget is spent`,
    body: `${sayLimit(spent)}. Paused until tomorrow; it resumes automatically. To continue today, resume it or raise ${whereSet(spent)}.`,
  })
  return true
}

async function warn(context: CycleContext, limit: SpentLimit): Promise<void> {
  const { ports } = context
  const isNotified = isNotifiedElsewhere(context, limit, warningKey(limit))
  const [event] = await ports.ledger.append({ type: 'limit-near', limit })
  if (isNotified) return
  const whose = limit.scope === 'all' ? 'All workspaces' : ports.name
  ports.notifier.notify({
    key: `budget-near:${limit.scope === 'all' ? 'all' : ports.id}:${event?.day ?? ''}:${warningKey(limit)}`,
    about: 'budget',
    // Coming close needs no action at night; reaching the limit is a warning.
    severity: limit.used < limit.limit ? 'info' : 'warning',
    workspaceId: ports.id,
    title: `${whose}: the day's budget is ${limit.used < limit.limit ? 'nearly spent' : 'spent'}`,
    body: `${sayLimit(limit)}. It is set by ${whereSet(limit)}.`,
  })
}

function isNotifiedElsewhere({ ports }: CycleContext, { scope }: SpentLimit, key: string): boolean {
  return scope === 'all' && ports.spending.isNotifiedElsewhere(ports.id, key)
}

function whereSet({ scope, unit }: SpentLimit): string {
  if (scope === 'all') return `${unit === 'usd' ? 'dailyBudgetUsd' : 'dailyTokens'} in the app's settings`
  return `${unit === 'usd' ? 'daily_budget_usd' : 'daily_tokens'} under [agent] in pulseward.toml`
}

async function sayNotKept({ ports, config }: CycleContext, unit: 'usd' | 'tokens'): Promise<void> {
  if (ports.ledger.state.notices.some(({ code }) => code === 'budget-not-kept')) return
  const [setting, what] =
    unit === 'usd' ? ['daily_budget_usd', 'what it costs'] : ['daily_tokens', 'how many tokens it uses']
  await ports.ledger.append({
    type: 'diagnostic-raised',
    code: 'budget-not-kept',
    taskId: null,
    message: `${setting} cannot be kept: ${config.agent.id} does not report ${what}.`,
  })
}
