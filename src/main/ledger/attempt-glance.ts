import type { AttemptResult } from '../../core/record/events.ts'
import { attemptKeys, type TimelineKeys } from '../../core/record/timeline-attempt.ts'
import { FAULTS, type Fault } from '../../core/vocabulary/fault.ts'
import { VERDICTS, type Verdict } from '../../core/vocabulary/verdict.ts'

/** The number of an attempt's event, and the fields its timeline entries are filtered by. */
export interface GlancedAttempt {
  readonly seq: number
  readonly keys: readonly TimelineKeys[]
}

/** Matches the start of an attempt's line up to the task; a task with other characters is parsed in full. */
const START =
  /\{"seq":(\d{1,15}),"at":"[^"\\]{1,64}","day":"[^"\\]{1,64}","prev":"[0-9a-f]{64}","type":"attempt-finished","result":\{"attemptId":"[^"\\]{1,200}","cycle":(\d{1,15}),"taskId":"([ !#-[\]-~]{1,200})"/y
/** The end of a complete line: closes the result and the event. */
const END = '}}'

/**
 * Reads the fields of most attempts, if nothing was held and no intervention followed, without parsing. Parsing a line takes
 * ten times as long as finding five names in it, and searching a whole segment for a name takes a fraction of searching line by
 * line.
 * A quoted name in the text is always a name, since quotes within strings are escaped. A name that occurs twice may come from an
 * agent.
 */
export class AttemptGlance {
  /** One character per byte, so that offsets match. */
  readonly #text: string
  readonly #verdict: NameSearch
  readonly #contradiction: NameSearch
  readonly #fault: NameSearch
  readonly #interventions: NameSearch
  readonly #held: NameSearch

  /** `bytes`: one or more lines. */
  constructor(bytes: Buffer) {
    this.#text = bytes.toString('latin1')
    this.#verdict = new NameSearch(this.#text, 'verdict')
    this.#contradiction = new NameSearch(this.#text, 'groundTruthContradiction')
    this.#fault = new NameSearch(this.#text, 'fault')
    this.#interventions = new NameSearch(this.#text, 'interventions')
    this.#held = new NameSearch(this.#text, 'held')
  }

  /**
   * Returns the attempt in the line from `start` to `end` (its newline), or `null` if the line needs full parsing. Call it in the
   * order of the lines.
   */
  attempt(start: number, end: number): GlancedAttempt | null {
    const text = this.#text
    if (!text.startsWith(END, end - END.length)) return null
    START.lastIndex = start
    const [, seq, cycle, taskId = ''] = START.exec(text) ?? []
    if (seq === undefined || START.lastIndex > end) return null
    const interventions = this.#interventions.value(start, end)
    if (interventions === null || !text.startsWith('[]', interventions)) return null
    // Applies wherever the field is: held work is parsed in full, and so is a result without the field.
    const held = this.#held.value(start, end)
    if (held === null || !text.startsWith('null', held)) return null
    const verdict = this.#word(this.#verdict.value(start, end))
    const fault = this.#word(this.#fault.value(start, end))
    const contradiction = this.#contradiction.value(start, end)
    const isContradiction = contradiction !== null && text.startsWith('true', contradiction)
    if (!isContradiction && (contradiction === null || !text.startsWith('false', contradiction))) return null
    if (!isVerdict(verdict) || !isFault(fault)) return null
    const result: KeyedResult = {
      verdict,
      fault,
      groundTruthContradiction: isContradiction,
      held: null,
      cycle: Number(cycle),
      taskId,
      interventions: [],
    }
    return { seq: Number(seq), keys: attemptKeys(result) }
  }

  /** Returns the value there; `undefined` if it is neither a word nor null. */
  #word(at: number | null): string | null | undefined {
    if (at === null) return undefined
    if (this.#text.startsWith('null', at)) return null
    return this.#text[at] === '"' ? this.#text.slice(at + 1, this.#text.indexOf('"', at + 1)) : undefined
  }
}

type KeyedResult = Parameters<typeof attemptKeys>[0]

/** Finds a name in lines that are searched in order. */
class NameSearch {
  readonly #text: string
  /** The name without its opening quote: quotes are so frequent that a search for text that starts with one takes five times as long. */
  readonly #name: string
  /** Offset of the first occurrence not yet passed; Infinity if there is none. */
  #next: number

  constructor(text: string, name: string) {
    this.#text = text
    this.#name = `${name}":`
    this.#next = -1
  }

  /** Returns where its value begins; `null` if the name is not in the line, or occurs twice. */
  value(start: number, end: number): number | null {
    if (this.#next < start) this.#next = this.#find(start)
    const value = this.#next + this.#name.length
    if (value > end) return null
    this.#next = this.#find(value)
    return this.#next < end ? null : value
  }

  #find(from: number): number {
    for (
      let at = this.#text.indexOf(this.#name, from);
      at >= 0;
      at = this.#text.indexOf(this.#name, at + 1)
    ) {
      if (this.#text[at - 1] === '"') return at
    }
    return Number.POSITIVE_INFINITY
  }
}

function isVerdict(word: string | null | undefined): word is AttemptResult['verdict'] {
  return word === null || VERDICTS.includes(word as Verdict)
}

function isFault(word: string | null | undefined): word is AttemptResult['fault'] {
  return word === null || FAULTS.includes(word as Fault)
}
