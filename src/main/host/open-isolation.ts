import { join, resolve } from 'node:path'
import { RequestProblem } from '../../api/request-problem.ts'
import { tokenVariable } from '../../core/configuration/landing.ts'
import { missedAttempts, type TreeJudgement } from '../../core/landing/steps.ts'
import type { AttemptResult, EventBody } from '../../core/record/events.ts'
import type { LandingRecord } from '../../core/record/landing-record.ts'
import { readContractFile } from '../config/contract-file.ts'
import { keepFile } from '../custody/keep-file.ts'
import { clearCaches } from '../custody/tool-caches.ts'
import { readBoundedFile } from '../files/bounded-file.ts'
import { openForge } from '../landing/forge.ts'
import { mendWorkTrees } from '../landing/mend-work-trees.ts'
import { createLandingQueue, type HandedIn, type LandingQueue } from '../landing/queue.ts'
import {
  branchOf,
  causeIn,
  findTarget,
  type Refusal,
  type Repository,
  refusalOf,
  repositoryOpener,
  sharedStateOf,
  type Target,
  tipOf,
} from '../landing/repository.ts'
import { createTreePool, type PooledTree, type TreePool, type TreeRequest } from '../landing/tree-pool.ts'
import type { AttemptUndo } from '../ports/attempt-undo.ts'
import { type Ledger, withSteps } from '../ports/ledger.ts'
import type { Snapshotter } from '../ports/snapshotter.ts'
import type { WorkspaceConfig } from '../ports/workspace-config.ts'
import { holdsToken, withholdOwnToken } from '../process/secret-variables.ts'

import { judgeCombination } from '../supervisor/judging/judge-combination.ts'
import type { IsolatedTree, Isolation, WorkspacePorts } from '../supervisor/workspace-ports.ts'

/** Isolation with the parts that only the host uses. */
export interface OpenIsolation extends Isolation {
  readonly queue: LandingQueue
  /** Keeps the branch that is checked out now as the default target, unless one is kept already. Never rejects. */
  keepTarget(): Promise<void>
  /**
   * Continues after a crash what was interrupted, and removes what is no longer needed. Never rejects. `config` returns the approved
   * configuration.
   */
  recover(config: () => WorkspaceConfig | null, signal: AbortSignal, staysOpen: boolean): Promise<void>
}

export interface IsolationOptions {
  readonly directory: string
  /** The workspace's part of the data folder. */
  readonly dataDirectory: string
  /** `trees/ID` in the data folder. */
  readonly treesDirectory: string
  /** The ports of the workspace itself. */
  readonly ports: WorkspacePorts
  /** Returns the ports for supervising work in a tree. */
  readonly portsAt: (tree: TreePlace) => TreePorts
  readonly changed: () => void
  readonly recordHead: () => Promise<string>
}

export type TreePlace = Pick<PooledTree, 'directory' | 'dataDirectory' | 'reads'> & Pick<TreeRequest, 'copy'>

export type TreePorts = Pick<
  WorkspacePorts,
  'snapshotter' | 'custody' | 'createAgent' | 'createVerifier' | 'reachOfAgent' | 'checkMemory'
>

/** How often a running host checks waiting work. */
const LOOK_AGAIN_MS = 30_000
/** How often a running host removes refs of work that was closed 30 days ago. */
const PRUNE_EVERY_MS = 24 * 3_600_000
/** Trees in addition to `parallel`: one for the heartbeat's measurements, one for the queue's judgments. */
const OTHER_TREES = 2

export function openIsolation(options: IsolationOptions): OpenIsolation {
  return new WorkspaceIsolation(options)
}

class WorkspaceIsolation implements OpenIsolation {
  readonly queue: LandingQueue
  readonly #options: IsolationOptions
  readonly #pool: TreePool
  readonly #open: () => Promise<Repository | Refusal>
  readonly #defaultTarget: () => Promise<string | null>
  /** Attempts known to be in the queue or to have nothing for it. */
  readonly #looked = new Set<string>()
  #inForce: () => WorkspaceConfig | null = () => null
  #used = (): void => {}
  /** The last commit that is known to fit into trees. */
  #fits: string | null = null

  constructor(options: IsolationOptions) {
    const { directory, ports, treesDirectory } = options
    this.#options = options
    this.#pool = createTreePool({
      directory: treesDirectory,
      limit: () => (this.#inForce()?.workspace.parallel ?? 1) + OTHER_TREES,
      log: ports.log,
      clearCaches: (top, places, isAgents, kept) =>
        clearCaches(top, places, isAgents, { kept, log: ports.log }),
    })
    this.#open = repositoryOpener(directory)
    this.#defaultTarget = keptTarget(options, this.#open)
    this.queue = createLandingQueue({
      workspace: ports.id,
      open: this.#open,
      ledger: ports.ledger,
      log: ports.log,
      nowMs: () => ports.clock.nowMs(),
      config: () => this.#inForce(),
      judge: (...asked) => this.#judge(...asked),
      recordHead: options.recordHead,
      forge: async (config, repository, target) => openForge(config.landing, repository, target),
      changed: options.changed,
      differs: (entry) => notifyDiffers(ports, entry),
    })
  }

  async keepTarget(): Promise<void> {
    await this.#defaultTarget().catch((error: unknown) =>
      this.#options.ports.log.warn('The default target could not be kept', { error: String(error) }),
    )
  }

  async begin(config: WorkspaceConfig): Promise<void> {
    const { repository, tip } = await this.#place(config)
    await this.#mend(repository)
    await this.#expectHeld(repository, tip)
    // What an agent changes in the folder is in later trees, too.
    const { custody, reachOfAgent } = this.#options.ports
    if ((await reachOfAgent(config)) === 'everywhere') await custody.begin(config)
  }

  /** Rejects with a `RequestProblem` if a tree cannot hold the commit. */
  async #expectHeld(repository: Repository, commit: string): Promise<void> {
    const refusal = await refusalOf(repository, commit)
    if (refusal !== null) throw refused(refusal)
    this.#fits = commit
  }

  /** `taskId`: the task whose work is judged in it, if it is known already. */
  async take(
    config: WorkspaceConfig,
    signal: AbortSignal,
    at?: string,
    taskId: string | null = null,
  ): Promise<IsolatedTree> {
    withholdTokenOf(config)
    const { directory } = this.#options
    const { repository, target, tip } = await this.#place(config)
    const commit = at ?? tip
    // The target moved during the heartbeat.
    if (commit !== this.#fits) await this.#expectHeld(repository, commit)
    const { copy, ports } = config.workspace
    const tree = await this.#pool.take(repository, { commit, target, copy, ports, signal })
    try {
      const own = withVariables(config, directory, tree.ports)
      const policy = [`${repository.prefix}HEARTBEAT.md`, `${repository.prefix}pulseward.toml`]
      const sharedState = await this.#watchedState(config, repository)
      const facts = { config: own, tip: commit, target: target.name, policy, sharedState, taskId }
      const isolated = isolatedTree(this.#options, tree, facts)
      await isolated.ports.custody.begin(own)
      return isolated
    } catch (error) {
      await tree.release()
      throw error
    }
  }

  async handIn(tree: IsolatedTree, result: AttemptResult): Promise<void> {
    const left = tree.left()
    if (result.verdict === null) return
    if (left === null) notifyUnwritable(this.#options.ports, result)
    else {
      const known = facts.get(tree)?.() ?? NO_FACTS
      if (known.suspicion !== null) notifyTouched(this.#options.ports, result)
      await this.#keep(result, { base: tree.tip, tree: left, ...known })
    }
  }

  /** Returns a function that tells whether git's settings or hooks changed since; `null` if the agent's sandbox prevents that. */
  async #watchedState(
    config: WorkspaceConfig,
    repository: Repository,
  ): Promise<(() => Promise<string>) | null> {
    const reach = await this.#options.ports.reachOfAgent(config)
    if (reach !== 'everywhere') return null
    const before = await sharedStateOf(repository)
    return async () => (before === (await sharedStateOf(repository)) ? '' : TOUCHED)
  }

  async land(signal: AbortSignal, isLookingAgain = false): Promise<void> {
    const { id, log, ledger } = this.#options.ports
    // No attempt has used a tree here.
    if (ledger.state.landings.length === 0 && this.#inForce()?.workspace.isolation !== 'worktree') return
    try {
      await this.#keepMissed()
      await this.queue.process(signal, isLookingAgain)
    } catch (error) {
      log.warn('The landing queue stopped', { workspace: id, error: String(error) })
    }
  }

  async recover(
    config: () => WorkspaceConfig | null,
    signal: AbortSignal,
    staysOpen: boolean,
  ): Promise<void> {
    const { clock, ledger } = this.#options.ports
    this.#inForce = config
    withholdTokenOf(config())
    if (ledger.state.landings.length > 0 || config()?.workspace.isolation === 'worktree') {
      await this.#pool.sweep()
      const repository = await this.#open().catch(() => null)
      if (repository !== null && !('reason' in repository)) await this.#mend(repository)
      if (!signal.aborted) await this.land(signal)
      await this.#prune()
    } else if (staysOpen) await this.#firstUse(signal)
    // A clean work tree, a remote that answers or a merge made elsewhere: only polling finds these.
    let prunedMs = clock.nowMs()
    while (staysOpen && !signal.aborted) {
      await clock.sleep(LOOK_AGAIN_MS, signal)
      if (clock.nowMs() - prunedMs >= PRUNE_EVERY_MS && ledger.state.landings.length > 0) {
        prunedMs = clock.nowMs()
        await this.#prune()
      }
      const waits = ledger.state.landings.some(
        ({ state, waitsFor }) => state === 'waiting' && waitsFor !== 'operator',
      )
      if (waits && !signal.aborted) await this.land(signal, true)
    }
  }

  async #prune(): Promise<void> {
    const { log } = this.#options.ports
    await this.queue.prune().catch((error: unknown) => log.warn('Old refs stay', { error: String(error) }))
  }

  async #mend(repository: Repository): Promise<void> {
    const { id, log } = this.#options.ports
    try {
      if (await mendWorkTrees(repository))
        log.info('A work tree that was moved is connected to its repository again', { workspace: id })
    } catch (error) {
      log.warn('A work tree that was moved could not be connected again', {
        workspace: id,
        error: String(error),
      })
    }
  }

  /** Resolves when a tree is first needed: the operator can turn isolation on at any time. */
  #firstUse(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#used = resolve
      signal.addEventListener('abort', () => resolve(), { once: true })
      if (signal.aborted) resolve()
    })
  }

  /** Returns where an attempt starts; rejects with a `RequestProblem` if there is no target to start from. */
  async #place(config: WorkspaceConfig): Promise<{ repository: Repository; target: Target; tip: string }> {
    this.#used()
    const repository = await this.#open()
    if ('reason' in repository) throw refused(repository)
    const name = config.landing.target ?? (await this.#defaultTarget())
    if (name === null)
      throw refused({
        reason: 'no branch is checked out in the folder, and [landing] target names none',
        remedy:
          'Name the branch that work should land on: target = "main" under [landing] in pulseward.toml.',
      })
    const target = await findTarget(repository, name)
    const { tip, stale } = await tipOf(repository, target)
    if (tip === null)
      throw refused({
        reason: stale ?? `the target branch ${name} has no commit`,
        remedy: 'Commit something there, or name another branch under [landing] target.',
      })
    return { repository, target, tip }
  }

  async #judge(
    entry: LandingRecord,
    tip: string,
    combined: string,
    signal: AbortSignal,
  ): Promise<TreeJudgement> {
    const config = this.#inForce()
    if (config === null) throw new Error('No configuration is approved')
    const tree = await this.take(config, signal, tip, entry.taskId)
    try {
      const { verdict, held, reasons } = await judgeCombination({ signal }, tree, entry, combined)
      return { verdict, held: held === null ? null : (reasons[0] ?? held.because), reasons }
    } finally {
      await tree.release()
    }
  }

  async #keep(
    result: AttemptResult,
    work: Pick<HandedIn, 'base' | 'tree' | 'isWhole' | 'author' | 'suspicion'>,
  ): Promise<void> {
    const { attemptId, taskId, description } = result
    const target = result.target ?? this.#inForce()?.landing.target ?? (await this.#defaultTarget()) ?? ''
    try {
      await this.queue.handIn({ attemptId, taskId, description, target, ...work, ...standing(result) })
      this.#looked.add(attemptId)
    } catch (error) {
      // The record has it; the next look at the queue hands it in.
      const { log } = this.#options.ports
      log.warn('Work of an attempt could not be kept yet', { attempt: attemptId, error: String(error) })
    }
  }

  /** Hands in recorded work that a crash or a full disk kept from the queue. Its tree object still exists. */
  async #keepMissed(): Promise<void> {
    const { ledger, clock } = this.#options.ports
    for (const attemptId of missedAttempts(ledger.state, clock.nowMs())) {
      if (this.#looked.has(attemptId)) continue
      const result = await ledger.attempt(attemptId)
      if (result?.target === undefined || result.tree === undefined) this.#looked.add(attemptId)
      else
        await this.#keep(result, {
          base: result.tree.commit,
          tree: result.tree.tree,
          isWhole: result.isWholeTree === true,
          author: result.author ?? null,
          suspicion: result.suspicion ?? null,
        })
    }
  }
}

const WHERE_TO_LOOK = 'look at .git/config and at the hooks, in .git/hooks or where core.hooksPath says'
const TOUCHED = `The settings or hooks of your git repository changed while its agent ran without a sandbox: ${WHERE_TO_LOOK}`

/** Notifies regardless of the verdict, because the operator's own git runs with these settings. */
function notifyTouched({ notifier, id }: WorkspacePorts, { attemptId, taskId }: AttemptResult): void {
  notifier.notify({
    key: `git-settings:${attemptId}`,
    about: 'trouble',
    workspaceId: id,
    taskId,
    title: 'The settings of your git repository changed',
    body: `It happened while the agent ran without a sandbox on ${taskId}: ${WHERE_TO_LOOK}.`,
  })
}

function notifyDiffers(
  { notifier, id }: WorkspacePorts,
  { attemptId, taskId, target, because }: LandingRecord,
): void {
  notifier.notify({
    key: `landed-differs:${attemptId}`,
    about: 'trouble',
    severity: 'critical',
    workspaceId: id,
    taskId,
    title: `${target} has other contents than were judged`,
    body: `${taskId}: ${because}.`,
  })
}

function notifyUnwritable({ notifier, id }: WorkspacePorts, { attemptId, taskId }: AttemptResult): void {
  notifier.notify({
    key: `landing:${attemptId}`,
    about: 'trouble',
    severity: 'warning',
    workspaceId: id,
    taskId,
    title: `The work on ${taskId} cannot land`,
    body: 'Git cannot take the files that the attempt left, such as a repository inside the repository. The log has the reason.',
  })
}

function refused({ reason, remedy }: Refusal): RequestProblem {
  const words = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`
  return new RequestProblem('unprocessable', `${words}. ${remedy}`)
}

function standing(result: AttemptResult): { verified: boolean; held: boolean; because: string } {
  const [reason = ''] = result.reasons
  if (result.held !== null)
    return { verified: false, held: true, because: `It waits for your review: ${reason}` }
  if (result.verdict === 'verified') return { verified: true, held: false, because: 'It is verified' }
  return {
    verified: false,
    held: false,
    because: `It is ${result.verdict === 'unclear' ? 'unclear' : 'not verified'}: ${reason}`,
  }
}

/** Returns the branch that was checked out when the workspace was added, or, if none was, when the target was first needed. */
function keptTarget(
  { dataDirectory, ports }: IsolationOptions,
  open: () => Promise<Repository | Refusal>,
): () => Promise<string | null> {
  const path = join(dataDirectory, 'landing-target')
  return async () => {
    const reading = await readBoundedFile(path, 4096)
    const kept = reading.ok ? reading.bytes.toString('utf8').trim() : ''
    if (kept !== '') return kept
    const repository = await open()
    const branch = 'reason' in repository ? null : await branchOf(repository)
    if (branch !== null) await keepFile(path, `${branch}\n`, ports.log)
    return branch
  }
}

/** Resolves paths that begin with `../` against the workspace, not the tree. */
function fromWorkspace(directory: string): (words: readonly string[]) => readonly string[] {
  return (words) => words.map((word) => (word.startsWith('../') ? resolve(directory, word) : word))
}

function withholdTokenOf(config: WorkspaceConfig | null): void {
  const token = config === null ? null : tokenVariable(config.landing)
  if (token !== null) withholdOwnToken(token)
}

/** Adds the tree's ports and removes the forge's token, which neither the agent nor a check gets. */
function withVariables(
  config: WorkspaceConfig,
  directory: string,
  ports: readonly number[],
): WorkspaceConfig {
  const absolute = fromWorkspace(directory)
  const { agent, gates, probes, judge, landing } = config
  const token = tokenVariable(landing)
  const added = Object.fromEntries(ports.map((port, at) => [`PULSEWARD_PORT_${at + 1}`, String(port)]))
  const withoutToken = (names: readonly string[]): readonly string[] =>
    token === null ? names : names.filter((name) => !holdsToken(name, token))
  return {
    ...config,
    agent: {
      ...agent,
      command: absolute(agent.command),
      env: { ...agent.env, ...added },
      passEnvironment: withoutToken(agent.passEnvironment),
    },
    gates: {
      ...gates,
      commands: gates.commands.map(absolute),
      ...(gates.secrets !== undefined && { secrets: gates.secrets.map(withoutToken) }),
      ...(ports.length > 0 && {
        environments: gates.commands.map((_, at) => ({ ...added, ...gates.environments?.[at] })),
      }),
    },
    judge: judge?.envFrom === undefined ? judge : { ...judge, envFrom: withoutToken(judge.envFrom) },
    probes: Object.fromEntries(
      Object.entries(probes).map(([name, probe]) => [
        name,
        {
          ...probe,
          ...(probe.envFrom !== undefined && { envFrom: withoutToken(probe.envFrom) }),
          source:
            probe.source.kind === 'command'
              ? { ...probe.source, command: absolute(probe.source.command) }
              : probe.source,
          ...(ports.length > 0 && { env: { ...added, ...probe.env } }),
        },
      ]),
    ),
  }
}

interface TreeFacts {
  readonly config: WorkspaceConfig
  readonly tip: string
  /** The configured name. */
  readonly target: string
  /** Paths of contract and configuration, from the top. */
  readonly policy: readonly string[]
  readonly taskId: string | null
  /** Tells what changed in the repository's settings since the tree was taken; `null` if the agent cannot change them. */
  readonly sharedState: (() => Promise<string>) | null
}

type WorkFacts = Pick<HandedIn, 'isWhole' | 'author' | 'suspicion'>

const NO_FACTS: WorkFacts = { isWhole: false, author: null, suspicion: null }

/** Facts about a tree that were recorded with its verdict, to hand in its work. */
const facts = new WeakMap<IsolatedTree, () => WorkFacts>()

function isolatedTree(
  { ports, portsAt }: IsolationOptions,
  tree: PooledTree,
  { config, tip, target, policy, sharedState, taskId }: TreeFacts,
): IsolatedTree {
  const at = portsAt({ ...tree, copy: config.workspace.copy })
  let left: string | null = null
  let unstorable: string | null = null
  let isWhole = false
  let work = NO_FACTS
  let isFirst = true
  let ownTask = taskId
  const mayTick = (id: string | null): boolean =>
    id !== null && (id === ownTask || ports.ledger.state.progress.tasks[id]?.status === 'verified')
  const look = async (): Promise<void> => {
    const isBefore = isFirst
    isFirst = false
    isWhole = false
    unstorable = null
    try {
      await settlePolicy(ports, tree, { policy, mayTick })
      left = await tree.write()
      // The first look is before the agent runs.
      if (isBefore) await tree.mark()
      // Checks begin without these anyway.
      else await tree.clearCaches()
      isWhole = isBefore || (await tree.isWhole(left))
    } catch (error) {
      // It can be refuted, but not verified: it does not land.
      left = null
      unstorable = logUnstorable(ports, tree, error)
    }
  }
  const isolated: IsolatedTree = {
    config,
    tip,
    left: () => left,
    checkOut: (object) => tree.checkOut(object),
    release: async () => {
      await at.snapshotter.done()
      await tree.release()
    },
    ports: {
      ...ports,
      // The workspace can be renamed in the meantime.
      get name() {
        return ports.name
      },
      ...at,
      directory: tree.directory,
      snapshotter: lookingFirst(at.snapshotter, look, () => unstorable),
      ledger: withTrees(
        ports.ledger,
        async () => {
          if (left === null) return null
          work = { isWhole, author: await tree.author(), suspicion: (await sharedState?.()) || null }
          return { ...work, tree: { commit: tip, tree: left, isDirty: true } }
        },
        {
          target,
          began: (id) => {
            ownTask = id
          },
        },
      ),
      contractCustody: custodyInTree(ports, tree.directory, config.workspace.copy),
      spending: {
        ...ports.spending,
        running: (id, used) => ports.spending.running(`${id} ${tree.directory}`, used),
      },
      undo: NO_UNDO,
    },
  }
  facts.set(isolated, () => work)
  return isolated
}

/** Returns why, in git's words. */
function logUnstorable({ log }: WorkspacePorts, { directory }: PooledTree, error: unknown): string {
  log.warn('What an attempt left cannot be written as a tree', { tree: directory, error: String(error) })
  return causeIn(error instanceof Error ? error.message : String(error))
}

/** Returns a snapshotter that first has `look` write the tree as the agent left it, before any check runs in it. */
function lookingFirst(
  snapshotter: Snapshotter,
  look: () => Promise<void>,
  whyUnstorable: () => string | null,
): Snapshotter {
  return {
    ...snapshotter,
    take: async (...args) => {
      await look()
      return snapshotter.take(...args)
    },
    difference: async (before, after) => {
      const difference = await snapshotter.difference(before, after)
      const unstorable = whyUnstorable()
      return unstorable === null ? difference : { ...difference, unstorable }
    },
  }
}

/** Records the judged tree with the verdict, and what handing it in needs: a crash can come first. */
function withTrees(
  ledger: Ledger,
  look: () => Promise<(WorkFacts & Required<Pick<AttemptResult, 'tree'>>) | null>,
  { target, began }: { readonly target: string; readonly began: (taskId: string) => void },
): Ledger {
  const mark = async (event: EventBody): Promise<EventBody> => {
    if (event.type === 'attempt-started') {
      began(event.taskId)
      return { ...event, isolated: true }
    }
    if (event.type !== 'attempt-finished' || event.result.verdict === null) return event
    const judged = await look()
    if (judged === null) return event
    const { tree, isWhole, author, suspicion } = judged
    return {
      ...event,
      result: {
        ...event.result,
        tree,
        target,
        ...(isWhole && { isWholeTree: true }),
        ...(author !== null && { author }),
        ...(suspicion !== null && { suspicion }),
      },
    }
  }
  return withSteps(ledger, () => [{ mark: (events) => Promise.all(events.map(mark)) }])
}

/**
 * Reverts the agent's changes to contract and configuration in its tree, except for boxes that it ticks and `mayTick` allows: a task whose
 * box is ticked needs no attempt.
 */
async function settlePolicy(
  { contracts }: WorkspacePorts,
  tree: PooledTree,
  { policy, mayTick }: Pick<TreeFacts, 'policy'> & { readonly mayTick: (taskId: string | null) => boolean },
): Promise<void> {
  const [contract = '', configuration = ''] = policy
  const changed = new Set(await tree.changed([contract, configuration]))
  const back = changed.has(configuration) ? [configuration] : []
  if (changed.has(contract) && !(await onlyTicks())) back.push(contract)
  if (back.length > 0) await tree.restore(back)

  async function onlyTicks(): Promise<boolean> {
    const [before, after] = await Promise.all([tree.text(contract), readContractFile(tree.directory)])
    if (before === null || !after.ok) return false
    const items = await contracts.items(before, after.text)
    return items.every(
      ({ kind, after: now, taskId }) => kind === 'box' && now === 'checked' && mayTick(taskId),
    )
  }
}

/** Watches the workspace's contract too while an agent without a sandbox works in its tree: it can change it there. */
function custodyInTree(
  ports: WorkspacePorts,
  directory: string,
  copy: readonly string[],
): WorkspacePorts['contractCustody'] {
  const { contractCustody } = ports
  let watched: string | null = null
  return {
    begin: async (run) => {
      watched = run.reach === 'everywhere' ? await enter(ports, run) : null
    },
    observe: async () => {
      const { items } = watched === null ? { items: [] } : await contractCustody.observe()
      const reading = await readContractFile(directory)
      const inForce = reading.ok ? null : await ports.readContract()
      return {
        contractText: reading.ok ? reading.text : inForce?.ok === true ? inForce.text : null,
        items,
      }
    },
    decideBoxes: async (verified) => (watched === null ? [] : contractCustody.decideBoxes(verified)),
    end: async () => {
      if (watched !== null) await leave(ports, { attemptId: watched, copy })
      watched = null
    },
  }
}

/** Returns whether `copy` of the configuration names this path or a folder around it. */
export function isCopied(path: string, copy: readonly string[]): boolean {
  return copy.some((one) => path === one || path.startsWith(`${one.replace(/\/$/, '')}/`))
}

/** Number of concurrent runs that can write in a workspace; they are watched as one. */
const inside = new WeakMap<WorkspacePorts, number>()

async function enter(
  ports: WorkspacePorts,
  run: Parameters<WorkspacePorts['contractCustody']['begin']>[0],
): Promise<string> {
  const before = inside.get(ports) ?? 0
  inside.set(ports, before + 1)
  if (before === 0) await ports.contractCustody.begin(run)
  const [attemptId = ''] = run.attemptIds
  await ports.custody.agentStarts(attemptId)
  return attemptId
}

interface LeftRun {
  readonly attemptId: string
  readonly copy: readonly string[]
}

async function leave(ports: WorkspacePorts, { attemptId, copy }: LeftRun): Promise<void> {
  const before = inside.get(ports) ?? 1
  inside.set(ports, before - 1)
  if (before !== 1) return
  try {
    // The operator works in the folder, so its other files are theirs.
    const changed = (await ports.custody.look()).map(({ path }) => path)
    await ports.custody.settle(
      attemptId,
      changed.filter((path) => !isCopied(path, copy)),
    )
  } finally {
    await ports.contractCustody.end()
  }
}

/** A tree is reset, so there is nothing to restore. */
const NO_UNDO: AttemptUndo = {
  keepBefore: async () => ({ keptAtMs: 0 }),
  record: async () => {},
  look: async () => null,
  filesBefore: async () => null,
  undo: async () => null,
  redo: async () => null,
}
