import type { JsMsg } from '@nats-io/jetstream'

/** How many lines to process before other work of this process gets a turn. */
const BATCH = 500

/** Processes the lines of all hosts together in batches: what arrives during one batch is in the next. */
export class LineBatches {
  readonly #take: (given: ReadonlyMap<string, readonly JsMsg[]>) => void
  readonly #failed: (error: unknown) => void
  #waiting = new Map<string, JsMsg[]>()
  #count = 0
  /** True after a line has failed; later lines are then not stored, because that would leave a permanent gap. */
  #isBroken = false
  /** Resolves when the waiting lines were stored, or failed; `null`: none are waiting. */
  #taking: Promise<void> | null = null

  constructor(
    take: (given: ReadonlyMap<string, readonly JsMsg[]>) => void,
    failed: (error: unknown) => void,
  ) {
    this.#take = take
    this.#failed = failed
  }

  /** Adds a line; resolves when the next one may be added. Never rejects. */
  async add(host: string, message: JsMsg): Promise<void> {
    const waiting = this.#waiting.get(host)
    if (waiting === undefined) this.#waiting.set(host, [message])
    else waiting.push(message)
    this.#count += 1
    this.#taking ??= new Promise((resolve) => setImmediate(() => resolve(this.#takeAll())))
    if (this.#count >= BATCH) await this.#taking
  }

  #takeAll(): void {
    const given = this.#waiting
    this.#waiting = new Map()
    this.#count = 0
    this.#taking = null
    if (this.#isBroken) return
    try {
      this.#take(given)
    } catch (error) {
      this.#isBroken = true
      this.#failed(error)
    }
  }
}
