import type { Command } from 'commander'
import { findingsInWords, unreviewedCount } from '../../core/vocabulary/unreviewed.ts'
import { chooseWorkspace } from '../choose-workspace.ts'
import { usageError } from '../cli-error.ts'
import type { CommandContext, RunCommand } from '../context.ts'

/** Adds `seen`, which lists unreviewed contradictions or marks them as reviewed. */
export function addSeenCommand(program: Command, run: RunCommand): void {
  program
    .command('seen')
    .description('list contradictions not reviewed, or mark them as reviewed; nothing is scored')
    .argument('[ATTEMPT]', 'the id of the attempt or turn to mark; without it, the list')
    .option('--all', 'mark all of the workspace')
    .action(run(seen))
}

async function seen(
  context: CommandContext,
  id?: unknown,
  { all = false }: { readonly all?: boolean } = {},
): Promise<0> {
  if (typeof id === 'string' && all)
    throw usageError('Give the id of an attempt or --all, not both: --all marks every attempt.')
  if (typeof id !== 'string' && !all) return listUnreviewed(context)
  const answer = await context.withHost(async (client) => {
    const { id: workspace } = await chooseWorkspace(context, client)
    return typeof id === 'string' ? client.attempts.seen({ workspace, id }) : client.seen.all({ workspace })
  })
  const { length: count } = answer.seen
  context.output.answer(answer, () => [
    count === 0
      ? 'Nothing to mark: it had been reviewed.'
      : `Marked as reviewed: ${findingsInWords(count, answer.others)}.`,
    ...(answer.unreviewed === 0
      ? []
      : [`${unreviewedCount(answer.unreviewed, answer.unreviewedOthers)} yet.`]),
  ])
  return 0
}

async function listUnreviewed(context: CommandContext): Promise<0> {
  const { unreviewed, unreviewedOthers, contradictions } = await context.withHost(async (client) =>
    client.workspaces.get({ id: (await chooseWorkspace(context, client)).id }),
  )
  const rest = unreviewed - contradictions.length
  context.output.answer({ unreviewed, contradictions }, (paint) =>
    unreviewed === 0
      ? ['No contradiction needs your review.']
      : [
          paint('bad', `${unreviewedCount(unreviewed, unreviewedOthers)}:`),
          ...contradictions.map(
            ({ id, because, words }) => `  ${because === 'contradiction' ? '≠' : '!'} ${id}  ${words}`,
          ),
          ...(rest > 0 ? [`  and ${rest} more`] : []),
          '`pulseward attempt ID` shows an attempt, `pulseward sessions` the turns; `pulseward seen ID` or `pulseward seen --all` marks them as reviewed.',
        ],
  )
  return 0
}
