import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { WorkspaceState } from '../../core/record/state.ts'
import { readJson } from '../../core/text/json.ts'
import { succeeds } from '../files/succeeds.ts'

/** The documents of a workspace, and the state they are about to be written from. */
export interface WitnessedDocuments {
  /** `…/workspaces/<id>`. */
  readonly directory: string
  readonly state: WorkspaceState
}

const PROGRESS = 'heartbeat-progress.json'
const SCORE = 'heartbeat-score.json'
const progressSchema = z.object({ cycleCount: z.int() })
const scoreSchema = z.object({ lifetime: z.object({ totalVerified: z.number(), totalFailed: z.number() }) })

/**
 * Without a seal the documents are witnesses: they are written from the ledger, so one that knows more was written from a longer
 * ledger. Keeps a copy of it before it is rewritten (`time: null`: it won't be). Returns a sentence for each. Never rejects.
 */
export async function keepDocumentsAhead(
  { directory, state }: WitnessedDocuments,
  events: number,
  time: string | null,
): Promise<readonly string[]> {
  const [progress, score] = await Promise.all([
    readDocument(join(directory, PROGRESS), progressSchema),
    readDocument(join(directory, SCORE), scoreSchema),
  ])
  const problems: string[] = []
  const report = async (name: string, words: string): Promise<void> => {
    const isKept =
      time !== null &&
      (await succeeds(copyFile(join(directory, name), join(directory, `${name}.ahead-${time}`))))
    const where = isKept ? `; it is kept as ${name}.ahead-${time}` : ''
    problems.push(`${name} ${words}, but the ledger has ${events} events that don't say so${where}`)
  }
  const { cycleCount } = state.progress
  if (progress !== null && progress.cycleCount > cycleCount)
    await report(PROGRESS, `knows ${progress.cycleCount} heartbeats of which ${cycleCount} are recorded`)
  const { totalVerified, totalFailed } = state.score.lifetime
  const recorded = totalVerified + totalFailed
  const known = score === null ? 0 : score.lifetime.totalVerified + score.lifetime.totalFailed
  if (known > recorded) await report(SCORE, `knows ${known} verdicts of which ${recorded} are recorded`)
  return problems
}

async function readDocument<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
  return readJson(schema, await readFile(path, 'utf8').catch(() => ''))
}
