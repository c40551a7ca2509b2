import type { Command } from 'commander'
import { chooseWorkspace } from '../choose-workspace.ts'
import { usageError } from '../cli-error.ts'
import type { CommandContext, RunCommand } from '../context.ts'

/** Adds `note`, which sends a message from the operator to the agent. */
export function addNoteCommand(program: Command, run: RunCommand): void {
  program
    .command('note <TEXT>')
    .description('send the agent a message in its next prompt')
    .option('--task <ID>', 'only in a prompt for this task (default: the next prompt of any task)')
    .action(run(note))
}

async function note(context: CommandContext, text: string, { task }: { readonly task?: string }): Promise<0> {
  if (text.trim() === '') throw usageError('The note is empty: say something.')
  const answer = await context.withHost(async (client) => {
    const { id: workspace } = await chooseWorkspace(context, client)
    return client.notes.add({ workspace, text, ...(task !== undefined && { taskId: task }) })
  })
  const about = answer.taskId === null ? '' : ` for ${answer.taskId}`
  context.output.answer(answer, () => [`Noted: it goes into the next prompt${about}.`])
  return 0
}
