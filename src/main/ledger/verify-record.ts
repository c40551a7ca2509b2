import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { sayProblem } from './chain.ts'
import { sealStore } from './seal.ts'
import { verifyLedger } from './verify.ts'

/*
 * Runs in its own thread, because a whole ledger is much to read and to hash: receives a workspace's folder and answers with what
 * is wrong there.
 */

const { directory } = z.object({ directory: z.string() }).parse(workerData)
void verifyLedger(directory, sealStore(directory)).then(({ problems }) =>
  parentPort?.postMessage(problems.map(sayProblem)),
)
