import type { Command } from 'commander'
import { chooseWorkspace } from '../choose-workspace.ts'
import type { CommandContext, RunCommand } from '../context.ts'

/** Adds `stop`, which ends the running attempt without scoring it. */
export function addStopCommand(program: Command, run: RunCommand): void {
  program
    .command('stop')
    .description('stop the running attempt now, without scoring it')
    .option('--attempt <ID>', 'only if this one is running')
    .action(run(stop))
}

async function stop(context: CommandContext, { attempt }: { readonly attempt?: string }): Promise<0> {
  const { running, name } = await context.withHost(async (client) => {
    const workspace = await chooseWorkspace(context, client)
    const now = { running: workspace.running?.attempt ?? null, name: workspace.name }
    const id = attempt ?? now.running?.attemptId
    // Between two attempts there is no attempt to name, so the heartbeat is stopped.
    if (id === undefined) await client.heartbeat.stop({ workspace: workspace.id })
    else await client.attempts.stop({ workspace: workspace.id, id })
    return now
  })
  const answer = {
    attemptId: running?.attemptId ?? null,
    taskId: running?.taskId ?? null,
    outcome: 'stopped' as const,
  }
  const what = answer.taskId === null ? 'the heartbeat' : answer.taskId
  context.output.answer(answer, () => [
    `Stopped ${what} of ${name}: nothing is scored. It runs again at the next heartbeat; \`pulseward pause\` delays that.`,
  ])
  return 0
}
