import { isCheckedBox } from '../../core/contract/in-force.ts'
import {
  asksLess,
  boundItem,
  isAddition,
  itemKey,
  type ProposalItem,
  sayItem,
} from '../../core/contract/proposal-items.ts'
import type { EventBody } from '../../core/record/events.ts'
import type { Proposal } from '../../core/record/state.ts'
import type { CustodyFile, EditAuthor, ProposalOutcome } from '../../core/vocabulary/proposal.ts'
import { isFolderThere } from '../files/durable-file.ts'
import { sha256 } from '../files/sha256.ts'
import type { ContractReader } from '../ports/contract-reader.ts'
import type { Ledger } from '../ports/ledger.ts'
import type { Log } from '../ports/log.ts'
import type { TextStore } from './text-store.ts'

/** Limit for the items of one proposal; the rest goes into another. */
const MAX_ITEMS = 100
const MAX_PROPOSALS_AT_ONCE = 10
const MAX_PATCH_BYTES = 16 * 1024
const MAX_CHANGES = 50

/** Used as the hash of a file that is missing or cannot be read. */
export const MISSING = 'missing'

/** A text with the hash of its bytes. */
export interface KeptText {
  readonly text: string
  readonly hash: string
}

/** How one of the two files is read and compared. */
export interface FileRules {
  readonly file: CustodyFile
  /** Returns the file as it is on disk; `null` if it is missing or cannot be read. Never rejects. */
  readonly readDisk: () => Promise<{ readonly bytes: Buffer } | null>
  /** Returns why a path counts as missing although something is there: a link that is not followed. `null` if it does not. */
  readonly whyLedOut?: () => Promise<string | null>
  /** Returns every difference between two texts, including checked boxes. */
  readonly itemsOf: (before: string, after: string) => Promise<readonly ProposalItem[]>
  /** Returns the operator's version after they changed `seen` into `disk`; `null`: unchanged; `conflict`: it cannot be determined. */
  readonly mergeEdit: (base: string, seen: string, disk: string) => Promise<string | null | 'conflict'>
  /** Returns what an older version kept as last seen. */
  readonly formerlySeen: () => Promise<Buffer | null>
  /** True if it takes effect only once it is approved: the first version that is seen has no effect. */
  readonly isApproved: boolean
}

/** Who made a change that was just found. */
export type Author =
  | { readonly kind: 'operator'; readonly by: 'operator' | 'outside' }
  | {
      readonly kind: 'agent'
      readonly attemptIds: readonly string[]
      /** A phrase that follows "changed while". */
      readonly during: string
      readonly cycle: number | null
    }

/** The texts of a file after a look. */
export interface SeenFile {
  /** `null` if the operator's version is lost: its copy is missing or was altered. */
  readonly base: KeptText | null
  readonly disk: KeptText
  /** Items that this look proposed. */
  readonly proposed: readonly ProposalItem[]
}

export interface FileCustodyOptions {
  readonly rules: FileRules
  /** The workspace's folder. */
  readonly directory: string
  readonly ledger: Ledger
  readonly store: TextStore
  readonly log: Log
  readonly contracts: Pick<ContractReader, 'patch'>
  /** Returns a new id for a proposal. */
  readonly newId: () => string
}

/**
 * Looks at one file, and records what has changed: an operator's edit changes what is in effect, an agent's becomes a proposal. Must not be
 * called twice at once. Rejects if the ledger or the store cannot be written.
 */
export async function lookAtFile(
  options: FileCustodyOptions,
  findAuthor: () => Promise<Author>,
): Promise<SeenFile> {
  const { rules, ledger } = options
  const disk = await readDisk(rules)
  const known = await knownTexts(options, disk)
  if (known === null) {
    if (rules.isApproved) return { base: null, disk, proposed: [] }
    if (disk.hash !== MISSING) await recordFirst(options, disk, await findAuthor())
    return { base: disk.hash === MISSING ? null : disk, disk, proposed: [] }
  }
  const { base, seen } = known
  const isUnchanged = disk.hash === seen.hash && ledger.state.custody[rules.file] !== undefined
  if (isUnchanged && disk.hash === base?.hash) await keepDisk(options, disk)
  if (isUnchanged || base === null) return { base, disk, proposed: [] }
  // The whole folder is gone (deleted, moved, not mounted), and the file comes back with it.
  if (disk.hash === MISSING && !(await isFolderThere(options.directory))) return { base, disk, proposed: [] }
  const author = await findAuthor()
  // If the operator removed the file, what was in effect stays so once it is back.
  if (disk.hash === MISSING && author.kind === 'operator') return { base, disk, proposed: [] }
  return author.kind === 'agent'
    ? recordAgentEdit(options, { base, seen, disk }, author)
    : recordOperatorEdit(options, { base, seen, disk }, author.by)
}

interface ThreeTexts {
  readonly base: KeptText
  readonly seen: KeptText
  readonly disk: KeptText
}

async function readDisk(rules: FileRules): Promise<KeptText> {
  const reading = await rules.readDisk()
  return reading === null ? { text: '', hash: MISSING } : keptText(reading.bytes)
}

export function keptText(bytes: Buffer): KeptText {
  return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), hash: sha256(bytes) }
}

async function knownTexts(
  { rules, ledger, store }: FileCustodyOptions,
  disk: KeptText,
): Promise<{ readonly base: KeptText | null; readonly seen: KeptText } | null> {
  const known = ledger.state.custody[rules.file]
  if (known === undefined || known.base === null) {
    const bytes = await rules.formerlySeen()
    if (bytes === null) return null
    const former = keptText(bytes)
    await store.keep(bytes)
    return { base: former, seen: known?.seen === disk.hash ? disk : former }
  }
  const read = async (hash: string | null): Promise<KeptText | null> => {
    if (hash === disk.hash) return disk
    if (hash === MISSING) return { text: '', hash: MISSING }
    const bytes = hash === null ? null : await store.read(hash)
    return bytes === null ? null : keptText(bytes)
  }
  const base = await read(known.base)
  return { base, seen: (await read(known.seen)) ?? base ?? disk }
}

async function recordFirst(options: FileCustodyOptions, disk: KeptText, author: Author): Promise<void> {
  const { rules, ledger } = options
  await keepDisk(options, disk)
  const by = author.kind === 'operator' ? author.by : 'outside'
  const changes = (await rules.itemsOf('', disk.text))
    .filter(({ kind }) => kind === 'task_added')
    .map(sayItem)
  await ledger.append({
    ...editEvent(options, { by, hash: disk.hash, previousHash: null, changes }),
    base: disk.hash,
    patch: null,
  })
  await pruneStore(options)
}

async function recordOperatorEdit(
  options: FileCustodyOptions,
  texts: ThreeTexts,
  by: 'operator' | 'outside',
): Promise<SeenFile> {
  const { rules, ledger, store } = options
  const { base, seen, disk } = texts
  const merged = await rules.mergeEdit(base.text, seen.text, disk.text)
  await keepDisk(options, disk)
  const edit = await describeEdit(options, texts, by)
  if (merged === 'conflict') return recordConflict(options, texts, edit)
  let next = base
  if (merged === disk.text) next = disk
  else if (merged !== null) next = { text: merged, hash: await store.keep(Buffer.from(merged)) }
  await ledger.append(
    { ...edit, ...(next === base ? {} : { base: next.hash }) },
    ...settled(options, await rules.itemsOf(next.text, disk.text)),
  )
  await pruneStore(options)
  return { base: next, disk, proposed: [] }
}

/** Adds the edit to the pending proposals: nothing of it is lost, and nothing of it takes effect. */
async function recordConflict(
  options: FileCustodyOptions,
  { base, seen, disk }: ThreeTexts,
  edit: EventBody,
): Promise<SeenFile> {
  const { rules, ledger } = options
  const fresh = await freshItems(rules, base, seen, disk)
  await ledger.append(
    edit,
    ...(await proposals(
      options,
      fresh,
      { seen, disk },
      { attemptIds: [], during: 'you edited a line that waits for your answer', cycle: null },
    )),
    {
      type: 'diagnostic-raised',
      code: 'proposal-conflict',
      taskId: null,
      message: `Your edit of ${rules.file} touches what an agent changed at the same place, so nothing of it counts yet. Accept or revert the proposals first (\`pulseward proposals\`).`,
    },
  )
  return { base, disk, proposed: [] }
}

async function recordAgentEdit(
  options: FileCustodyOptions,
  texts: ThreeTexts,
  author: Extract<Author, { kind: 'agent' }>,
): Promise<SeenFile> {
  const { rules, ledger } = options
  const { base, seen, disk } = texts
  const fresh = (await freshItems(rules, base, seen, disk)).filter((item) => !isCheckedBox(item))
  await keepDisk(options, disk)
  const events = [
    await describeEdit(options, texts, 'agent', author),
    ...settled(options, await rules.itemsOf(base.text, disk.text)),
    ...(await proposals(options, fresh, texts, author)),
    ...(await ledOutEvents(rules, disk)),
  ]
  await ledger.append(...events)
  await pruneStore(options)
  return { base, disk, proposed: fresh }
}

/** Returns the events if an agent replaced the file with a link. Its target was not read, which the operator is told. */
async function ledOutEvents(rules: FileRules, disk: KeptText): Promise<EventBody[]> {
  const message = disk.hash === MISSING ? ((await rules.whyLedOut?.()) ?? null) : null
  return message === null
    ? []
    : [{ type: 'diagnostic-raised', code: 'contract-unreadable', taskId: null, message }]
}

/** Returns what differs from the operator's text now and did not before. */
async function freshItems(
  rules: FileRules,
  base: KeptText,
  seen: KeptText,
  disk: KeptText,
): Promise<readonly ProposalItem[]> {
  const before = new Set((await rules.itemsOf(base.text, seen.text)).map(itemKey))
  return (await rules.itemsOf(base.text, disk.text)).filter((item) => !before.has(itemKey(item)))
}

/**
 * Returns the events that make proposals of the items, with additions apart from the rest, so that one can be reverted without the other.
 */
export async function proposals(
  { rules, newId, contracts }: Pick<FileCustodyOptions, 'rules' | 'newId' | 'contracts'>,
  items: readonly ProposalItem[],
  { seen, disk }: Pick<ThreeTexts, 'seen' | 'disk'>,
  { attemptIds, during, cycle }: Omit<Extract<Author, { kind: 'agent' }>, 'kind'>,
): Promise<EventBody[]> {
  const groups = [
    items.filter((item) => !isAddition(item)),
    items.filter((item) => isAddition(item)),
  ].flatMap((group) => chunks(group, MAX_ITEMS))
  if (groups.length === 0) return []
  const diff = await contracts.patch(rules.file, seen.text, disk.text, MAX_PATCH_BYTES)
  return groups.slice(0, MAX_PROPOSALS_AT_ONCE).map((group) => ({
    type: 'proposal-made',
    id: newId(),
    file: rules.file,
    attemptIds: [...attemptIds],
    during,
    cycle,
    adds: group.every(isAddition),
    asksLess: group.some(asksLess),
    items: group.map(boundItem),
    diff,
  }))
}

function chunks<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  )
}

/** Returns the events for pending items that are no longer on disk as proposed: the operator or a later agent has changed them since. */
export function settled(
  { rules, ledger }: Pick<FileCustodyOptions, 'rules' | 'ledger'>,
  standing: readonly ProposalItem[],
): EventBody[] {
  const keys = new Set(standing.map(itemKey))
  const waiting = ledger.state.proposals.filter(
    (each) => each.file === rules.file && each.state === 'pending',
  )
  return waiting.flatMap((proposal): EventBody[] => {
    const items = proposal.items.filter((item) => !keys.has(itemKey(item)))
    return items.length === 0 ? [] : [answered(proposal, 'settled', items)]
  })
}

/** Returns the event of an answer to these items of a proposal. */
export function answered(
  proposal: Proposal,
  answer: ProposalOutcome,
  items: readonly ProposalItem[],
  hashes: { readonly base: string | null; readonly seen: string | null } = { base: null, seen: null },
): EventBody {
  const keys = new Set(items.map(itemKey))
  const left = proposal.items.filter((item) => !keys.has(itemKey(item)))
  return { type: 'proposal-answered', id: proposal.id, answer, items: [...items], left, ...hashes }
}

async function describeEdit(
  options: FileCustodyOptions,
  { seen, disk }: ThreeTexts,
  by: EditAuthor,
  author?: { readonly during: string },
): Promise<Extract<EventBody, { type: 'contract-edited' }>> {
  const { rules, contracts } = options
  const items = await rules.itemsOf(seen.text, disk.text)
  const changes = items
    .filter(({ kind }) => kind !== 'criterion_box' && !kind.startsWith('note'))
    .map(sayItem)
  return {
    ...editEvent(options, { by, hash: disk.hash, previousHash: seen.hash, changes }),
    patch: await contracts.patch(rules.file, seen.text, disk.text, MAX_PATCH_BYTES),
    ...(author === undefined ? {} : { during: author.during }),
  }
}

function editEvent(
  { rules, ledger }: FileCustodyOptions,
  edit: {
    readonly by: EditAuthor
    readonly hash: string
    readonly previousHash: string | null
    readonly changes: readonly string[]
  },
): Extract<EventBody, { type: 'contract-edited' }> {
  const more = edit.changes.length - MAX_CHANGES
  const changes =
    more > 0 ? [...edit.changes.slice(0, MAX_CHANGES), `And ${more} more changes.`] : edit.changes
  return {
    type: 'contract-edited',
    cycle: ledger.state.running?.cycle ?? null,
    patch: null,
    ...edit,
    changes: [...changes],
    ...(rules.file === 'HEARTBEAT.md' ? {} : { file: rules.file }),
  }
}

async function keepDisk({ rules, store }: FileCustodyOptions, disk: KeptText): Promise<void> {
  if (disk.hash === MISSING || (await store.read(disk.hash)) !== null) return
  const reading = await rules.readDisk()
  // The file has changed again; the next look will see that.
  if (reading !== null && sha256(reading.bytes) === disk.hash) await store.keep(reading.bytes)
  else await store.keep(Buffer.from(disk.text))
}

async function pruneStore({ ledger, store }: FileCustodyOptions): Promise<void> {
  const { custody, lastAnswer } = ledger.state
  // Keep what the last answer replaced, so that it can be undone.
  const kept = [...Object.values(custody), ...(lastAnswer === undefined ? [] : [lastAnswer.before])]
  const hashes = kept.flatMap(({ base, seen }) => [base, seen])
  await store.prune(new Set(hashes.filter((hash) => hash !== null)))
}
