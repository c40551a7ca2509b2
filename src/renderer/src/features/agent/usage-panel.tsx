import { useId } from 'react'
import { PRICES_AS_OF } from '../../../../core/activity/prices.ts'
import type { AgentFigures, UsageTotals } from '../../../../core/read-model/agent.ts'
import tableStyles from '../../ui/table.module.css'
import { TableHead } from '../../ui/table-head.tsx'
import styles from './agent.module.css'
import { StackedDays } from './day-charts.tsx'
import { chartDays, Panel } from './day-figures.tsx'
import { daySeries, usageByAgent } from './day-series.ts'
import { costInWords, moneyOf, tokensInWords } from './usage-words.ts'

const TOKENS = [
  { key: 'input', label: 'In' },
  { key: 'output', label: 'Out' },
] as const

/** Tokens and cost by day, agent and task, if the agent's program reports them; otherwise nothing. */
export function UsagePanel({ figures, agentId }: { figures: AgentFigures; agentId: string }) {
  const headingId = useId()
  const byAgent = usageByAgent(figures)
  if (byAgent.length === 0 && figures.tasks.length === 0) return null
  const series = daySeries(figures, agentId)
  const hasUsage = byAgent.some((each) => each.agentId === agentId)
  return (
    <section className={styles.section} aria-labelledby={headingId}>
      <div className={styles.head}>
        <h2 id={headingId}>Tokens and cost</h2>
      </div>
      <p className="tiny faint">
        As the agent’s program reports them; attempts that report nothing are not counted. What tells tokens
        and no money is estimated by list prices of {PRICES_AS_OF}, or by yours (≈).
      </p>
      {hasUsage && (
        <div className={styles.charts}>
          <Panel title="Tokens a day">
            <StackedDays
              days={chartDays(series, ({ usage }) => ({
                input: usage?.inputTokens ?? null,
                output: usage?.outputTokens ?? null,
              }))}
              series={TOKENS}
              say={tokensInWords}
            />
          </Panel>
          <Panel title="Cost a day">
            <StackedDays
              days={chartDays(series, ({ usage }) => ({ cost: moneyOf(usage) }))}
              series={[{ key: 'cost', label: 'Cost' }]}
              say={costInWords}
            />
          </Panel>
        </div>
      )}
      <div className={styles.usages}>
        {byAgent.length > 0 && (
          <UsageTable
            title="By agent, 30 days"
            rows={byAgent.map(({ agentId: name, usage }) => ({ name, usage }))}
          />
        )}
        {figures.tasks.length > 0 && (
          <UsageTable
            title="By task, as long as it is in the contract"
            rows={figures.tasks.map(({ taskId: name, usage }) => ({ name, usage }))}
          />
        )}
      </div>
    </section>
  )
}

function UsageTable({
  title,
  rows,
}: {
  title: string
  rows: readonly { readonly name: string; readonly usage: UsageTotals }[]
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways has to be reached by the keyboard
    <section className={tableStyles.box} aria-label={title} tabIndex={0}>
      <table className={`${tableStyles.table} ${styles.table}`}>
        <caption className={styles.caption}>{title}</caption>
        <TableHead columns={['Name', 'Attempts', 'Tokens in', 'of it cached', 'Tokens out', 'Cost']} />
        <tbody>
          {rows.map(({ name, usage }) => (
            <tr key={name}>
              <th scope="row">
                <bdi>{name}</bdi>
              </th>
              <td>{usage.attempts}</td>
              <td>{tokensInWords(usage.inputTokens)}</td>
              <td>{tokensInWords(usage.cachedInputTokens)}</td>
              <td>{tokensInWords(usage.outputTokens)}</td>
              <td>
                {usage.estimatedUsd !== undefined && '≈ '}
                {costInWords(moneyOf(usage))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
