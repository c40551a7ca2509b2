import { Ban, Check, CircleDashed, X } from 'lucide-react'
import type { AgentActivity, AgentEvent, ToolStatus } from '../../../../core/activity/types.ts'
import { counted } from '../../format/counted.ts'
import { useLongList } from '../../ui/use-long-list.tsx'
import styles from './program-report.module.css'

/** The program's own report of its work, next to claim and measurement: calls, denials, tokens and cost. */
export function ProgramReport({ activity }: { activity: AgentActivity }) {
  const { calls, omittedCalls, usage, model, version, final, unknownEvents } = activity
  const { shown, more } = useLongList(calls)
  const unknown = Object.values(unknownEvents).reduce((sum, count) => sum + count, 0)
  const program = [model, version].filter((each) => each !== null).join(', ')
  return (
    <section className={styles.report} aria-label="The program reported">
      <h3 className="tiny faint medium">The program reported</h3>
      {program !== '' && <p className="quiet">{program}</p>}
      {calls.length === 0 ? (
        <p className="quiet">No edit and no command.</p>
      ) : (
        <ol className={styles.calls}>
          {shown.map((call, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the calls of one recorded attempt never move
            <Call key={index} call={call} />
          ))}
        </ol>
      )}
      {more}
      {omittedCalls > 0 && <p className="quiet">{counted(omittedCalls, 'more call')} left out.</p>}
      {usage !== null && <Usage usage={usage} />}
      {final !== null && (
        <p>
          It ended with {final.status}
          {final.reason === '' ? (
            '.'
          ) : (
            <>
              : <bdi>{final.reason}</bdi>
            </>
          )}
        </p>
      )}
      {unknown > 0 && <p className="quiet">{counted(unknown, 'event')} of kinds not known here.</p>}
    </section>
  )
}

const STATUS = {
  started: { words: 'not finished', Icon: CircleDashed },
  succeeded: { words: 'succeeded', Icon: Check },
  failed: { words: 'failed', Icon: X },
  denied: { words: 'denied', Icon: Ban },
  cancelled: { words: 'given up', Icon: CircleDashed },
} as const satisfies Record<ToolStatus, unknown>

function Call({ call }: { call: AgentEvent }) {
  switch (call.kind) {
    case 'edit':
      return <CallLine status={call.status} what={call.change ?? 'edited'} target={call.path} />
    case 'command': {
      const code = call.exitCode === null ? '' : `exit code ${call.exitCode}`
      return <CallLine status={call.status} what="ran" target={call.command} note={code} />
    }
    case 'tool':
      return <CallLine status={call.status} what={call.tool} target={call.detail} />
    case 'permission': {
      const grant = call.grant === null || call.decision === 'allowed' ? '' : `missing grant: ${call.grant}`
      const status = call.decision === 'allowed' ? 'succeeded' : 'denied'
      return <CallLine status={status} what={`asked for ${call.tool}`} target={call.target} note={grant} />
    }
    default:
      return null
  }
}

function CallLine({
  status,
  what,
  target,
  note = '',
}: {
  status: ToolStatus
  what: string
  target: string
  note?: string
}) {
  const { words, Icon } = STATUS[status]
  return (
    <li className={styles.call} data-status={status}>
      <span className={styles.status} role="img" aria-label={words} title={words}>
        <Icon size={14} aria-hidden />
      </span>
      <span>
        <bdi>{what}</bdi> <code dir="auto">{target}</code>
        {note !== '' && <span className={styles.note}> {note}</span>}
      </span>
    </li>
  )
}

function Usage({ usage }: { usage: NonNullable<AgentActivity['usage']> }) {
  const { inputTokens, outputTokens, cachedInputTokens, costUsd } = usage
  const tokens = [
    inputTokens !== null && `${grouped(inputTokens)} in`,
    cachedInputTokens !== null && `${grouped(cachedInputTokens)} of them cached`,
    outputTokens !== null && `${grouped(outputTokens)} out`,
  ].filter((each) => each !== false)
  return (
    <dl className={styles.usage}>
      {tokens.length > 0 && (
        <>
          <dt>Tokens</dt>
          <dd>{tokens.join(', ')}</dd>
        </>
      )}
      {costUsd !== null && (
        <>
          <dt>Cost</dt>
          <dd>
            {costUsd.toLocaleString('en-GB', {
              style: 'currency',
              currency: 'USD',
              maximumFractionDigits: 4,
            })}
          </dd>
        </>
      )}
    </dl>
  )
}

function grouped(count: number): string {
  return count.toLocaleString('en-GB')
}
