import type { Command } from 'commander'
import type { ProposalView } from '../../api/schemas/proposal.ts'
import { shownDifference } from '../../core/text/visible-text.ts'
import { PROPOSAL_DECISIONS, type ProposalDecision } from '../../core/vocabulary/proposal.ts'
import { chooseWorkspace } from '../choose-workspace.ts'
import { CliError, usageError } from '../cli-error.ts'
import type { CommandContext, RunCommand } from '../context.ts'
import { clockTime } from '../format.ts'
import type { Paint } from '../output.ts'

const ACTIONS = ['show', ...PROPOSAL_DECISIONS, 'undo'] as const
type Action = (typeof ACTIONS)[number]

/** Adds `proposals [show|accept|revert|undo ID]`. */
export function addProposalsCommand(program: Command, run: RunCommand): void {
  program
    .command('proposals')
    .description('show changes that an agent made to the contract or configuration while running')
    .argument('[ACTION]', `${ACTIONS.join(', ')} (default: list them)`)
    .argument('[ID]', 'of the proposal; optional if only one is waiting')
    .option('--items <LIST>', 'only these of its changes, by their numbers: 1,3')
    .action(run(proposals))
}

async function proposals(
  context: CommandContext,
  action: string | undefined,
  id: string | undefined,
  flags: { readonly items?: string },
): Promise<0> {
  if (action !== undefined && !isAction(action)) {
    throw usageError(`${JSON.stringify(action)} is not one of ${ACTIONS.join(', ')}.`)
  }
  if (action === 'accept' || action === 'revert') return answer(context, action, id, flags.items)
  if (flags.items !== undefined)
    throw usageError('--items goes with accept or revert: leave it out, or say which of the two.')
  if (action === 'undo') return takeBack(context, id)
  const found = await context.withHost(async (client) => {
    const { id: workspace } = await chooseWorkspace(context, client)
    return client.proposals.list({ workspace, all: action === 'show' && id !== undefined })
  })
  const shown = id === undefined ? found.proposals : found.proposals.filter((each) => each.id === id)
  if (id !== undefined && shown.length === 0) throw unknown(id, found.proposals)
  context.output.answer({ proposals: shown }, (paint) =>
    shown.length === 0
      ? ['Nothing is waiting: contract and configuration are in effect as they are.']
      : shown.flatMap((proposal) => describe(proposal, paint, action === 'show')),
  )
  return 0
}

async function answer(
  context: CommandContext,
  action: ProposalDecision,
  id: string | undefined,
  items: string | undefined,
): Promise<0> {
  const chosen = items === undefined ? undefined : numbersOf(items)
  const { answered, others } = await context.withHost(async (client) => {
    const { id: workspace } = await chooseWorkspace(context, client)
    const wanted = id ?? (await onlyOne(client.proposals.list({ workspace })))
    const answer = await client.proposals.answer({
      workspace,
      id: wanted,
      answer: action,
      ...(chosen === undefined ? {} : { items: chosen }),
    })
    const { proposals: listed } = await client.proposals.list({ workspace })
    return {
      answered: answer,
      others: listed.filter(
        ({ file, id: other, state }) => state === 'pending' && file === answer.file && other !== answer.id,
      ),
    }
  })
  context.output.answer({ proposals: [answered] }, () => [
    answered.state === 'pending'
      ? `A part of ${answered.id} was ${action === 'accept' ? 'accepted' : 'restored'}; ${answered.items.length} of its changes still need your review.`
      : action === 'accept'
        ? `Accepted: ${answered.file} takes effect with the next heartbeat.`
        : others.length === 0
          ? `Restored: ${answered.file} is as you left it.`
          : `Restored: the changes of ${answered.id} only. ${answered.file} still differs from how you left it by ${others.map((other) => other.id).join(', ')}.`,
  ])
  return 0
}

async function takeBack(context: CommandContext, id: string | undefined): Promise<0> {
  if (id === undefined) throw usageError('Name the proposal whose answer to undo.')
  const proposal = await context.withHost(async (client) => {
    const { id: workspace } = await chooseWorkspace(context, client)
    return client.proposals.undo({ workspace, id })
  })
  context.output.answer({ proposals: [proposal] }, () => [
    `Undone: ${proposal.id} needs your review again, and ${proposal.file} is as before the answer.`,
  ])
  return 0
}

async function onlyOne(list: Promise<{ readonly proposals: readonly ProposalView[] }>): Promise<string> {
  const waiting = (await list).proposals
  const [only, ...others] = waiting
  if (only === undefined) throw new CliError(2, 'NOT_FOUND', 'Nothing is waiting: there is no proposal.')
  if (others.length > 0)
    throw usageError(`Several are waiting; name one of ${waiting.map((each) => each.id).join(', ')}.`)
  return only.id
}

function describe(proposal: ProposalView, paint: Paint, withDiff: boolean): string[] {
  const { id, file, during, at, items, state, adds, diff } = proposal
  const waits = adds
    ? 'counts, and scores nothing until you accept it'
    : 'needs your review and does not count'
  return [
    `${paint(adds ? 'strong' : 'warning', id)}  ${file}, changed while ${during}, ${clockTime(at, Date.now())}: ${state === 'pending' ? waits : state}`,
    ...items.map(({ words }, index) => `  ${index + 1}. ${words}`),
    ...(withDiff && diff !== null ? ['', ...shownDifference(file, diff).trimEnd().split('\n')] : []),
    ...(state === 'pending' ? [`  pulseward proposals accept ${id}, or revert ${id}`] : []),
  ]
}

/** Returns proposal numbers, which start at 1 for people. */
function numbersOf(text: string): number[] {
  return text.split(',').map((part) => {
    const number = Number(part.trim())
    if (!Number.isInteger(number) || number < 1) {
      throw usageError(`--items is ${JSON.stringify(text)}; expected numbers such as 1,3.`)
    }
    return number - 1
  })
}

function isAction(text: string): text is Action {
  return (ACTIONS as readonly string[]).includes(text)
}

function unknown(id: string, known: readonly ProposalView[]): CliError {
  const ids = known.map((each) => each.id).join(', ') || 'none'
  return new CliError(2, 'NOT_FOUND', `There is no proposal ${JSON.stringify(id)}; known are ${ids}.`)
}
