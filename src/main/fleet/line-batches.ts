import type { JsMsg } from '@nats-io/jetstream'

/** Lines taken before yielding to the rest of this process. */
const BATCH = 500

/** Takes the lines of all hosts together as they come: what arrived during one batch is in the next. */
export class LineBatches {
  readonly #take: (given: ReadonlyMap<string, readonly JsMsg[]>) => void
  readonly #failed: (error: unknown) => void
  #waiting = new Map<string, JsMsg[]>()
  #count = 0
  /** Nothing is taken after a line that failed: it would leave a permanent gap. */
  #isBroken = false
  /** Resolves when the waiting lines were taken, or failed; `null`: none are waiting. */
  #taking: Promise<void> | null = null

  constructor(
    take: (given: ReadonlyMap<string, readonly JsMsg[]>) => void,
    failed: (error: unknown) => void,
  ) {
    this.#take = take
    this.#failed = failed
  }

  /** Resolves when the next one may come. Never rejects. */
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
