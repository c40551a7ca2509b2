import { nextMidnight, timestamp } from '../../core/pacing/schedule.ts'
import { budgetStand, sayDollars } from '../../core/record/budget.ts'
import type { CycleContext } from './cycle-context.ts'

/**
 * Pauses the workspace until the next local day where the day's budget is spent, and notifies the operator; answers whether it has. Asked
 * between attempts only: one under way is never cut off for its cost. Where the agent's program reports no cost, that is said
 * instead.
 */
export async function keepBudget(context: CycleContext): Promise<boolean> {
  const { ports, config } = context
  const { dailyBudgetUsd: limitUsd } = config.agent
  const stand = budgetStand(ports.ledger.state, limitUsd)
  if (stand.kind === 'unknown') await sayNotKept(context)
  if (stand.kind !== 'spent' || limitUsd === null) return false
  const zone = config.heartbeat.timezone ?? 'local'
  const until = timestamp(nextMidnight(ports.clock.nowMs(), zone), zone)
  const budget = { limitUsd, spentUsd: stand.spentUsd }
  const [event] = await ports.ledger.append({ type: 'paused', until, budget })
  ports.notifier.notify({
    key: `budget:${ports.id}:${event?.day ?? until}:${limitUsd}`,
    about: 'suspension',
    workspaceId: ports.id,
    title: `${ports.name}: the day's budget is spent`,
    body: `${sayDollars(stand.spentUsd)} of ${sayDollars(limitUsd)}. Paused until the next day; resume it, or raise daily_budget_usd under [agent] in pulseward.toml.`,
  })
  return true
}

async function sayNotKept({ ports, config }: CycleContext): Promise<void> {
  if (ports.ledger.state.notices.some(({ code }) => code === 'budget-not-kept')) return
  await ports.ledger.append({
    type: 'diagnostic-raised',
    code: 'budget-not-kept',
    taskId: null,
    message: `daily_budget_usd cannot be kept: ${config.agent.id} does not report what it costs.`,
  })
}
