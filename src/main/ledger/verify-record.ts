import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { sayProblem } from './chain.ts'
import { sealStore } from './seal.ts'
import { verifyLedger } from './verify.ts'

/*
 * A thread of its own, for the whole of a ledger is much to read and to hash: it is asked with a workspace's folder, and answers with
 * what is wrong there.
 */

const { directory } = z.object({ directory: z.string() }).parse(workerData)
void verifyLedger(directory, sealStore(directory)).then(({ problems }) =>
  parentPort?.postMessage(problems.map(sayProblem)),
)
