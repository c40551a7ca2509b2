import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { shellCommand } from '../../core/text/command-words.ts'
import type { RunCommand } from '../context.ts'
import { refuseOtherWorkspace } from '../refuse-other-workspace.ts'

export function addSampleCommand(program: Command, run: RunCommand): void {
  program
    .command('sample')
    .description('write the sample workspace into a new folder')
    .argument('<DIR>', 'a folder that is empty or does not exist yet')
    .action(
      run(async (context, folder: string) => {
        const { output, machine, currentDirectory } = context
        await refuseOtherWorkspace(context, folder)
        const path = resolve(currentDirectory, folder)
        await machine.writeSample(path)
        output.answer({ path, contract: join(path, 'HEARTBEAT.md') }, () => [
          `The sample is in ${path}. Run its first heartbeat with:`,
          `  ${shellCommand(['pulseward', 'run', '--once', '--trust', '--workspace', path])}`,
        ])
        return 0
      }),
    )
}
