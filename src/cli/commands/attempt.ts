import type { Command } from 'commander'
import type { z } from 'zod'
import type { attemptDetailSchema } from '../../core/read-model/attempt.ts'
import {
  checkCostInWords,
  checkInWords,
  costsInWords,
  longestChecks,
} from '../../core/read-model/cost-words.ts'
import type { Note } from '../../core/record/note.ts'
import { harmlessLine } from '../../core/text/harmless.ts'
import { cut, oneLine } from '../../core/text/quote.ts'
import { NOTE_ORIGIN_WORDS } from '../../core/vocabulary/note.ts'
import { chooseWorkspace } from '../choose-workspace.ts'
import { CliError } from '../cli-error.ts'
import type { CommandContext, RunCommand } from '../context.ts'
import { clockTime, columns, duration, signed, verdictGlyph } from '../format.ts'
import type { Paint } from '../output.ts'

type Attempt = z.infer<typeof attemptDetailSchema>

/** Lines of the output shown by default: the last ones, because they show how it ended. */
const SHOWN_LINES = 40
const SHOWN_FILES = 20
const MAX_NOTE = 500
const SHOWN_REASONS = 40
const MAX_REASON = 2000
/** An agent's claim can be of any length, so cells are cut to this. */
const MAX_CELL = 200

export function addAttemptCommand(program: Command, run: RunCommand): void {
  program
    .command('attempt')
    .description('show an attempt: its verdict, why, and what the agent said and did')
    .argument('[ID]', 'the id of the attempt (default: the newest)')
    .option('--full', 'all of the output that was kept')
    .action(run(attempt))
}

async function attempt(context: CommandContext, id?: unknown, options?: { full?: boolean }): Promise<0> {
  const found = await context.withHost(async (client) => {
    const workspace = (await chooseWorkspace(context, client)).id
    const newest =
      typeof id === 'string'
        ? id
        : (await client.attempts.list({ workspace, limit: 1 })).attempts[0]?.attemptId
    if (newest === undefined)
      throw new CliError(2, 'NOT_FOUND', 'There is no attempt yet: `pulseward run --once` makes one.')
    const notes = await client.notes.list({ workspace })
    const told = notes.filter(({ deliveredIn }) => deliveredIn === newest)
    const attempt = await client.attempts.get({ workspace, id: newest })
    // Shown at a terminal, it counts as reviewed; read by a program, it does not. If it cannot be marked, it stays unreviewed but is shown
    // anyway.
    if (attempt.isUnreviewed && context.output.isTerminal && !context.output.json)
      await client.attempts.seen({ workspace, id: newest, how: 'opened' }).catch(() => undefined)
    return { attempt, told }
  })
  context.output.answer(found.attempt, (paint) => describe(found, options?.full === true, paint))
  return 0
}

interface Found {
  readonly attempt: Attempt
  /** The operator's messages that were in its prompt, newest first. */
  readonly told: readonly Note[]
}

function describe({ attempt: found, told }: Found, isFull: boolean, paint: Paint): string[] {
  const { glyph, style } = verdictGlyph(found)
  const verdict = found.groundTruthContradiction
    ? 'contradiction'
    : (found.verdict ?? found.fault ?? 'no verdict')
  return [
    `${paint('strong', found.attemptId)}  ${found.taskId}  ${paint(style, `${glyph} ${verdict.replace('_', ' ')}`)}  ${signed(found.points)}`,
    `${found.agentId === '' ? '' : `${found.agentId}, `}${clockTime(found.startedAt, Date.now())}, ${duration(found.durationMs)} of ${duration(found.timeoutSeconds * 1000)}: ${found.outcome}`,
    ...(found.costs === null ? [] : [paint('quiet', costsInWords(found.costs))]),
    ...(found.overruled === null ? [] : [`Overruled by you: ${found.overruled.reason}`]),
    '',
    ...found.reasons.slice(0, SHOWN_REASONS).map((reason) => `- ${harmlessLine(reason, MAX_REASON)}`),
    ...(found.remedy === null ? [] : [paint('warning', `→ ${found.remedy}`)]),
    ...section('From the operator', told.toReversed().map(noteLine), paint),
    ...section('Claimed and measured', comparisonRows(found), paint),
    ...section(`Files changed (${found.filesChangedCount})`, listed(found.filesChanged), paint),
    ...section(
      'Interventions',
      found.interventions.map((one) => `  ${one.event_type} (${one.severity})${askedFor(one.details)}`),
      paint,
    ),
    ...section('Checks that took longest', costRows(found), paint),
    ...section('Output', outputLines(found.output, isFull), paint),
  ]
}

/** Describes the request that was refused. */
function askedFor({ asked_for: asked }: Record<string, unknown>): string {
  return typeof asked === 'string' ? `: asked for ${cut(oneLine(asked), MAX_NOTE)}` : ''
}

function section(title: string, lines: readonly string[], paint: Paint): string[] {
  return lines.length === 0 ? [] : ['', paint('strong', title), ...lines]
}

function noteLine({ text, from }: Note): string {
  return `  “${cut(oneLine(text), MAX_NOTE)}” (${NOTE_ORIGIN_WORDS[from]})`
}

function comparisonRows({ comparisons }: Attempt): string[] {
  const shown = (value: unknown): string =>
    value === undefined || value === null ? '–' : harmlessLine(String(value), MAX_CELL)
  return columns(
    comparisons.map(({ subject, claimed, measured, agrees }) => [
      `  ${agrees === false ? '≠' : agrees === true ? '=' : '?'} ${harmlessLine(subject, MAX_CELL)}`,
      shown(claimed),
      shown(measured),
    ]),
  )
}

function costRows({ costs }: Attempt): string[] {
  if (costs === null) return []
  return longestChecks(costs).map(
    (cost) => `  ${harmlessLine(checkInWords(cost), MAX_CELL)}: ${checkCostInWords(cost)}`,
  )
}

function listed(files: readonly string[]): string[] {
  const more = files.length - SHOWN_FILES
  return [
    ...files.slice(0, SHOWN_FILES).map((file) => `  ${harmlessLine(file, MAX_CELL)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ]
}

function outputLines(output: string | null, isFull: boolean): string[] {
  if (output === null) return ['  It is no longer kept.']
  const lines = output.trim().split('\n')
  const left = lines.length - SHOWN_LINES
  if (isFull || left <= 0) return lines
  return [`  … ${left} lines before: --full shows them`, ...lines.slice(-SHOWN_LINES)]
}
