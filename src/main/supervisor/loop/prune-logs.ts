import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { WorkspacePorts } from '../workspace-ports.ts'

const ENDINGS = /\.(?:log|prompt|diff|undo|replay|used)$/

/**
 * Removes the logs, prompts and differences of attempts that the state has forgotten (it keeps the latest 500), so that the folder does not
 * grow without limit. Problems are only logged: a leftover log does no harm.
 */
export async function pruneLogs(
  ports: Pick<WorkspacePorts, 'attemptsDirectory' | 'ledger' | 'log'>,
): Promise<void> {
  const kept = new Set(ports.ledger.state.attempts.map(({ attemptId }) => attemptId))
  try {
    const names = await readdir(ports.attemptsDirectory)
    const forgotten = names.filter((name) => ENDINGS.test(name) && !kept.has(name.replace(ENDINGS, '')))
    await Promise.all(forgotten.map((name) => rm(join(ports.attemptsDirectory, name), { force: true })))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return
    ports.log.warn('Old logs of attempts could not be removed', { error: String(error) })
  }
}
