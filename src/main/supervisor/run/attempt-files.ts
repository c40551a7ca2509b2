import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Replay } from '../../../core/read-model/replay.ts'
import { withoutSecrets } from '../../../core/text/secrets.ts'
import { createBoundedOutput } from '../../process/bounded-output.ts'
import type { CycleContext, PlannedAttempt } from '../cycle-context.ts'

/** Size limit for a prompt and a difference: more than anyone reads, and small enough to keep for 500 attempts. */
export const MAX_ATTEMPT_FILE_BYTES = 256 * 1024

/**
 * Stores a text next to the log of each attempt of a run: its prompt, or what changed in the files. Never rejects: a failed write must not
 * fail the attempt.
 */
export async function keepBeside(
  { ports }: CycleContext,
  attempts: readonly PlannedAttempt[],
  ending: 'prompt' | 'diff',
  text: string,
): Promise<void> {
  const kept = createBoundedOutput(MAX_ATTEMPT_FILE_BYTES)
  // Text that an agent wrote to files, or received, may contain secrets that others must not see.
  kept.write(Buffer.from(withoutSecrets(text)))
  try {
    await mkdir(ports.attemptsDirectory, { recursive: true, mode: 0o700 })
    await Promise.all(
      attempts.map(({ attemptId }) =>
        writeFile(join(ports.attemptsDirectory, `${attemptId}.${ending}`), kept.read().text, { mode: 0o600 }),
      ),
    )
  } catch (error) {
    ports.log.warn(`The ${ending} of an attempt could not be kept`, { error: String(error) })
  }
}

/** Stores the timeline of events next to the log of each attempt of a run. Never rejects. */
export async function keepReplay(
  { ports }: CycleContext,
  attempts: readonly PlannedAttempt[],
  replay: Replay,
): Promise<void> {
  const entries = replay.entries.map((entry) => ({ ...entry, text: withoutSecrets(entry.text) }))
  try {
    await mkdir(ports.attemptsDirectory, { recursive: true, mode: 0o700 })
    for (const { attemptId } of attempts)
      await writeFile(
        join(ports.attemptsDirectory, `${attemptId}.replay`),
        JSON.stringify({ ...replay, entries }),
        { mode: 0o600 },
      )
  } catch (error) {
    ports.log.warn('When what happened in an attempt could not be kept', { error: String(error) })
  }
}
