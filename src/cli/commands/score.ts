import type { Command } from 'commander'
import type { ScoreHistory } from '../../core/read-model/score.ts'
import { formatPoints } from '../../core/scoring/format.ts'
import { VERDICTS } from '../../core/vocabulary/verdict.ts'
import { chooseWorkspace } from '../choose-workspace.ts'
import { usageError } from '../cli-error.ts'
import type { CommandContext, RunCommand } from '../context.ts'
import { columns, contradictionWords, scoreLine, signed } from '../format.ts'
import type { Paint } from '../output.ts'

/** Adds `score`, `history`, `feedback` and `overrule`. */
export function addScoreCommands(program: Command, run: RunCommand): void {
  program.command('score').description("show today's score").action(run(score))
  program.command('history').description('show today and the last seven days').action(run(history))
  program
    .command('feedback')
    .description('give thumbs up or down')
    .argument('<up|down>')
    .option('--attempt <ID>', 'the attempt it is about')
    .option('--note <TEXT>', 'why: the agent reads it too')
    .action(run(feedback))
  program
    .command('overrule')
    .description('replace the verifier’s verdict on an attempt with yours')
    .argument('<ATTEMPT>', 'the id of the attempt')
    .requiredOption('--verdict <VERDICT>', VERDICTS.join(', '))
    .requiredOption('--reason <TEXT>', 'why: for the record, and for the agent')
    .action(run(overrule))
}

async function score(context: CommandContext): Promise<0> {
  const answer = await context.withHost(async (client) =>
    client.score.get({ workspace: (await chooseWorkspace(context, client)).id }),
  )
  context.output.answer(answer, (paint) => [
    `Score ${scoreLine(answer, paint)}: ${answer.verified} verified, ${answer.failed} failed (${answer.contradictions} contradicted), ${answer.unclear} unclear`,
    `Streak ${answer.streakDays} ${answer.streakDays === 1 ? 'day' : 'days'}, floor ${answer.lifetime.targetFloor}, best day ${answer.lifetime.bestScore}`,
  ])
  return 0
}

async function history(context: CommandContext): Promise<0> {
  const answer = await context.withHost(async (client) =>
    client.score.history({ workspace: (await chooseWorkspace(context, client)).id }),
  )
  context.output.answer(answer, (paint) => describeHistory(answer, paint))
  return 0
}

/** Returns a line for each day: its score, what was counted, and whether the target was reached. */
export function describeHistory({ history: days, today, targetFloor }: ScoreHistory, paint: Paint): string[] {
  const rows = [...days, today].map((day) => [
    day.date,
    signed(day.score),
    `of ${day.target}`,
    `${day.verifiedCount} verified`,
    `${day.failedCount} failed`,
    contradictionWords(day.contradictionCount),
    day.targetReached ? 'reached' : '',
    day.overruledCount > 0 ? `${day.overruledCount} overruled` : '',
  ])
  return [...columns(rows), paint('quiet', `The target never falls below ${targetFloor}.`)]
}

async function feedback(
  context: CommandContext,
  direction: string,
  options: { attempt?: string; note?: string },
): Promise<0> {
  if (direction !== 'up' && direction !== 'down') {
    throw usageError(`Feedback is "up" or "down", not ${JSON.stringify(direction)}.`)
  }
  const answer = await context.withHost(async (client) =>
    client.score.feedback({
      workspace: (await chooseWorkspace(context, client)).id,
      feedback: direction,
      attemptId: options.attempt,
      note: options.note,
    }),
  )
  context.output.answer(answer, () => [
    `${signed(answer.delta)}: the score is ${formatPoints(answer.score)}.`,
  ])
  return 0
}

async function overrule(
  context: CommandContext,
  attempt: string,
  options: { verdict: string; reason: string },
): Promise<0> {
  const verdict = VERDICTS.find((name) => name === options.verdict)
  if (verdict === undefined) {
    throw usageError(`--verdict is one of ${VERDICTS.join(', ')}, not ${JSON.stringify(options.verdict)}.`)
  }
  if (options.reason.trim() === '') throw usageError('--reason is empty: say why, for the record.')
  const answer = await context.withHost(async (client) =>
    client.attempts.overrule({
      workspace: (await chooseWorkspace(context, client)).id,
      id: attempt,
      verdict,
      reason: options.reason,
    }),
  )
  context.output.answer(answer, () => [
    `${signed(answer.delta)}: the score is ${formatPoints(answer.score)}.`,
  ])
  return 0
}
