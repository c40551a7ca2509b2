import type { Command } from 'commander'
import type { UndoAnswer } from '../../core/read-model/attempt.ts'
import { chooseWorkspace } from '../choose-workspace.ts'
import { usageError } from '../cli-error.ts'
import type { CommandContext, RunCommand } from '../context.ts'
import type { Paint } from '../output.ts'

const SHOWN_FILES = 20

/** Adds `undo`, which restores what an attempt changed, without affecting the score. */
export function addUndoCommand(program: Command, run: RunCommand): void {
  program
    .command('undo')
    .description('restore the files an attempt changed, untracked ones included; no points change')
    .argument('<ATTEMPT>', 'the id of the attempt')
    .option('--reason <TEXT>', 'why, in the next prompt of the task')
    .option('--redo', 'make the changes again')
    .action(run(undo))
}

async function undo(
  context: CommandContext,
  id?: unknown,
  { reason, redo = false }: { readonly reason?: string; readonly redo?: boolean } = {},
): Promise<0 | 1> {
  if (redo && reason !== undefined)
    throw usageError('--reason goes to the agent with a restore. Leave it out with --redo.')
  const answer = await context.withHost(async (client) => {
    const workspace = (await chooseWorkspace(context, client)).id
    const named = { workspace, id: String(id) }
    if (redo) return client.attempts.redo(named)
    return client.attempts.undo({ ...named, ...(reason !== undefined && { reason }) })
  })
  context.output.answer(answer, (paint) => describe(answer, redo, paint))
  return answer.putBack.length > 0 || answer.leftAlone.length === 0 ? 0 : 1
}

function describe(
  { attemptId, attemptIds, putBack, leftAlone }: UndoAnswer,
  redo: boolean,
  paint: Paint,
): string[] {
  const files = `${putBack.length} ${putBack.length === 1 ? 'file' : 'files'}`
  const others = attemptIds.filter((one) => one !== attemptId)
  const what = redo
    ? `Redone: ${files} as ${attemptId} left them.`
    : `Restored: ${files} as before ${attemptId}.`
  const hidden = putBack.length - SHOWN_FILES
  return [
    others.length === 0 ? what : `${what} It ran together with ${others.join(', ')}.`,
    ...putBack.slice(0, SHOWN_FILES).map((path) => `  ${path}`),
    ...(hidden > 0 ? [`  and ${hidden} more`] : []),
    ...leftAlone.map(({ path, reason }) => paint('warning', `! ${path} stays as it is: ${reason}.`)),
    ...(redo || putBack.length === 0
      ? []
      : [`Commits and ignored files stay. \`pulseward undo ${attemptId} --redo\` undoes this.`]),
  ]
}
