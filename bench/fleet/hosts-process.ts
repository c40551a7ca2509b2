import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type HostsOptions, startHosts } from './simulated-hosts.ts'

/*
 * The hosts in a process of their own, as they are in the world: what they take is not taken from the centre. Run as a
 * program with the options as its argument, it starts them and does what it is told.
 */

type Order =
  | { readonly kind: 'record'; readonly lines: number; readonly of?: Of }
  | { readonly kind: 'ask' }
  | { readonly kind: 'stop' }

interface Of {
  readonly host: number
  readonly workspace: number
}

interface Answer {
  /** Every line that was recorded is confirmed. */
  readonly isShipped: boolean
  readonly bytes: number
}

export interface HostsProcess {
  /** So many more lines were recorded in every workspace, or in one alone. */
  record(lines: number, of?: Of): void
  ask(): Promise<Answer>
  stop(): Promise<void>
}

export async function forkHosts(options: HostsOptions): Promise<HostsProcess> {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(options)])
  const ended = gone(child)
  // Said to whoever waits for an answer; else they end because they are told to.
  ended.catch(() => undefined)
  const tell = (order: Order): void => void child.send(order)
  const answer = async (): Promise<Answer> => {
    const [given] = (await Promise.race([once(child, 'message'), ended])) as [Answer]
    return given
  }
  await answer()
  return {
    record: (lines, of) => tell({ kind: 'record', lines, ...(of !== undefined && { of }) }),
    ask: () => {
      tell({ kind: 'ask' })
      return answer()
    },
    stop: async () => {
      if (child.exitCode !== null) return
      tell({ kind: 'stop' })
      await ended.catch(() => undefined)
    },
  }
}

async function gone(child: ChildProcess): Promise<never> {
  await once(child, 'exit')
  throw new Error('The hosts have ended.')
}

async function run(options: HostsOptions): Promise<void> {
  const hosts = await startHosts(options)
  const answer = (): void => {
    const isShipped = hosts.members.every((member) =>
      member.status().workspaces.every(({ state }) => state === 'shipped'),
    )
    process.send?.({ isShipped, bytes: process.memoryUsage().rss } satisfies Answer)
  }
  process.on('message', (order: Order) => {
    if (order.kind === 'record') hosts.record(order.lines, order.of)
    else if (order.kind === 'ask') answer()
    else void hosts.stop().then(() => process.exit(0))
  })
  answer()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await run(JSON.parse(process.argv[2] ?? ''))
