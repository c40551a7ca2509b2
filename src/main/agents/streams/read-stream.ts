import { createActivityCollector } from '../../../core/activity/collect.ts'
import type { AgentActivity, AgentEvent, AgentEventOf } from '../../../core/activity/types.ts'
import { isOwnToolName } from '../../../core/agents/own-tools.ts'
import { AGENT_PROGRAMS, type PresetId } from '../../../core/agents/programs.ts'
import {
  isObject,
  longText,
  type RawEvent,
  type StreamParser,
  shortText,
} from '../../../core/agents/streams/stream-parser.ts'
import { createBoundedOutput } from '../../process/bounded-output.ts'
import { createLineSplitter } from './line-splitter.ts'

/*
 * Reads what a program prints while it works. Every line is parsed by itself, and one that is no event, or of an unknown kind, is
 * counted and goes by: programs print banners, warnings and events of next month among those we know.
 */

/** Translates the events of one run of `program`; of one without a stream, no line is an event. */
export function createStreamParser(program: PresetId, words: readonly string[] = []): StreamParser {
  return AGENT_PROGRAMS[program].print?.stream?.createParser(words) ?? { parse: () => null }
}

/** Kept of what the agent said, head and tail: a report stands at the end. */
const MAX_SAID_BYTES = 1024 * 1024

/** What was read so far. */
export interface StreamReading {
  /** Lines that were events, known or not. With none, the program does not speak this format. */
  readonly events: number
  /** How the program says that its turn ended, the newest; `null` while it has not. */
  readonly final: AgentEventOf<'final'> | null
  /** Tools that were refused, less what the program did in the end all the same. */
  readonly denials: readonly AgentEventOf<'permission'>[]
  /** Why the program keeps asking its service again, where that is the newest it told; `null` where it goes on. */
  readonly struggling: string | null
  /** Everything the agent said to the operator. */
  readonly said: string
  readonly activity: AgentActivity
}

export interface StreamReader {
  stdout(text: string): void
  stderr(text: string): void
  /** We end the program from now on: however it says that its turn ended, that is no end of a turn. */
  interrupt(): void
  /** Reads what is left of the last lines, and says what a program says last. */
  end(): void
  reading(): StreamReading
}

const MAX_DENIALS = 50

/** Reads one run of `program`, started with these `words`; `onEvent` gets each event as it comes, and must not throw. */
export function createStreamReader(
  program: PresetId,
  onEvent: (event: AgentEvent) => void = () => {},
  words: readonly string[] = [],
): StreamReader {
  const parser = createStreamParser(program, words)
  const collector = createActivityCollector()
  const said = createBoundedOutput(MAX_SAID_BYTES)
  const denials: AgentEventOf<'permission'>[] = []
  let final: AgentEventOf<'final'> | null = null
  let struggling: string | null = null
  let events = 0
  let isInterrupted = false

  const take = (given: AgentEvent): void => {
    const event = isInterrupted && given.kind === 'final' ? afterOurSignal(given) : given
    if (event.kind === 'message') said.write(Buffer.from(`${event.text}\n\n`))
    if (event.kind === 'final') final = event
    struggling = event.kind === 'retry' ? event.reason : null
    if (isDenial(event) && denials.length < MAX_DENIALS) denials.push(event)
    // The whole text is in `said`; an event is to be shown, and may not be of any length.
    const shown = event.kind === 'message' ? { ...event, text: longText(event.text) } : event
    collector.add(shown)
    onEvent(shown)
  }
  /** A parser's mistake costs one event, not the supervisor. */
  const parse = (raw: RawEvent): readonly AgentEvent[] | null => {
    try {
      return parser.parse(raw)
    } catch {
      return null
    }
  }
  const takeLine = (line: string): void => {
    const raw = readEvent(line)
    if (raw === null) return
    events += 1
    const unknown: AgentEvent = { kind: 'unknown', type: shortText(typeName(raw)).slice(0, 100), text: '' }
    for (const event of parse(raw) ?? [unknown]) take(event)
  }
  const lines = createLineSplitter(takeLine)
  const errorLines = createLineSplitter((line) => parser.parseError?.(line).forEach(take))

  return {
    stdout: lines.write,
    stderr: errorLines.write,
    interrupt: () => {
      isInterrupted = true
    },
    end: () => {
      lines.end()
      errorLines.end()
      parser.end?.().forEach(take)
    },
    reading: () => ({
      events,
      final,
      denials: denials.filter((denial) => !wasDoneAfterAll(denial, collector.activity().calls)),
      struggling,
      said: said.read().text,
      activity: collector.activity(),
    }),
  }
}

/** Some programs end in good order when they are told to, and call that the end of their turn. */
function afterOurSignal({ status, reason }: AgentEventOf<'final'>): AgentEvent {
  return { kind: 'warning', text: shortText(`Told to end, it said: ${status} (${reason})`) }
}

function isDenial(event: AgentEvent): event is AgentEventOf<'permission'> {
  return event.kind === 'permission' && event.decision !== 'allowed' && !isOwnToolName(event.tool)
}

/** Refused once and granted at the next try: the refusal stopped nothing. */
function wasDoneAfterAll(denial: AgentEventOf<'permission'>, calls: AgentActivity['calls']): boolean {
  return calls.some(
    (call) =>
      (call.kind === 'edit' && call.status === 'succeeded' && call.path === denial.target) ||
      (call.kind === 'command' && call.status === 'succeeded' && call.command === denial.target),
  )
}

function readEvent(line: string): RawEvent | null {
  const text = line.trim()
  if (!text.startsWith('{')) return null
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) && typeof value.type === 'string' ? (value as RawEvent) : null
  } catch {
    return null
  }
}

/** Claude's system events are told apart by their subtype. */
function typeName(event: RawEvent): string {
  return typeof event.subtype === 'string' ? `${event.type}/${event.subtype}` : event.type
}
