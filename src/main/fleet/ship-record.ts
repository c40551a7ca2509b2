import { join } from 'node:path'
import type { Shipping } from '../../core/fleet/status.ts'
import { GENESIS_HASH } from '../ledger/line.ts'
import { type HubLine, HubSaysNo, type HubStream } from './hub-stream.ts'
import { BrokenRecord, LineReader } from './read-lines.ts'

/** A record that is sent to the hub. */
export interface RecordSource {
  readonly workspace: string
  readonly name: string
  /** `…/workspaces/<id>`. */
  readonly dataDirectory: string
  /** Returns the last line on disk. */
  seq(): number
}

/** Why sending has stopped for good; the operator is notified. */
interface Halt {
  readonly state: 'fork' | 'broken' | 'refused'
  readonly problem: string
}

const START = { seq: 0, hash: GENESIS_HASH, streamSeq: 0 }

/** Sends one record, line by line, starting after the hub's last line. */
export class RecordShipper {
  readonly source: RecordSource
  readonly #reader: LineReader
  /** The last line that the hub has confirmed; `null`: ask the hub. */
  #confirmed: HubLine | null = null
  #halt: Halt | null = null
  #isSending = false
  readonly #halted: (halt: Halt) => void

  constructor(source: RecordSource, halted: (halt: Halt) => void) {
    this.source = source
    this.#reader = new LineReader(join(source.dataDirectory, 'ledger'))
    this.#halted = halted
  }

  get status(): Shipping {
    const { source } = this
    const seq = source.seq()
    const shippedSeq = this.#confirmed?.seq ?? null
    const state =
      this.#halt?.state ?? (shippedSeq === seq ? 'shipped' : this.#isSending ? 'shipping' : 'waiting')
    return { workspace: source.workspace, state, shippedSeq, seq, problem: this.#halt?.problem ?? null }
  }

  get isDue(): boolean {
    return this.#halt === null && this.#confirmed?.seq !== this.source.seq()
  }

  /** Asks the hub again after a broken connection; it may accept what it refused before. */
  forget(): void {
    this.#confirmed = null
    if (this.#halt?.state === 'refused') this.#halt = null
  }

  /** Sends at most `limit` lines, and does not wait for all to be confirmed. A halt is not an error; rejects with connection errors. */
  async ship(stream: HubStream, limit: number): Promise<void> {
    this.#isSending = true
    try {
      const from = this.#confirmed ?? (await this.#startFrom(stream))
      this.#confirmed = from
      await this.#send(stream, from, Math.min(this.source.seq(), from.seq + limit))
    } catch (error) {
      const halt = haltOf(error, this.source)
      if (halt === null) throw error
      this.#halt = halt
      this.#halted(halt)
    } finally {
      this.#isSending = false
    }
  }

  async #send(stream: HubStream, from: HubLine, toSeq: number): Promise<void> {
    let { hash, streamSeq } = from
    for await (const line of this.#reader.lines(from.seq + 1, toSeq)) {
      if (line.prev !== hash) throw new BrokenRecord(`line ${line.seq} does not follow the one before`)
      streamSeq = await stream.send(this.source.workspace, line, streamSeq, (at) => {
        if (this.#confirmed !== null && at.seq > this.#confirmed.seq) this.#confirmed = at
      })
      hash = line.hash
    }
  }

  /** Returns the hub's last line, after checking that our own record has the same. */
  async #startFrom(stream: HubStream): Promise<HubLine> {
    const last = await stream.last(this.source.workspace)
    if (last === null) return START
    const seq = this.source.seq()
    if (last.seq > seq) throw new Fork(`the hub has ${last.seq} lines of it, but here are ${seq}`)
    for await (const line of this.#reader.lines(last.seq, last.seq))
      if (line.hash !== last.hash) throw new Fork(`line ${last.seq} at the hub differs from the one here`)
    return last
  }
}

class Fork extends Error {}

function haltOf(error: unknown, { name, workspace }: RecordSource): Halt | null {
  if (error instanceof Fork)
    return {
      state: 'fork',
      problem: `The record of ${name} and the hub's copy of it differ: ${error.message}. It was restored from a backup, or changed; nothing of it is sent any more. Check it with \`pulseward doctor\`; to send it from its beginning again, join with a new name.`,
    }
  if (error instanceof BrokenRecord)
    return {
      state: 'broken',
      problem: `The record of ${name} can't be sent any further: ${error.message}. Check it with \`pulseward doctor --workspace ${workspace}\`.`,
    }
  if (error instanceof HubSaysNo)
    return { state: 'refused', problem: `The hub refuses the record of ${name}. ${error.message}` }
  return null
}
