import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type HostsOptions, startHosts } from './simulated-hosts.ts'

/*
 * Runs the hosts in a separate process, as in reality, so that they use none of the center's resources. As a program with the
 * options as its argument, it starts them and follows commands.
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
  /** Waits until every recorded line has been confirmed. */
  readonly isShipped: boolean
  readonly bytes: number
}

export interface HostsProcess {
  /** Records this many more lines in every workspace, or in a single one. */
  record(lines: number, of?: Of): void
  ask(): Promise<Answer>
  stop(): Promise<void>
}

export async function forkHosts(options: HostsOptions): Promise<HostsProcess> {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(options)])
  const ended = gone(child)
  // A failure reaches callers that wait for an answer; otherwise the hosts were told to exit.
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
