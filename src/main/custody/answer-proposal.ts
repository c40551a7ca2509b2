import { RequestProblem } from '../../api/request-problem.ts'
import type { ProposalItem } from '../../core/contract/proposal-items.ts'
import type { Proposal, WorkspaceState } from '../../core/record/state.ts'
import type { CustodyFile, ProposalDecision } from '../../core/vocabulary/proposal.ts'
import { sha256 } from '../files/sha256.ts'
import { type CustodyOptions, LOST, type SeenText } from './contract-parts.ts'
import { answered, type FileCustodyOptions, settled } from './file-custody.ts'

/** Names an item by its index in the proposal, or by its kind and task. */
export type ItemChoice = number | { readonly kind: string; readonly taskId?: string | null }

/** What answering needs, and where it writes. */
interface Answering {
  readonly options: CustodyOptions
  readonly files: Readonly<Record<CustodyFile, FileCustodyOptions>>
}

/** Returns the pending proposal with this id; throws a `RequestProblem` if there is none. */
export function pendingProposal({ proposals: all }: WorkspaceState, id: string): Proposal {
  const proposal = all.find((each) => each.id === id)
  if (proposal === undefined) {
    const known = all.filter(({ state }) => state === 'pending').map((each) => each.id)
    throw new RequestProblem(
      'not-found',
      `There is no proposal ${JSON.stringify(id)}; waiting are ${known.join(', ') || 'none'}.`,
    )
  }
  if (proposal.state === 'pending') return proposal
  throw new RequestProblem('conflict', `The proposal ${id} was ${proposal.state} already.`)
}

/** Answers items of a proposal about the contract. Rejects with a `RequestProblem`. */
export async function answerContract(
  { options, files }: Answering,
  proposal: Proposal,
  answer: ProposalDecision,
  items: readonly ProposalItem[],
  { base, disk }: { base: SeenText; disk: SeenText },
): Promise<void> {
  const { store, ledger, writeContract, contracts } = options
  const { rules } = files['HEARTBEAT.md']
  const texts = await contracts.answer(answer, base.text, disk.text, items)
  if (texts === null) {
    throw new RequestProblem(
      'unprocessable',
      'These changes cannot be taken apart from others at the same place. Answer the proposals that wait one after the other, whole, or edit HEARTBEAT.md yourself.',
    )
  }
  if (answer === 'accept') {
    const isDisk = texts.base === disk.text
    const hash = isDisk ? disk.hash : await store.keep(Buffer.from(texts.base))
    await ledger.append(
      answered(proposal, 'accepted', items, { base: hash, seen: null }),
      ...withoutItems(settled({ rules, ledger }, await rules.itemsOf(texts.base, disk.text)), proposal.id),
    )
    return
  }
  const bytes = texts.disk === base.text ? await store.read(base.hash) : Buffer.from(texts.disk)
  if (bytes === null) throw new RequestProblem('conflict', LOST)
  await store.keep(bytes)
  await writeContract(bytes)
  await ledger.append(
    answered(proposal, 'reverted', items, { base: null, seen: sha256(bytes) }),
    ...withoutItems(settled({ rules, ledger }, await rules.itemsOf(base.text, texts.disk)), proposal.id),
  )
}

/** Answers a proposal about the configuration, which can only be answered as a whole. Rejects with a `RequestProblem`. */
export async function answerConfiguration(
  { options, files, settle }: Answering & { readonly settle: () => Promise<void> },
  proposal: Proposal,
  answer: ProposalDecision,
  isWhole: boolean,
  { base, disk }: { base: SeenText; disk: SeenText },
): Promise<void> {
  const { store, ledger, writeConfiguration, approveConfiguration } = options
  if (!isWhole) {
    throw new RequestProblem(
      'unprocessable',
      'Changes of pulseward.toml are answered whole. To keep a part of them, edit the file and approve it.',
    )
  }
  if (answer === 'accept') {
    await approveConfiguration(disk.hash)
    await settle()
    return
  }
  const bytes = await store.read(base.hash)
  if (bytes === null) throw new RequestProblem('conflict', LOST)
  await writeConfiguration(bytes)
  const { rules } = files['pulseward.toml']
  await ledger.append(
    answered(proposal, 'reverted', proposal.items, { base: null, seen: base.hash }),
    ...withoutItems(settled({ rules, ledger }, []), proposal.id),
  )
}

/** Returns the items to answer: all if none are named. Throws a `RequestProblem`. */
export function chosenItems(
  proposal: Proposal,
  choices: readonly ItemChoice[] | undefined,
): readonly ProposalItem[] {
  if (choices === undefined) return proposal.items
  const isNamed = (choice: ItemChoice, item: ProposalItem, index: number): boolean =>
    typeof choice === 'number'
      ? choice === index
      : choice.kind === item.kind && (choice.taskId === undefined || choice.taskId === item.taskId)
  const areAllThere = choices.every((choice) =>
    proposal.items.some((item, index) => isNamed(choice, item, index)),
  )
  // Answering only the items that were found would be an answer that no one gave.
  if (choices.length > 0 && areAllThere)
    return proposal.items.filter((item, index) => choices.some((choice) => isNamed(choice, item, index)))
  const { length } = proposal.items
  throw new RequestProblem(
    'bad-request',
    `Not all of the changes named are in the proposal ${proposal.id}, which has ${length === 1 ? 'one' : length}. \`pulseward proposals show ${proposal.id}\` lists them.`,
  )
}

/** Removes events about this proposal, which gets its own answer. */
function withoutItems<T extends { readonly type: string }>(events: readonly T[], id: string): T[] {
  return events.filter((event) => !('id' in event && event.id === id))
}
