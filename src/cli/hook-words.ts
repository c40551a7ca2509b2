import { parseArgs } from 'node:util'
import { HOOK_EVENTS, type HookEvent } from '../core/vocabulary/hook-event.ts'

/** How an agent's program calls its hook. */
export interface HookWords {
  readonly event: HookEvent
  readonly agent: string
  readonly dataDirectory: string | undefined
  /** In seconds. */
  readonly timeout: string | undefined
}

const VALUE = { type: 'string' } as const
export const OPTIONS = { agent: VALUE, timeout: VALUE, 'data-dir': VALUE, workspace: VALUE }

/**
 * Reads a command line such as `--data-dir DIR hook stop --agent claude`. Returns `null` for any other command: only options may come
 * before `hook`, and the words after `--` belong to another program. Never throws. `bin/pulseward` repeats this, because it loads nothing.
 */
export function readHookWords(args: readonly string[]): HookWords | null {
  const end = args.indexOf('--')
  const own = end < 0 ? args : args.slice(0, end)
  const { positionals, values } = parseArgs({
    ...{ args: [...own], options: OPTIONS, strict: false, allowPositionals: true },
  })
  const [command, name] = positionals
  const event = HOOK_EVENTS.find((one) => one === name)
  const { agent, timeout, 'data-dir': dataDirectory } = values
  if (command !== 'hook' || event === undefined || typeof agent !== 'string') return null
  return { event, agent, dataDirectory: textOf(dataDirectory), timeout: textOf(timeout) }
}

/** Returns an option's text; an option without a value is `true`. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
