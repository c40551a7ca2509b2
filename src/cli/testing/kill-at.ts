import { once } from 'node:events'
import { watch } from 'node:fs'
import type { CliFixture } from './cli-fixture.ts'

/** Runs a heartbeat and kills its host after this many file events in a folder; returns whether it was killed. */
export async function killAt(
  cli: CliFixture,
  workspace: string,
  { folder, events }: { readonly folder: string; readonly events: number },
): Promise<boolean> {
  const watcher = watch(folder, { recursive: true })
  // A folder that disappeared before it could be watched.
  watcher.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  const child = cli.start(['run', '--once', '--workspace', workspace], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  let seen = 0
  watcher.on('change', () => {
    seen += 1
    if (seen === events) child.kill('SIGKILL')
  })
  const [, signal] = await ended
  watcher.close()
  return signal === 'SIGKILL'
}
