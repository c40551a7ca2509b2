import { ownLines } from './own-lines.ts'
import { type ProseUnit, readProseAndPlans } from './prose.ts'
import { findSpokenFiles } from './prose-files.ts'
import { findPaths } from './prose-paths.ts'
import { findExitSignal, findSpokenStatus, findUnknownStatus, type SpokenStatus } from './prose-status.ts'
import { findSpokenValues } from './prose-values.ts'
import { type ReportEntry, readReportEntries } from './report.ts'
import { findReportBlocks, parseReportJson, reportText } from './report-blocks.ts'
import { findAdmission, saysAlready, settleClaim, withoutCompletion } from './taken-back.ts'
import { namedTask, namesTask } from './task-name.ts'
import { readableLines } from './terminal-text.ts'
import { BY_TOOL } from './tool-report.ts'
import { type Claim, NO_CLAIM } from './types.ts'

export interface ExtractOptions {
  /** The tasks that the agent was asked to do. */
  readonly taskIds: readonly string[]
  /** Names of the configured probes. In running text, `name: value` counts only for these. */
  readonly probeNames: readonly string[]
  /** The reports made by tool, in order; see `readToolReport`. */
  readonly toolReports?: readonly ReportEntry[]
  /** The text the agent was given. Verbatim repetitions of it are not claims. */
  readonly prompt?: string
}

/** Agents report at the end, so only the end of a longer output is read. */
const MAX_CHARACTERS = 2 * 1024 * 1024
/** Running text is slower to read than report blocks, and the part that counts is at the end too. */
const MAX_TEXT_LINES = 20_000
/** The last report that names a task counts, so in an output with more reports than this the first ones don't matter. */
const MAX_BLOCKS = 1000

/**
 * Returns what an agent claims about each task it was asked to do, by task id; every one of `taskIds` has an entry.
 *
 * For each task, the last report that names it counts (with a single task, also one that names none), whether it came from a
 * tool or a `heartbeat-report` block. Tool reports precede blocks in the text, and quoted blocks precede both. If there is no
 * report, or the last block is invalid and no tool reported anything, a single task's claim is read from the text. With
 * several tasks the text doesn't say which one it means, so they get a note instead of a claim. Pure, linear in the output;
 * never throws.
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

/** One thing found in the reports, in order: an entry, or why a block contains none. */
type Finding = { readonly entry: ReportEntry } | { readonly broken: string; readonly body: string }

interface Reports {
  readonly findings: readonly Finding[]
  /** The output without the reports that were parsed. */
  readonly restLines: readonly string[]
}

function readReports(
  lines: readonly string[],
  { taskIds, toolReports = [], probeNames, prompt = '' }: ExtractOptions,
): Reports {
  const given = oneLine(prompt)
  // A quoted report counts only if the agent makes none itself, so quoted ones come before all others.
  const quoted: Finding[] = []
  const said: Finding[] = toolReports.map((entry) => ({ entry }))
  const rest: (readonly string[])[] = []
  let position = 0
  for (const block of findReportBlocks(lines).slice(-MAX_BLOCKS)) {
    rest.push(lines.slice(position, block.firstLine))
    position = block.endLine
    // An agent that only repeats its prompt has said nothing.
    if (standsIn(given, block.body) || standsIn(given, reportText(block))) continue
    const findings = block.isQuoted ? quoted : said
    const json = parseReportJson(block)
    const entries = json.ok ? readReportEntries(json.value, probeNames, taskIds) : null
    if (entries !== null) findings.push(...entries.map((entry) => ({ entry })))
    else {
      // Keep the body without its fences, so that a report with a syntax error still counts as text.
      rest.push([''], block.body.split('\n'), [''])
      const reason = json.ok ? 'not an object or a list of objects' : `not valid JSON (${json.reason})`
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

/** Returns the claim of the last finding about a task; null, with the problem, if the text must decide. */
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
      // A report by tool was valid when it was made, so an unreadable block doesn't take it back.
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

/**
 * Before a report or an exit signal, only this many last units are searched for unfinished work: further up, the agent is still working.
 */
const FINAL_UNITS = 12

/**
 * Returns the claim of the only task: its report, or what the text says. Unfinished work named in the text takes a completion
 * back.
 */
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

/** Returns `false` if a line's exit signal takes back the completion of a report without its own signal; a `true` signal adds nothing. */
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
