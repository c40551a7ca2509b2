import { Worker } from 'node:worker_threads'
import type { Log } from '../ports/log.ts'
import { type ListPart, putTogether } from './long-lists.ts'

/** A kind of job for a thread, with its input and output; both must survive a structured clone. */
export interface Job<Input, Output> {
  readonly name: string
  /** Only for its types. */
  readonly takes?: (input: Input) => Output
}

/** Does slow work off the event loop, so that no workspace blocks the others. */
export interface Threads {
  /** Does a job; all jobs of one `key` run in one thread. Rejects with what the job threw, or if its thread ended. */
  run<Input, Output>(job: Job<Input, Output>, input: Input, key: string): Promise<Output>
  /** Registers how to answer this question of threads. */
  answer<Input, Output>(question: Job<Input, Output>, by: (input: Input) => Promise<Output>): void
  /** Ends all threads; unfinished jobs reject. */
  stop(): Promise<void>
}

export interface ThreadsOptions {
  /** What the threads run; it calls `doJobs`. */
  readonly script: string
  readonly size: number
  /** Passed on to the script. */
  readonly workerData: unknown
  readonly log: Log
  /** A thread that has been idle this long, and keeps nothing for later, ends; 60 s by default. */
  readonly idleMs?: number
}

/** From a thread: an answer, part of a long list in an answer, a line for the log, or how much it keeps for later jobs. */
export type FromThread =
  | { readonly kind: 'done'; readonly id: number; readonly output: unknown }
  | ({ readonly kind: 'part'; readonly id: number } & ListPart)
  | { readonly kind: 'failed'; readonly id: number; readonly error: unknown; readonly code?: string }
  | { readonly kind: 'log'; readonly level: keyof Log; readonly message: string; readonly fields?: object }
  | { readonly kind: 'keeps'; readonly count: number }
  | { readonly kind: 'asks'; readonly id: number; readonly question: string; readonly input: unknown }

/** To a thread: a job, the confirmation that part of an answer arrived, or the answer to the thread's question. */
export type ToThread =
  | { readonly kind: 'goes-on'; readonly id: number }
  | { readonly kind: 'job'; readonly id: number; readonly job: string; readonly input: unknown }
  | { readonly kind: 'answer'; readonly id: number; readonly output: unknown; readonly error?: string }

const IDLE_MS = 60_000

/** Creates threads that start when they are first needed and end when they are idle. */
export function createThreads(options: ThreadsOptions): Threads {
  const answers = new Map<string, (input: never) => Promise<unknown>>()
  const ask: Ask = async (question, input) => {
    const by = answers.get(question)
    if (by === undefined) throw new Error(`There is no answer to ${question}.`)
    return by(input as never)
  }
  const threads = Array.from({ length: options.size }, () => new Thread(options, ask))
  const places = new Map<string, number>()
  return {
    run: (job, input, key) => {
      const place = places.get(key) ?? places.size % threads.length
      places.set(key, place)
      const thread = threads[place]
      if (thread === undefined) return Promise.reject(new Error('There are no threads.'))
      // The result is that of the job with this name: the two are declared together.
      return thread.run(job.name, input) as Promise<never>
    },
    answer: ({ name }, by) => void answers.set(name, by),
    stop: async () => {
      await Promise.all(threads.map((thread) => thread.stop()))
    },
  }
}

interface Waiting {
  /** Received parts of long lists. */
  readonly parts: ListPart[]
  readonly resolve: (output: unknown) => void
  readonly reject: (error: unknown) => void
}

type Ask = (question: string, input: unknown) => Promise<unknown>

class Thread {
  readonly #options: ThreadsOptions
  readonly #ask: Ask
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | null = null
  #kept = 0
  #last = 0
  #idle: NodeJS.Timeout | null = null

  constructor(options: ThreadsOptions, ask: Ask) {
    this.#options = options
    this.#ask = ask
  }

  run(job: string, input: unknown): Promise<unknown> {
    const worker = this.#begun()
    if (this.#idle !== null) clearTimeout(this.#idle)
    this.#last += 1
    const id = this.#last
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { parts: [], resolve, reject })
      worker.postMessage({ kind: 'job', id, job, input } satisfies ToThread)
    })
  }

  async stop(): Promise<void> {
    const worker = this.#worker
    if (worker === null) return
    this.#forget(worker, new Error('Pulseward is stopping.'))
    await worker.terminate()
  }

  #begun(): Worker {
    if (this.#worker !== null) return this.#worker
    const { script, workerData } = this.#options
    const worker = new Worker(script, { workerData })
    this.#worker = worker
    worker.unref()
    worker.on('message', (message: FromThread) => this.#heard(worker, message))
    worker.once('error', (error) => this.#forget(worker, error))
    worker.once('exit', (code) => this.#forget(worker, new Error(`A thread ended with ${code}.`)))
    return worker
  }

  #heard(worker: Worker, message: FromThread): void {
    if (worker !== this.#worker) return
    if (message.kind === 'log') this.#options.log[message.level](message.message, message.fields as never)
    else if (message.kind === 'keeps') this.#kept = message.count
    else if (message.kind === 'asks') this.#asked(worker, message)
    else if (message.kind === 'part') this.#takePart(worker, message)
    else this.#answer(message)
    if (this.#waiting.size === 0 && this.#kept === 0) this.#endLater(worker)
  }

  #asked(worker: Worker, { id, question, input }: Extract<FromThread, { kind: 'asks' }>): void {
    const reply = (answer: { output: unknown; error?: string }): void =>
      worker.postMessage({ kind: 'answer', id, ...answer } satisfies ToThread)
    this.#ask(question, input).then(
      (output) => reply({ output }),
      (error: unknown) => reply({ output: null, error: String(error) }),
    )
  }

  /** Requests the next part after yielding to the event loop. */
  #takePart(worker: Worker, { id, path, part }: Extract<FromThread, { kind: 'part' }>): void {
    this.#waiting.get(id)?.parts.push({ path, part })
    worker.postMessage({ kind: 'goes-on', id } satisfies ToThread)
  }

  #answer(message: Extract<FromThread, { kind: 'done' | 'failed' }>): void {
    const waiting = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    if (message.kind === 'done') waiting?.resolve(putTogether(waiting.parts, message.output))
    else waiting?.reject(withCode(message.error, message.code))
  }

  #endLater(worker: Worker): void {
    if (this.#idle !== null) clearTimeout(this.#idle)
    this.#idle = setTimeout(() => {
      if (this.#waiting.size > 0 || this.#kept > 0) return
      this.#forget(worker, new Error('The thread has ended.'))
      void worker.terminate()
    }, this.#options.idleMs ?? IDLE_MS)
    this.#idle.unref()
  }

  /** Fails its unfinished jobs; the next job starts another thread. */
  #forget(worker: Worker, reason: unknown): void {
    if (worker !== this.#worker) return
    this.#worker = null
    this.#kept = 0
    if (this.#idle !== null) clearTimeout(this.#idle)
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of waiting) reject(reason)
  }
}

/** Restores an error's code, which a clone loses. */
function withCode(error: unknown, code: string | undefined): unknown {
  return code === undefined || !(error instanceof Error) ? error : Object.assign(error, { code })
}
