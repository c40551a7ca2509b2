import type { AgentEvent } from './types.ts'

/** Returns an event as a line of the attempt's log; `null` if the log already has it, or if it tells a person nothing. */
export function lineOfEvent(event: AgentEvent): string | null {
  switch (event.kind) {
    case 'edit':
      return event.status === 'started' ? null : `[${event.change ?? 'edit'}] ${event.path} (${event.status})`
    case 'command': {
      if (event.status === 'started') return `[command] ${event.command}`
      return `[command] ${event.command} (${event.exitCode === null ? event.status : `exit code ${event.exitCode}`})`
    }
    case 'tool':
      return event.status === 'started' ? null : `[${event.tool}] ${event.detail} (${event.status})`
    case 'permission':
      return `[permission] ${event.tool} ${event.target}: ${event.decision} by ${event.by}`
    case 'warning':
      return `[warning] ${event.text}`
    default:
      return null
  }
}
