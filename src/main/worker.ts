import { workerData } from 'node:worker_threads'
import { z } from 'zod'
import { contractJobs } from './custody/contract-jobs.ts'
import { changedFilesJobs } from './custody/unchanged-files.ts'
import { timelineJobs } from './ledger/timeline-jobs.ts'
import { doJobs } from './process/do-jobs.ts'
import { superviseFor } from './process/supervisor-tag.ts'
import { snapshotJobs } from './snapshot/snapshot-jobs.ts'

/*
 * A host thread for slow work: built to out/main/worker.js, which the host starts if it exists.
 */

const { dataDirectory } = z.object({ dataDirectory: z.string() }).parse(workerData)
superviseFor(dataDirectory)
doJobs([...snapshotJobs(), ...timelineJobs(), ...contractJobs(), ...changedFilesJobs()])
