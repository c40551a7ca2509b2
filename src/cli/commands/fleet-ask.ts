import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { AskAnswer } from '../../core/fleet/ask.ts'
import { hostNameSchema } from '../../core/fleet/names.ts'
import { counted, formatPoints } from '../../core/scoring/format.ts'
import { ASK_ACTIONS, ASK_WORDS, type AskAction } from '../../core/vocabulary/fleet.ts'
import { CliError, usageError } from '../cli-error.ts'
import type { CommandContext, RunCommand } from '../context.ts'

interface AskOptions {
  readonly passFile?: string
  readonly reason?: string
  readonly until?: string
}

/** Actions that are about one task, attempt or proposal. */
const ABOUT_ONE: ReadonlySet<AskAction> = new Set(['unblock', 'accept', 'refuse'])

/** Adds `fleet ask`, which acts on another host's workspace. */
export function addAskCommand(fleet: Command, run: RunCommand): void {
  fleet
    .command('ask')
    .description('send a request to a host of the fleet, with an operator’s pass')
    .argument('<HOST>', 'its name in the hub')
    .argument('<WORKSPACE>', 'its name, or its id')
    .argument('<ACTION>', ASK_ACTIONS.join(', '))
    .argument('[ID]', 'the task to unblock; the attempt or proposal to accept or refuse')
    .option(
      '--pass-file <FILE>',
      'what `fleet hub operator` printed (default: operator.pass in the data folder)',
    )
    .option('--reason <TEXT>', 'for the record')
    .option('--until <TIME>', 'for a pause: ISO 8601 or tomorrow (default: until it is resumed)')
    .action(run(ask))
}

async function ask(
  context: CommandContext,
  host: string,
  workspace: string,
  action: string,
  id: string | undefined,
  { passFile, reason, until }: AskOptions,
): Promise<0> {
  if (!isAction(action))
    throw usageError(`${JSON.stringify(action)} is not one of ${ASK_ACTIONS.join(', ')}.`)
  if (until !== undefined && action !== 'pause')
    throw usageError(`--until is only for a pause: omit it with ${action}.`)
  if (id !== undefined && !ABOUT_ONE.has(action))
    throw usageError(`${action} is about the whole workspace: leave out ${JSON.stringify(id)}.`)
  if (!hostNameSchema.safeParse(host).success)
    throw usageError(
      `${JSON.stringify(host)} is not the name of a host: \`pulseward fleet hosts\` lists them.`,
    )
  const { currentDirectory, dataDirectory, machine } = context
  const pass =
    passFile === undefined ? resolve(dataDirectory, 'operator.pass') : resolve(currentDirectory, passFile)
  const wanted = { host, workspace, action, about: id ?? null, until: until ?? null, reason: reason ?? null }
  const answer = await (await machine.hub()).ask(pass, wanted)
  if (answer.kind !== 'done') throw new CliError(2, codeOf(answer), `${host}: ${answer.problem}`)
  context.output.answer(answer.workspace, () => {
    const { name, score, shield, needs } = answer.workspace
    // Hosts of earlier versions don't report the effect.
    const effect = answer.effect ?? `it was asked to ${ASK_WORDS[action]}, and did not report the result.`
    const done = action === 'look' ? [] : [`${host}: ${effect}`]
    return [
      ...done,
      `${name}: ${formatPoints(score.score)} of ${score.target}, ${shield}, ${counted(needs.length, 'decision')}`,
    ]
  })
  return 0
}

function codeOf(answer: AskAnswer): string {
  return answer.kind === 'refused' ? 'FORBIDDEN' : 'CONFLICT'
}

function isAction(word: string): word is AskAction {
  return (ASK_ACTIONS as readonly string[]).includes(word)
}
