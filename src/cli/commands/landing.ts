import type { Command } from 'commander'
import { type LandingView, whyNoDifference } from '../../core/read-model/landing.ts'
import { LANDING_ANSWERS, LANDING_WORDS, type LandingAnswer } from '../../core/vocabulary/landing.ts'
import { chooseWorkspace } from '../choose-workspace.ts'
import { usageError } from '../cli-error.ts'
import type { CommandContext, RunCommand } from '../context.ts'
import { columns } from '../format.ts'

const WORDS = ['list', 'show', ...LANDING_ANSWERS] as const

/** Adds `landing`, `landing list`, `landing show`, `landing land`, `landing drop` and `landing retry`. */
export function addLandingCommand(program: Command, run: RunCommand): void {
  program
    .command('landing')
    .description(
      'show verified work on its way to the target branch; `show ID` prints its difference, `land ID`, `drop ID` and `retry ID` decide',
    )
    .argument('[list|show|land|drop|retry]')
    .argument('[ID]', 'the attempt')
    .action(run(landing))
}

async function landing(context: CommandContext, word = 'list', id?: string): Promise<0> {
  const known = WORDS.find((each) => each === word)
  if (known === undefined)
    throw usageError(`Say list, show, land, drop or retry, not ${JSON.stringify(word)}.`)
  if (known === 'list') {
    if (id !== undefined)
      throw usageError('`pulseward landing list` takes no attempt: leave it out, or say `show`.')
    return list(context)
  }
  if (id === undefined)
    throw usageError(`Name the attempt: \`pulseward landing ${known} ID\`. \`pulseward landing\` lists them.`)
  return known === 'show' ? show(context, id) : answer(context, id, known)
}

async function list(context: CommandContext): Promise<0> {
  const found = await context.withHost(async (client) =>
    client.landing.list({ workspace: (await chooseWorkspace(context, client)).id }),
  )
  context.output.answer(found, () => listLines(found.landing))
  return 0
}

async function show(context: CommandContext, id: string): Promise<0> {
  const found = await context.withHost(async (client) =>
    client.landing.show({ workspace: (await chooseWorkspace(context, client)).id, id }),
  )
  context.output.answer({ landing: [found.landing], patch: found.patch }, () => [
    ...detailLines(found.landing),
    '',
    ...(whyNoDifference(found.patch) ?? found.patch ?? '').trimEnd().split('\n'),
  ])
  return 0
}

async function answer(context: CommandContext, id: string, word: LandingAnswer): Promise<0> {
  const answered = await context.withHost(async (client) =>
    client.landing.answer({ workspace: (await chooseWorkspace(context, client)).id, id, answer: word }),
  )
  context.output.answer({ landing: [answered.landing] }, () => detailLines(answered.landing))
  return 0
}

function listLines(landing: readonly LandingView[]): string[] {
  if (landing.length === 0) return ['No work is on its way.']
  const waits = landing.some(({ state, answers }) => state === 'waiting' && answers.includes('land'))
  return [
    ...columns(
      landing.map(({ attemptId, taskId, state, target, because }) => [
        attemptId,
        taskId,
        LANDING_WORDS[state],
        target,
        because,
      ]),
    ),
    ...(waits ? ['', '`pulseward landing land ID` lands verified work that is waiting.'] : []),
  ]
}

function detailLines({ attemptId, taskId, state, target, because, commit, conflict }: LandingView): string[] {
  return [
    `${attemptId} (${taskId}): ${LANDING_WORDS[state]}, target ${target}. ${because}.`,
    ...(commit === null ? [] : [`Commit: ${commit}`]),
    ...(conflict === null ? [] : [`Paths: ${conflict.paths.join(', ')}`, ...conflict.reasons]),
  ]
}
