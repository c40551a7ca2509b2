import { ownLines } from './own-lines.ts'
import { type ProseUnit, readProseAndPlans } from './prose.ts'
import { type ReportEntry, readReportEntries } from './report.ts'
import { findReportBlocks, parseReportJson, reportText } from './report-blocks.ts'
import { findSpokenFiles } from './spoken-files.ts'
import { findPaths } from './spoken-paths.ts'
import { findExitSignal, findSpokenStatus, findUnknownStatus, type SpokenStatus } from './spoken-status.ts'
import { findSpokenValues } from './spoken-values.ts'
import { findAdmission, saysAlready, settleClaim, withoutCompletion } from './taken-back.ts'
import { namedTask, namesTask } from './task-name.ts'
import { readableLines } from './terminal-text.ts'
import { BY_TOOL } from './tool-report.ts'
import { type Claim, NO_CLAIM } from './types.ts'

export interface ExtractOptions {
  /** The tasks that the run was asked for. */
  readonly taskIds: readonly string[]
  /** Names of the configured probes: only for them does `name: value` in running text count. */
  readonly probeNames: readonly string[]
  /** What was reported by tool, in order: `readToolReport`. */
  readonly toolReports?: readonly ReportEntry[]
  /** What the agent was given to read: what stands in it word for word, and was printed again, is nobody's claim. */
  readonly prompt?: string
}

/** An agent ends with its report: of a longer output only the end is looked at. */
const MAX_CHARACTERS = 2 * 1024 * 1024
/** Running text is read more slowly than reports are found; what counts of it stands at the end as well. */
const MAX_TEXT_LINES = 20_000
/** The last report that names a task counts; whoever prints more of them than this means none of the first. */
const MAX_BLOCKS = 1000

/**
 * What an agent claims about each task it was asked for, by task id; every one of `taskIds` has an entry.
 *
 * The last report that names a task counts for it (with a single task, also one that names none), whether it came by tool or in
 * a `heartbeat-report` block; what was reported by tool came before what is said at the end, and a block in quote marks before both.
 * Where there is none, or the last block is not valid and nothing was reported by tool, a single task falls back to what the text says; of several, the text
 * does not tell which one it means, so they are left without a claim, with a note. Pure, linear in the output; never throws.
 */
export function extractClaims(output: string, options: ExtractOptions): ReadonlyMap<string, Claim> {
  const lines = readableLines(output.slice(-MAX_CHARACTERS))
  const found = readReports(lines, options)
  const [only, ...others] = options.taskIds
  const isSingle = only !== undefined && others.length === 0
  const claims = new Map<string, Claim>()
  for (const taskId of options.taskIds) {
    const { claim, notes } = claimFor(taskId, found, options.taskIds)
    if (isSingle) claims.set(taskId, besideText(taskId, claim, found.restLines, notes, options))
    else claims.set(taskId, claim ?? { ...NO_CLAIM, notes: [...notes, 'no report names this task'] })
  }
  return claims
}

/** One thing found in the reports, in order: an entry, or why a block has none. */
type Finding = { readonly entry: ReportEntry } | { readonly broken: string; readonly body: string }

interface Reports {
  readonly findings: readonly Finding[]
  /** The output without the reports that were understood. */
  readonly restLines: readonly string[]
}

function readReports(
  lines: readonly string[],
  { taskIds, toolReports = [], probeNames, prompt = '' }: ExtractOptions,
): Reports {
  const given = oneLine(prompt)
  // Who quotes a report shows one, if he makes one of his own beside it: what is quoted comes before all others.
  const quoted: Finding[] = []
  const said: Finding[] = toolReports.map((entry) => ({ entry }))
  const rest: (readonly string[])[] = []
  let position = 0
  for (const block of findReportBlocks(lines).slice(-MAX_BLOCKS)) {
    rest.push(lines.slice(position, block.firstLine))
    position = block.endLine
    // An agent that prints what it was given to read has said nothing by that.
    if (standsIn(given, block.body) || standsIn(given, reportText(block))) continue
    const findings = block.isQuoted ? quoted : said
    const json = parseReportJson(block)
    const entries = json.ok ? readReportEntries(json.value, probeNames, taskIds) : null
    if (entries !== null) findings.push(...entries.map((entry) => ({ entry })))
    else {
      // Without its fences, so that a report with a slip in it still says what it says.
      rest.push([''], block.body.split('\n'), [''])
      const reason = json.ok ? 'it is no object and no list of objects' : `not valid JSON (${json.reason})`
      findings.push({ broken: `the report could not be read: ${reason}`, body: block.body })
    }
  }
  return { findings: [...quoted, ...said], restLines: [...rest, lines.slice(position)].flat() }
}

function standsIn(given: string, body: string): boolean {
  if (given === '') return false
  const words = oneLine(body)
  return words !== '' && given.includes(words)
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** The claim of the last finding that is about a task; null, with what speaks against it, where the text has to do. */
function claimFor(
  taskId: string,
  { findings }: Reports,
  taskIds: readonly string[],
): { readonly claim: Claim | null; readonly notes: readonly string[] } {
  const isSingle = taskIds.length === 1
  const others = new Set<string>()
  const broken: string[] = []
  for (const finding of findings.toReversed()) {
    if ('broken' in finding) {
      // A report by tool was valid when it was made: a block that cannot be read takes nothing back.
      if (isSingle || namesTask(finding.body, taskId)) {
        if (!wasReportedByTool(taskId, findings)) return { claim: null, notes: [finding.broken] }
        broken.push(finding.broken)
      }
      continue
    }
    const { taskId: named, claim } = finding.entry
    if (named === null && isSingle)
      return { claim: { ...claim, notes: [...claim.notes, 'the report names no task'] }, notes: [] }
    if (named !== null && namedTask(named, taskIds) === taskId)
      return { claim: { ...claim, notes: [...claim.notes, ...broken] }, notes: [] }
    if (named !== null) others.add(named)
  }
  const names = [...others].slice(0, 3).join(', ')
  return { claim: null, notes: isSingle && names !== '' ? [`the report names another task: ${names}`] : [] }
}

function wasReportedByTool(taskId: string, findings: readonly Finding[]): boolean {
  return findings.some(
    (finding) =>
      'entry' in finding && finding.entry.claim.notes.includes(BY_TOOL) && finding.entry.taskId === taskId,
  )
}

/** Before a report or an exit signal only the last units are looked at for what is left: further up the agent is still at work. */
const FINAL_UNITS = 12

/** The claim of the only task: its report, or what the text says; what the text says is left takes a completion back. */
function besideText(
  taskId: string,
  reported: Claim | null,
  restLines: readonly string[],
  notes: readonly string[],
  { probeNames, prompt = '' }: ExtractOptions,
): Claim {
  const lines = ownLines(restLines.slice(-MAX_TEXT_LINES), prompt)
  const all = readProseAndPlans(lines)
  const units = all.filter(({ isPlan }) => isPlan !== true)
  const spoken = findSpokenStatus(units, taskId)
  const claim =
    reported === null
      ? readText(lines, units, spoken, notes, probeNames)
      : { ...reported, exitSignal: reported.exitSignal ?? signalOfLabel(reported, lines) }
  const unknown = reported === null ? (spoken.unknown ?? findUnknownStatus(lines)) : null
  if (unknown !== null) return withoutCompletion({ ...claim, source: 'text' }, `its status is "${unknown}"`)
  const done = units[spoken.at]
  const from = done === undefined ? all.length - FINAL_UNITS : all.indexOf(done)
  const last = all.slice(Math.max(0, from)).map(({ text }) => text)
  const settled = settleClaim(claim, findAdmission(last))
  const shows =
    claim.evidence.length > 0 || last.some((text) => saysAlready(text) && findPaths(text).length > 0)
  const isAlready = shows && [...claim.evidence, ...last].some(saysAlready)
  return isAlready ? { ...settled, alreadyTrue: true } : settled
}

/** A report without a signal of its own, and a line that gives one: `false` takes a completion back, `true` adds nothing. */
function signalOfLabel({ status }: Claim, lines: readonly string[]): false | null {
  return status === 'done' && findExitSignal(lines) === false ? false : null
}

function readText(
  lines: readonly string[],
  units: readonly ProseUnit[],
  { status }: SpokenStatus,
  notes: readonly string[],
  probeNames: readonly string[],
): Claim {
  const claim = {
    status,
    values: findSpokenValues(
      units.map(({ text }) => text),
      probeNames,
    ),
    files: findSpokenFiles(units),
    exitSignal: findExitSignal(lines),
  }
  const saysSomething =
    claim.status !== null ||
    claim.exitSignal !== null ||
    claim.files.length > 0 ||
    Object.keys(claim.values).length > 0
  return { ...NO_CLAIM, ...claim, source: saysSomething ? 'text' : 'none', notes }
}
