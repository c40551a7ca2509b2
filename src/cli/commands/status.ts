import type { Command } from 'commander'
import { chooseWorkspace } from '../choose-workspace.ts'
import { usageError } from '../cli-error.ts'
import type { CommandContext, RunCommand } from '../context.ts'
import { answerStatus } from '../describe-status.ts'
import { workspaceTime } from '../format.ts'

/** Adds `status`, `pause` and `resume`. */
export function addStatusCommands(program: Command, run: RunCommand): void {
  program
    .command('status')
    .description('show the next heartbeat, the standing, and the open and blocked tasks')
    .action(run(status))
  program
    .command('pause')
    .description('pause the heartbeats, until resumed or until a time')
    .option('--until <TIME>', 'such as 2030-01-31T18:00, or tomorrow')
    .action(run(pause))
  program
    .command('resume')
    .description('end a pause, or a suspension after you have reviewed what the agent did')
    .option('--reason <TEXT>', 'what you found, for the record')
    .action(run(resume))
}

async function status(context: CommandContext): Promise<0> {
  const { detail, unopened } = await context.withHost(async (client) => {
    const { id } = await chooseWorkspace(context, client)
    const [found, host] = await Promise.all([client.workspaces.get({ id }), client.status()])
    return { detail: found, unopened: host.unopened }
  })
  answerStatus(context.output, detail, unopened)
  return 0
}

async function pause(context: CommandContext, options: { until?: string }): Promise<0> {
  const workspace = await context.withHost(async (client) =>
    client.heartbeat.pause({
      workspace: (await chooseWorkspace(context, client)).id,
      until: options.until ?? null,
    }),
  )
  const until = workspace.paused?.until ?? null
  context.output.answer(workspace, () => [
    `${workspace.name} is paused${until === null ? '' : ` until ${workspaceTime(until, Date.now())}`}.`,
  ])
  return 0
}

async function resume(context: CommandContext, { reason }: { reason?: string }): Promise<0> {
  if (reason?.trim() === '') throw usageError('--reason is empty: say what you found, or leave it out.')
  const { workspace, lifted } = await context.withHost(async (client) => {
    const { id, paused, suspended } = await chooseWorkspace(context, client)
    if (suspended !== null) {
      await client.heartbeat.liftSuspension({
        workspace: id,
        reason: reason ?? 'Resumed from the command line',
      })
    }
    return {
      lifted: [...(suspended === null ? [] : ['suspension']), ...(paused === null ? [] : ['pause'])],
      workspace: await client.heartbeat.resume({ workspace: id }),
    }
  })
  context.output.answer({ ...workspace, lifted }, () => [
    lifted.length === 0
      ? `${workspace.name} was neither paused nor suspended. ${workspace.next.reason}`
      : `${workspace.name} resumed: ended the ${lifted.join(' and the ')}. ${workspace.next.reason}`,
  ])
  return 0
}
