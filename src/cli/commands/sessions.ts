import type { Command } from 'commander'
import type { SessionView } from '../../core/read-model/session.ts'
import { shadowInWords, shownTurn, turnWords } from '../../core/read-model/session-words.ts'
import { SESSION_AGENT_NAMES } from '../../core/vocabulary/session.ts'
import { chooseWorkspace } from '../choose-workspace.ts'
import { type ExitCode, usageError } from '../cli-error.ts'
import type { CommandContext, RunCommand } from '../context.ts'
import { columns, workspaceTime } from '../format.ts'
import { wholeNumber } from '../number-option.ts'
import type { Paint, Style } from '../output.ts'

/** Adds `sessions`, `session task` and `session seen`. */
export function addSessionCommands(program: Command, run: RunCommand): void {
  program
    .command('sessions')
    .description('show what the agents that you run yourself did, and how their turns were judged')
    .option('--last <N>', 'maximum number of sessions (default: 20, at most 50)')
    .action(run(list))
  const session = program.command('session').description('name a session’s task, or mark it as seen')
  session
    .command('task')
    .argument('<ID>', 'a task of the contract; `none` to unset it')
    .description('name the task that a session is for, so that its check is judged too')
    .option('--session <ID>', 'the session (default: the one that was last heard from)')
    .action(run(nameTask))
  session
    .command('seen')
    .argument('[ID]', 'the session (default: all)')
    .description('mark what was left not verified as seen')
    .action(run(see))
}

async function list(context: CommandContext, options: { readonly last?: string }): Promise<ExitCode> {
  const last = wholeNumber('--last', options.last, 50) ?? 20
  const sessions = await context.withHost(async (client) => {
    const { id: workspace } = await chooseWorkspace(context, client)
    return (await client.sessions.list({ workspace, last })).sessions
  })
  context.output.answer({ sessions }, (paint) =>
    sessions.length === 0
      ? ['No session yet. Install the hook with `pulseward hook install`, then start your agent here.']
      : [...sessions.flatMap((session) => linesOf(session, paint)), ...summary(sessions)],
  )
  return 0
}

function linesOf(
  { agent, startedAt, sessionId, taskId, turns, silent }: SessionView,
  paint: Paint,
): string[] {
  const about = taskId === null ? '' : `, for ${taskId}`
  return [
    paint(
      'strong',
      `${SESSION_AGENT_NAMES[agent]}, ${workspaceTime(startedAt, Date.now())}${about} (${sessionId})`,
    ),
    ...columns(turns.map((turn) => ['  ', wordsOf(turn, paint), turn.reasons[0] ?? ''])),
    ...(silent === null ? [] : [`  ${paint('warning', silent)}`]),
  ]
}

function wordsOf(turn: SessionView['turns'][number], paint: Paint): string {
  return paint(styleOf(turn), turnWords(turn))
}

function styleOf(turn: SessionView['turns'][number]): Style {
  if (turn.stopped || turn.blocked) return 'bad'
  if (turn.wouldBlock) return 'warning'
  const kind = shownTurn(turn)
  if (kind === null) return 'quiet'
  return kind === 'verified' ? 'good' : kind === 'unclear' ? 'warning' : 'bad'
}

/** Summarizes what a gate would have done, to help decide on one. */
function summary(sessions: readonly SessionView[]): string[] {
  const words = shadowInWords(sessions)
  return words === null ? [] : [`Shadow: ${words}. Send agents back with: pulseward hook install --mode gate`]
}

async function nameTask(
  context: CommandContext,
  task: string,
  { session }: { readonly session?: string },
): Promise<ExitCode> {
  if (task.trim() === '') throw usageError('Name a task of the contract, or `none`.')
  const named = await context.withHost(async (client) => {
    const { id: workspace } = await chooseWorkspace(context, client)
    return client.sessions.name({
      workspace,
      task: task === 'none' ? null : task,
      ...(session && { session }),
    })
  })
  context.output.answer(named, () => [
    named.taskId === null ? 'The session is for no task any more.' : `The session is for ${named.taskId}.`,
  ])
  return 0
}

async function see(context: CommandContext, session: string | undefined): Promise<ExitCode> {
  const answer = await context.withHost(async (client) => {
    const { id: workspace } = await chooseWorkspace(context, client)
    return client.sessions.see({ workspace, ...(session !== undefined && { session }) })
  })
  context.output.answer(answer, () => ['Seen.'])
  return 0
}
