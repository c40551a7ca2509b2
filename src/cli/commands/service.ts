import type { Command } from 'commander'
import { CliError } from '../cli-error.ts'
import type { CommandContext, RunCommand } from '../context.ts'
import type { ServiceAction, ServiceState } from '../machine.ts'

/** Adds `service install|status|remove`, which runs `serve` as a user service that starts at login. */
export function addServiceCommand(program: Command, run: RunCommand): void {
  const service = program
    .command('service')
    .description('run `serve` as a user service, started when you log in')
  service
    .command('install')
    .description('install the service and start it; run again to update it')
    .action(run((context) => carryOut(context, 'install')))
  service
    .command('status')
    .description('show whether the service is installed and running')
    .action(run((context) => carryOut(context, 'status')))
  service
    .command('remove')
    .description('stop and remove the service; data is kept')
    .action(run((context) => carryOut(context, 'remove')))
}

async function carryOut(
  { machine, output, dataDirectory }: CommandContext,
  action: ServiceAction,
): Promise<0 | 1> {
  if (action === 'install') {
    const host = await machine.findHost(dataDirectory)
    const before = await machine.service('status', dataDirectory)
    if (host !== null && !before.running) {
      throw new CliError(
        3,
        'CONFLICT',
        `Pulseward runs already for ${dataDirectory} (process ${host.pid}), and two cannot own it. Quit that one first.`,
      )
    }
  }
  const state = await machine.service(action, dataDirectory)
  output.answer(state, () => describeState(state))
  return action === 'status' && !state.running ? 1 : 0
}

function describeState({ manager, file, installed, running, logs }: ServiceState): readonly string[] {
  if (!installed && !running)
    return [`No service is defined for ${manager} (${file}). Define it with: pulseward service install`]
  return [`${running ? 'Running' : 'Not running'}, by ${manager}: ${file}`, `Its log: ${logs}`]
}
