import { parentPort } from 'node:worker_threads'
import type { Log } from '../ports/log.ts'
import { type LongList, PART, takeLongList } from './long-lists.ts'
import type { FromThread, Job, ToThread } from './threads.ts'

/** A job with the function that does it. */
export interface Worked {
  readonly name: string
  readonly work: (input: never) => Promise<unknown>
}

export function worked<Input, Output>(
  { name }: Job<Input, Output>,
  work: (input: Input) => Promise<Output>,
): Worked {
  return { name, work }
}

/** Does these jobs in this thread, for the thread that started it. */
export function doJobs(jobs: readonly Worked[]): void {
  const byName = new Map(jobs.map(({ name, work }) => [name, work]))
  parentPort?.on('message', (message: ToThread) => {
    if (message.kind === 'answer') return answered(message)
    if (message.kind === 'goes-on') return goOn(message.id)
    const { id, job, input } = message
    const work = byName.get(job)
    const done =
      work === undefined ? Promise.reject(new Error(`No thread handles ${job}.`)) : work(input as never)
    done.then(
      (output) => deliver(id, output),
      (error: unknown) => post({ kind: 'failed', id, error, ...codeOf(error) }),
    )
  })
}

const delivering = new Map<number, () => void>()

/** Sends long lists in parts, each after the one before was taken; then the rest. */
function deliver(id: number, output: unknown): void {
  const long = takeLongList(output)
  if (long === null) post({ kind: 'done', id, output })
  else deliverPart(id, long, 0)
}

function deliverPart(id: number, long: LongList, from: number): void {
  const { path, list, rest } = long
  const end = from + PART
  delivering.set(id, () => (end < list.length ? deliverPart(id, long, end) : deliver(id, rest)))
  post({ kind: 'part', id, path, part: list.slice(from, end) })
}

function goOn(id: number): void {
  const next = delivering.get(id)
  delivering.delete(id)
  next?.()
}

const asked = new Map<number, (answer: Extract<ToThread, { kind: 'answer' }>) => void>()
let last = 0

/** Asks the host. Rejects if it has no answer. */
export function askHost<Input, Output>({ name }: Job<Input, Output>, input: Input): Promise<Output> {
  last += 1
  const id = last
  return new Promise((resolve, reject) => {
    asked.set(id, ({ output, error }) => {
      if (error === undefined) resolve(output as Output)
      else reject(new Error(error))
    })
    post({ kind: 'asks', id, question: name, input })
  })
}

function answered(answer: Extract<ToThread, { kind: 'answer' }>): void {
  asked.get(answer.id)?.(answer)
  asked.delete(answer.id)
}

function codeOf(error: unknown): { code?: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? { code: error.code }
    : {}
}

function post(message: FromThread): void {
  parentPort?.postMessage(message)
}

/** Tells the host how much this thread keeps for later jobs: it does not end while there is any. */
export function reportKept(count: number): void {
  post({ kind: 'keeps', count })
}

/** The host's log. */
export const threadLog: Log = {
  info: (message, fields) => post({ kind: 'log', level: 'info', message, ...(fields && { fields }) }),
  warn: (message, fields) => post({ kind: 'log', level: 'warn', message, ...(fields && { fields }) }),
  error: (message, fields) => post({ kind: 'log', level: 'error', message, ...(fields && { fields }) }),
}
