import { createActivityCollector } from '../../../core/activity/collect.ts'
import type { AgentActivity, AgentEvent, AgentEventOf } from '../../../core/activity/types.ts'
import { isOwnToolName } from '../../../core/agents/own-tools.ts'
import { AGENT_PROGRAMS, type PresetId } from '../../../core/agents/programs.ts'
import {
  eventIn,
  longText,
  type RawEvent,
  type StreamParser,
  shortText,
} from '../../../core/agents/streams/stream-parser.ts'
import { createBoundedOutput } from '../../process/bounded-output.ts'
import { createLineSplitter } from './line-splitter.ts'

/*
 * Reads what a program prints while it works. Every line is parsed separately; one that is not an event, or has an unknown type,
 * is counted and skipped: programs print banners, warnings and newer events among those we know.
 */

/** Creates a parser for the events of one run of `program`; without a stream format, no line is an event. */
export function createStreamParser(program: PresetId, words: readonly string[] = []): StreamParser {
  return AGENT_PROGRAMS[program].print?.stream?.createParser(words) ?? { parse: () => null }
}

/** How much of an agent's words is kept, head and tail: a report is at the end. */
const MAX_SAID_BYTES = 1024 * 1024

/** What was read so far. */
export interface StreamReading {
  /** The number of lines that were events, known or not. If there are none, the program does not use this format. */
  readonly events: number
  /** The latest end of turn that the program reported; `null`: none yet. */
  readonly final: AgentEventOf<'final'> | null
  /** Refused tools, without those that later succeeded. */
  readonly denials: readonly AgentEventOf<'permission'>[]
  /** Why the program keeps retrying its service, if that is its latest report; otherwise `null`. */
  readonly struggling: string | null
  /** Everything the agent said to the operator. */
  readonly said: string
  readonly activity: AgentActivity
}

export interface StreamReader {
  stdout(text: string): void
  stderr(text: string): void
  /** Called when we kill the program: any end of turn that it reports later does not count. */
  interrupt(): void
  /** Reads the last incomplete lines, and emits the program's final events. */
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
    // The whole text is in `said`; the event is for display, so its length is limited.
    const shown = event.kind === 'message' ? { ...event, text: longText(event.text) } : event
    collector.add(shown)
    onEvent(shown)
  }
  /** Limits the damage of a bug in a parser to one event. */
  const parse = (raw: RawEvent): readonly AgentEvent[] | null => {
    try {
      return parser.parse(raw)
    } catch {
      return null
    }
  }
  const takeLine = (line: string): void => {
    const raw = eventIn(line)
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

/** Some programs shut down cleanly when told to, and report that as the end of their turn. */
function afterOurSignal({ status, reason }: AgentEventOf<'final'>): AgentEvent {
  return { kind: 'warning', text: shortText(`Told to end, it said: ${status} (${reason})`) }
}

function isDenial(event: AgentEvent): event is AgentEventOf<'permission'> {
  return event.kind === 'permission' && event.decision !== 'allowed' && !isOwnToolName(event.tool)
}

/** Returns whether a refused tool was granted at a later try, so that the refusal stopped nothing. */
function wasDoneAfterAll(denial: AgentEventOf<'permission'>, calls: AgentActivity['calls']): boolean {
  return calls.some(
    (call) =>
      (call.kind === 'edit' && call.status === 'succeeded' && call.path === denial.target) ||
      (call.kind === 'command' && call.status === 'succeeded' && call.command === denial.target),
  )
}

/** Returns an event's type; Claude's system events also differ by subtype. */
function typeName(event: RawEvent): string {
  return typeof event.subtype === 'string' ? `${event.type}/${event.subtype}` : event.type
}
