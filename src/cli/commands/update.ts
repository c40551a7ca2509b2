import type { Command } from 'commander'
import type { UpdateOutcome, UpdateStatus } from '../../core/update/status.ts'
import type { CommandContext, RunCommand } from '../context.ts'

/** Adds `update check|install|rollback`, which finds, installs and rolls back versions from this build's signed feed. */
export function addUpdateCommand(program: Command, run: RunCommand): void {
  const update = program
    .command('update')
    .description('show what is known about newer versions; fetches nothing until you ask')
    .action(
      run(async (context) => answer(context, await context.withHost((client) => client.updates.status()))),
    )
  update
    .command('check')
    .description('read the signed feed, and show what is new')
    .action(
      run(async (context) => answer(context, await context.withHost((client) => client.updates.check()))),
    )
  update
    .command('install')
    .description(
      'fetch a newer version, back up, and install it with the system’s installer; not while a heartbeat is running',
    )
    .argument('[VERSION]', 'the version (default: the newest)')
    .action(
      run(async (context, version: string | undefined) => {
        const input = version === undefined ? {} : { version }
        return tell(context, await context.withHost((client) => client.updates.install(input)))
      }),
    )
  update
    .command('rollback')
    .description('install the version that the latest update replaced')
    .action(
      run(async (context) => tell(context, await context.withHost((client) => client.updates.rollBack()))),
    )
}

function answer({ output }: CommandContext, status: UpdateStatus): 0 {
  output.answer(status, () => describe(status))
  return 0
}

function describe({ version, feed, checkedAt, problem, newer, before }: UpdateStatus): readonly string[] {
  const back = before === null ? [] : [`Back to ${before.version}: pulseward update rollback`]
  if (feed === null) return [`Pulseward ${version}. This build has no update source.`, ...back]
  if (checkedAt === null && problem === null) {
    return [`Pulseward ${version}. Not checked for updates yet: pulseward update check`, ...back]
  }
  const said = problem === null ? [] : [`The last check for updates failed: ${problem}`]
  const [newest] = newer
  if (newest === undefined)
    return [`Pulseward ${version} is the newest known (${checkedAt}).`, ...said, ...back]
  return [
    `Pulseward ${newest.version} is available; you run ${version}.`,
    ...newer.flatMap((release) => ['', `${release.version}, ${release.date}`, release.changes.trim()]),
    '',
    'Install it: pulseward update install',
    ...said,
    ...back,
  ]
}

function tell({ output }: CommandContext, outcome: UpdateOutcome): 0 {
  output.answer(outcome, () => {
    const { version, installed, command, notes } = outcome
    const done = installed
      ? [`Pulseward ${version} is installed.`]
      : [`Pulseward ${version} is fetched and verified. Run, when you like:`, `  ${command.join(' ')}`]
    return [...done, ...notes]
  })
  return 0
}
