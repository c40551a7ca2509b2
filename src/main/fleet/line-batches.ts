import type { JsMsg } from '@nats-io/jetstream'

/** Lines that are taken at once; whatever else this process does has its turn in between. */
const BATCH = 500

/** Lines of all hosts, taken together as they come: whatever arrived while the last ones were taken is taken next. */
export class LineBatches {
  readonly #take: (given: ReadonlyMap<string, readonly JsMsg[]>) => void
  readonly #failed: (error: unknown) => void
  #waiting = new Map<string, JsMsg[]>()
  #count = 0
  /** What follows a line that could not be taken is not taken either: it would leave a gap for good. */
  #isBroken = false
  /** Resolves when what waits was taken, or could not be; `null`: nothing waits. */
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
