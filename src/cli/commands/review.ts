import type { Command } from 'commander'
import type { ReviewAnswer } from '../../api/schemas/review.ts'
import type { HeldWork } from '../../core/read-model/held.ts'
import { formatPoints } from '../../core/scoring/format.ts'
import { HELD_WORDS } from '../../core/vocabulary/held.ts'
import { chooseWorkspace } from '../choose-workspace.ts'
import { usageError } from '../cli-error.ts'
import type { CommandContext, RunCommand } from '../context.ts'
import { columns, signed } from '../format.ts'

interface AnswerOptions {
  readonly always?: boolean
  readonly rigged?: boolean
  readonly putBack?: boolean
  readonly reason?: string
}

/** Adds `review`, `review accept`, `review refuse` and `review undo`. */
export function addReviewCommands(program: Command, run: RunCommand): void {
  program
    .command('review')
    .description(
      'show work held for review; `accept ID` or `refuse ID` decides it, `undo ID` undoes a decision',
    )
    .argument('[accept|refuse|undo]')
    .argument('[ID]', 'the attempt')
    .option('--always', 'accept, and always let the task change these files')
    .option('--rigged', 'refuse, and count it as a contradiction')
    .option('--put-back', 'refuse, and restore the files')
    .option('--reason <TEXT>', 'why: for the record, and for the agent if refused')
    .action(run(review))
}

async function review(
  context: CommandContext,
  word: string | undefined,
  id: string | undefined,
  options: AnswerOptions,
): Promise<0> {
  refuseUnheard(word, options)
  if (word === undefined) return list(context)
  if (word !== 'accept' && word !== 'refuse' && word !== 'undo')
    throw usageError(`Say accept, refuse or undo, not ${JSON.stringify(word)}.`)
  if (id === undefined)
    throw usageError(`Name the attempt: \`pulseward review ${word} ID\`. \`pulseward review\` lists them.`)
  const { always = false, rigged = false, putBack = false, reason } = options
  const answer = await context.withHost(async (client) => {
    const workspace = (await chooseWorkspace(context, client)).id
    return word === 'undo'
      ? client.review.undo({ workspace, id })
      : client.review.answer({ workspace, id, answer: word, always, rigged, putBack, reason })
  })
  context.output.answer(answer, () => answerLines(answer, word))
  return 0
}

/** Rejects options that contradict the answer. The host would refuse them too, but the list and `undo` never ask it. */
function refuseUnheard(word: string | undefined, options: AnswerOptions): void {
  const [first] = Object.keys(options)
  if (first === undefined || (word !== undefined && word !== 'undo')) return
  const flag = first === 'putBack' ? '--put-back' : `--${first}`
  throw usageError(
    `${flag} goes with an answer: \`pulseward review accept ID\` or \`pulseward review refuse ID\`. Leave it out.`,
  )
}

async function list(context: CommandContext): Promise<0> {
  const answer = await context.withHost(async (client) =>
    client.review.list({ workspace: (await chooseWorkspace(context, client)).id }),
  )
  context.output.answer(answer, () => heldLines(answer.held))
  return 0
}

function heldLines(held: readonly HeldWork[]): string[] {
  if (held.length === 0) return ['Nothing needs your review.']
  return [
    ...columns(
      held.map(({ attemptId, taskId, because, files }) => [
        attemptId,
        taskId,
        HELD_WORDS[because],
        files.slice(0, 3).join(', '),
      ]),
    ),
    'Accept with `pulseward review accept ID` (its files become the baseline), or refuse with `pulseward review refuse ID`.',
  ]
}

const DONE = { accept: 'Accepted', refuse: 'Refused', undo: 'Held again' } as const

function answerLines(
  { answered, delta, score, putBack, failed, mayChange }: ReviewAnswer,
  word: keyof typeof DONE,
): string[] {
  return [
    `${DONE[word]}: ${answered.join(', ')}. ${signed(delta)}: the score is ${formatPoints(score)}.`,
    ...putBack.map((path) => `Restored: ${path}`),
    ...failed.map(
      ({ path, reason }) => `Not ${word === 'accept' ? 'written' : 'restored'}: ${path}: ${reason}`,
    ),
    ...mayChange.map((glob) =>
      word === 'undo'
        ? `The task may still change ${glob}: HEARTBEAT.md could not be written. Remove it there.`
        : `The task may now change ${glob}.`,
    ),
  ]
}
