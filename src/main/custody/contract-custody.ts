import { join } from 'node:path'
import { RequestProblem } from '../../api/request-problem.ts'
import { itemKey, type ProposalItem } from '../../core/contract/proposal-items.ts'
import type { Proposal } from '../../core/record/state.ts'
import { CUSTODY_FILES, type CustodyFile, type ProposalDecision } from '../../core/vocabulary/proposal.ts'
import { sha256 } from '../files/sha256.ts'
import type { ContractCustody, ContractFile, SupervisedRun } from '../ports/contract-custody.ts'
import { createSerializer } from '../process/serialize.ts'
import {
  answerConfiguration,
  answerContract,
  chosenItems,
  type ItemChoice,
  pendingProposal,
} from './answer-proposal.ts'
import { type AgentAuthor, ChangeAuthors, isAgent } from './change-authors.ts'
import {
  type CustodyOptions,
  configurationRules,
  contractRules,
  LOST,
  type SeenText,
} from './contract-parts.ts'
import {
  type Author,
  answered,
  type FileCustodyOptions,
  keptText,
  lookAtFile,
  MISSING,
  proposals,
  type SeenFile,
  settled,
} from './file-custody.ts'
import { lastAnswerTo } from './last-answer.ts'
import type { KnownFile } from './unchanged-files.ts'
import { weakeningOf } from './weakening.ts'

/** The custody of one workspace's contract and configuration. */
export interface WorkspaceCustody extends ContractCustody {
  /** Records what has changed on disk; `operator`: they have just written it through the app. */
  look(by?: 'operator'): Promise<void>
  /**
   * Writes one of the two files for the operator. No other edit, answer or look comes between what `write` reads and what is
   * recorded: of two edits of the same text only one is written, and a look can't attribute the operator's text to an agent.
   */
  edit(write: () => Promise<void>): Promise<void>
  /** Answers a proposal, or some of its items. Rejects with a `RequestProblem`. */
  answer(id: string, answer: ProposalDecision, items?: readonly ItemChoice[]): Promise<Proposal>
  /** Undoes the last answer if nothing has changed since. Rejects with a `RequestProblem`. */
  undoAnswer(id: string, nowMs: number): Promise<Proposal>
  /** Takes what is on disk as the operator's version, for a file with a lost copy. */
  rebase(): Promise<void>
  readonly isBaseLost: boolean
  /** Returns the contract in force as of the last look, without recording anything. `null` if nothing has been kept yet, or it is lost. */
  glance(): Promise<ContractFile | null>
  /** Returns the contract's text as it was last in force, whether the file exists or not; `null` if no copy is kept. */
  lastText(): Promise<string | null>
  /** Called when the configuration was approved as it is on disk: settles all proposals about it. */
  approved(): Promise<void>
  close(): void
}

export function createContractCustody(options: CustodyOptions): WorkspaceCustody {
  return new Custody(options)
}

/*
 * Invariants:
 * 1. Any difference between the baseline and the disk comes from an agent: an operator's edit updates the baseline before
 *    anything relies on it.
 * 2. Only one comparison runs at a time (`alone`): two that find the same change must not both record it.
 * 3. Only an operator's edit or answer updates the baseline.
 */
class Custody implements WorkspaceCustody {
  isBaseLost = false
  private readonly options: CustodyOptions
  private readonly files: Readonly<Record<CustodyFile, FileCustodyOptions>>
  private readonly unwatch: () => void
  private readonly alone = createSerializer()
  private run: SupervisedRun | null = null
  /** Keys of the boxes that agents had checked before the run began. */
  private boxesBefore: ReadonlySet<string> = new Set()
  private readonly authors: ChangeAuthors
  private inForceCache: { readonly key: string; readonly file: ContractFile } | null = null

  constructor(options: CustodyOptions) {
    this.options = options
    this.authors = new ChangeAuthors(options, (forget) =>
      this.alone(async () => {
        await this.lookAll()
        forget()
      }),
    )
    const { directory, ledger, store, log, newId, contracts } = options
    const parts = { directory, ledger, store, log, newId, contracts }
    this.files = {
      'HEARTBEAT.md': { rules: contractRules(options), ...parts },
      'pulseward.toml': { rules: configurationRules(options), ...parts },
    }
    this.unwatch = options.agentsAtWork.watch({
      id: options.workspaceId,
      directory: options.directory,
      look: () => this.look(),
      known: () => this.known(),
    })
  }

  inForce(): Promise<ContractFile> {
    return this.alone(async () => {
      const found = await this.lookAll()
      const reading = await this.options.readContract()
      const { base, disk } = found['HEARTBEAT.md']
      if (this.isBaseLost || base === null) {
        if (!this.isBaseLost && 'reason' in reading) return { ok: false, reason: reading.reason }
        return { ok: false, reason: LOST }
      }
      if ('reason' in reading && !this.isTakenAway()) return { ok: false, reason: reading.reason }
      return this.fileInForce(base, disk)
    })
  }

  async glance(): Promise<ContractFile | null> {
    const { store, ledger, readContract } = this.options
    const hash = ledger.state.custody['HEARTBEAT.md']?.base ?? null
    const bytes = hash === null || this.isBaseLost ? null : await store.read(hash)
    if (hash === null || bytes === null) return null
    const reading = await readContract()
    if ('bytes' in reading) return this.fileInForce(keptText(bytes), keptText(reading.bytes))
    if (!this.isTakenAway()) return { ok: false, reason: reading.reason }
    return this.fileInForce(keptText(bytes), { text: '', hash: MISSING })
  }

  async lastText(): Promise<string | null> {
    const { store, ledger } = this.options
    const hash = ledger.state.custody['HEARTBEAT.md']?.base ?? null
    const bytes = hash === null ? null : await store.read(hash)
    return bytes === null ? null : keptText(bytes).text
  }

  async look(by?: 'operator'): Promise<void> {
    await this.alone(() => this.lookAll(by))
  }

  edit(write: () => Promise<void>): Promise<void> {
    return this.alone(async () => {
      // Changes that an agent has made to the file so far stay the agent's.
      await this.lookAll()
      await write()
      await this.lookAll('operator')
    })
  }

  async begin(run: SupervisedRun): Promise<void> {
    const { agentsAtWork, workspaceId, workspaceName } = this.options
    await agentsAtWork.begin({ ...run, workspaceId, workspaceName })
    await this.alone(async () => {
      // What is found now happened before this agent, which has not been started yet.
      const { base, disk } = (await this.lookAll())['HEARTBEAT.md']
      this.boxesBefore = new Set((await this.boxes(base?.text ?? '', disk.text)).map(itemKey))
      this.run = run
    }).catch(async (error: unknown) => {
      // The run does not begin, so nothing will report its end.
      await agentsAtWork.end(workspaceId)
      throw error
    })
  }

  observe(): ReturnType<ContractCustody['observe']> {
    return this.alone(async () => {
      const found = await this.lookAll()
      const { disk } = found['HEARTBEAT.md']
      return {
        contractText: disk.hash === MISSING ? null : disk.text,
        items: Object.values(found).flatMap(({ proposed }) => proposed),
      }
    })
  }

  decideBoxes(verified: ReadonlySet<string>): Promise<readonly ProposalItem[]> {
    return this.alone(async () => {
      const found = await this.lookAll()
      const author = await this.author()
      return isAgent(author) ? this.proposeBoxes(found, verified, author) : []
    })
  }

  async end(): Promise<void> {
    if (this.run === null) return
    await this.alone(async () => {
      const found = await this.lookAll()
      const author = await this.author()
      if (isAgent(author)) await this.notifyForeign(found, author)
      this.run = null
      await this.authors.noteLeftBehind()
    })
    await this.options.agentsAtWork.end(this.options.workspaceId)
  }

  answer(id: string, answer: ProposalDecision, choices?: readonly ItemChoice[]): Promise<Proposal> {
    return this.alone(async () => {
      const found = await this.lookAll()
      const proposal = pendingProposal(this.options.ledger.state, id)
      const items = chosenItems(proposal, choices)
      const { base, disk } = found[proposal.file]
      if (base === null) throw new RequestProblem('conflict', LOST)
      const isWhole = items.length === proposal.items.length
      const { options, files } = this
      const settle = () => this.settleConfiguration()
      if (proposal.file === 'pulseward.toml')
        await answerConfiguration({ options, files, settle }, proposal, answer, isWhole, { base, disk })
      else await answerContract({ options, files }, proposal, answer, items, { base, disk })
      return this.options.ledger.state.proposals.find((each) => each.id === id) ?? proposal
    })
  }

  undoAnswer(id: string, nowMs: number): Promise<Proposal> {
    return this.alone(async () => {
      await this.lookAll()
      const { ledger, store, writeContract, writeConfiguration } = this.options
      const { file, answer, items, before } = lastAnswerTo(ledger.state, id, nowMs)
      if (answer === 'reverted') {
        const bytes = before.seen === null ? null : await store.read(before.seen)
        if (bytes === null)
          throw new RequestProblem('conflict', `The content of ${file} before the answer is no longer kept.`)
        await (file === 'HEARTBEAT.md' ? writeContract : writeConfiguration)(bytes)
      } else if (before.base === null || (await store.read(before.base)) === null) {
        throw new RequestProblem('conflict', LOST)
      }
      await ledger.append({ type: 'proposal-answer-undone', id, answer, items: [...items], ...before })
      return pendingProposal(ledger.state, id)
    })
  }

  rebase(): Promise<void> {
    return this.alone(async () => {
      const reading = await this.options.readContract()
      if ('reason' in reading) throw new RequestProblem('unprocessable', reading.reason)
      const hash = await this.options.store.keep(reading.bytes)
      const previousHash = this.options.ledger.state.custody['HEARTBEAT.md']?.seen ?? null
      const { ledger } = this.options
      const { rules } = this.files['HEARTBEAT.md']
      await ledger.append(
        {
          type: 'contract-edited',
          by: 'operator',
          cycle: null,
          hash,
          previousHash,
          changes: [],
          patch: null,
          base: hash,
        },
        ...settled({ rules, ledger }, []),
      )
      this.isBaseLost = false
    })
  }

  close(): void {
    this.unwatch()
    this.authors.close()
  }

  approved(): Promise<void> {
    return this.alone(() => this.settleConfiguration())
  }

  private async settleConfiguration(): Promise<void> {
    const { ledger } = this.options
    await this.lookAll('operator')
    const waiting = ledger.state.proposals.filter(
      (each) => each.file === 'pulseward.toml' && each.state === 'pending',
    )
    if (waiting.length > 0)
      await ledger.append(...waiting.map((each) => answered(each, 'accepted', each.items)))
  }

  /** Returns whether an agent removed the contract: its tasks stay until the operator has answered. */
  private isTakenAway(): boolean {
    return this.options.ledger.state.custody['HEARTBEAT.md']?.seen === MISSING
  }

  private async fileInForce(base: SeenText, disk: SeenText): Promise<ContractFile> {
    const key = `${base.hash} ${disk.hash}`
    if (this.inForceCache?.key === key) return this.inForceCache.file
    const isBase = disk.hash === MISSING || disk.text === base.text
    const { text, proposed, leftOut } = isBase
      ? { text: base.text, proposed: [], leftOut: 0 }
      : await this.options.contracts.inForce(base.text, disk.text)
    const hash = text === base.text ? base.hash : sha256(text)
    const file: ContractFile = {
      ok: true,
      text,
      hash,
      proposed: new Set(proposed),
      leftOut,
      operatorsText: base.text,
    }
    this.inForceCache = { key, file }
    return file
  }

  /** Returns the files and kept copies with the contents that a look expects; while they have these, it would record nothing. */
  private known(): readonly KnownFile[] | null {
    const { ledger, store, directory } = this.options
    if (this.isBaseLost) return null
    const files: KnownFile[] = []
    for (const file of CUSTODY_FILES) {
      const { base, seen } = ledger.state.custody[file] ?? {}
      if (base == null || base !== seen) return null
      files.push({ path: join(directory, file), hash: seen }, { path: store.path(seen), hash: seen })
    }
    return files
  }

  private async lookAll(by?: 'operator'): Promise<Readonly<Record<CustodyFile, SeenFile>>> {
    let author: Author | null = null
    // Finds the author only if something has changed, because that may mean examining every process.
    const findAuthor = async (): Promise<Author> => (author ??= await this.author(by))
    const contract = await lookAtFile(this.files['HEARTBEAT.md'], findAuthor)
    const configuration = await lookAtFile(this.files['pulseward.toml'], findAuthor)
    await this.noteLoss(contract)
    const found = { 'HEARTBEAT.md': contract, 'pulseward.toml': configuration }
    if (this.run === null && isAgent(author)) await this.notifyForeign(found, author)
    return found
  }

  /** Called while no agent of this workspace is running: reports at once what another workspace's agent or a leftover process changed. */
  private async notifyForeign(
    found: Readonly<Record<CustodyFile, SeenFile>>,
    author: AgentAuthor,
  ): Promise<void> {
    const items = Object.values(found).flatMap(({ proposed }) => proposed)
    const checked = await this.proposeBoxes(found, this.verifiedTasks(), author)
    await this.notifyLate([...items, ...checked], author)
  }

  private async notifyLate(items: readonly ProposalItem[], author: AgentAuthor): Promise<void> {
    const intervention = weakeningOf(items, author.during)
    if (intervention === null) return
    const { ledger, notifier, workspaceId, workspaceName } = this.options
    const cycle = ledger.state.running?.cycle ?? ledger.state.progress.cycleCount
    await ledger.append({ type: 'intervention-raised', cycle, taskId: null, intervention })
    const { changes } = intervention.details
    notifier.notify({
      key: `contract-weakened:${workspaceId}:${ledger.state.seq}`,
      about: 'contractWeakened',
      workspaceId,
      title: `${workspaceName}: an agent weakened the tasks`,
      body: `${Array.isArray(changes) ? changes.join(' ') : ''} The tasks stay as you left them until you accept or revert it.`,
    })
  }

  private async noteLoss({ base, disk }: SeenFile): Promise<void> {
    const { ledger } = this.options
    this.isBaseLost = base === null && ledger.state.custody['HEARTBEAT.md']?.base != null
    if (!this.isBaseLost || disk.hash === MISSING) return
    if (ledger.state.notices.some(({ code }) => code === 'base-lost')) return
    await ledger.append({ type: 'diagnostic-raised', code: 'base-lost', taskId: null, message: LOST })
  }

  private async author(by?: 'operator'): Promise<Author> {
    return by === undefined ? this.authors.find(this.run !== null) : { kind: 'operator', by }
  }

  /** Turns boxes that were checked since the run began into a proposal, except for verified tasks. */
  private async proposeBoxes(
    found: Readonly<Record<CustodyFile, SeenFile>>,
    verified: ReadonlySet<string>,
    author: AgentAuthor,
  ): Promise<readonly ProposalItem[]> {
    const { base, disk } = found['HEARTBEAT.md']
    if (base === null || disk.hash === MISSING) return []
    const { ledger } = this.options
    const notified = new Set([
      ...this.boxesBefore,
      ...ledger.state.proposals
        .filter(({ state }) => state === 'pending')
        .flatMap(({ items }) => items.map(itemKey)),
    ])
    const items = (await this.boxes(base.text, disk.text)).filter(
      (item) => item.after === 'checked' && !notified.has(itemKey(item)) && !verified.has(item.taskId ?? ''),
    )
    if (items.length === 0) return []
    const events = await proposals(this.files['HEARTBEAT.md'], items, { seen: base, disk }, author)
    await ledger.append(...events)
    return items
  }

  private async boxes(base: string, disk: string): Promise<readonly ProposalItem[]> {
    return (await this.options.contracts.items(base, disk)).filter(({ kind }) => kind === 'box')
  }

  private verifiedTasks(): ReadonlySet<string> {
    const { tasks } = this.options.ledger.state.progress
    return new Set(Object.values(tasks).flatMap((task) => (task.status === 'verified' ? [task.taskId] : [])))
  }
}
