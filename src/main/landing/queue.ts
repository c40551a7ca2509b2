import { RequestProblem } from '../../api/request-problem.ts'
import {
  afterAnswer,
  afterJudgement,
  afterLandingElsewhere,
  afterVerdict,
  isJudged,
  judgedTrees,
  pauseAfter,
  stepFor,
  type TreeJudgement,
} from '../../core/landing/steps.ts'
import { hasConflicted } from '../../core/record/fold-landing.ts'
import type { LandingRecord } from '../../core/record/landing-record.ts'
import type { LandingEntry } from '../../core/record/state.ts'
import { isOpenLanding, type LandingAnswer } from '../../core/vocabulary/landing.ts'
import { createSerializer, type Serialize } from '../process/serialize.ts'
import { branchName } from './branches.ts'
import { type Change, changesOf, type Move } from './changes.ts'
import { makeCommit, taskInTrailer } from './commit.ts'
import { ask, tryAsk } from './git.ts'
import { type JournalOptions, LandingJournal } from './journal.ts'
import { findOn, isOnTarget, landingsOf } from './landed-commits.ts'
import { mergeWork } from './merge.ts'
import { finishMove, lookAtTrees, moveTarget } from './move-target.ts'
import { Offers, type OffersOptions, type Place } from './offers.ts'
import { findTarget, type Refusal, type Repository, tipOf, tryRemotesAgain } from './repository.ts'
import { whyUnlandable } from './unlandable.ts'
import { type LandingFacts, WorkCommits, type WorkCommitsOptions } from './work-commits.ts'

/*
 * The landing queue of a workspace. The ledger is its journal: each step is recorded before it is carried out.
 *
 * 1. Landings on one target run one at a time, across all workspaces of the repository.
 * 2. A commit is recorded as `candidate` before the target moves to it. After a crash, the target is first searched for that commit,
 *    so nothing lands twice and no landing is lost.
 * 3. Only a tree that was verified as a whole lands: the attempt's own tree, or a combination that was judged here.
 * 4. Work keeps its ref (`refs/pulseward/attempts/ID`) for 30 days after it was closed.
 */

export interface QueueOptions
  extends JournalOptions,
    WorkCommitsOptions,
    Omit<OffersOptions, 'repository' | 'isStillWanted'> {
  /** Opens the workspace's repository. */
  readonly open: () => Promise<Repository | Refusal>
  readonly nowMs: () => number
  /** Judges the tree, with the check files of `tip`. */
  readonly judge: (
    entry: LandingRecord,
    tip: string,
    tree: string,
    signal: AbortSignal,
  ) => Promise<TreeJudgement>
}

/** Work that is handed in. */
export interface HandedIn {
  readonly attemptId: string
  readonly taskId: string
  readonly description: string
  readonly target: string
  readonly base: string
  readonly tree: string
  /** Whether the judged folder had exactly the tree's contents: nothing that git ignores or converts. */
  readonly isWhole: boolean
  readonly author: string | null
  readonly verified: boolean
  /** Why it is or is not verified. */
  readonly because: string
  /** Whether it is held for review. */
  readonly held: boolean
  /** Why even verified work is held for review, or `null`. */
  readonly suspicion: string | null
}

export interface LandingQueue {
  /** Keeps the work under its ref and queues it if it is verified. Ignores work that changes nothing. */
  handIn(work: HandedIn): Promise<void>
  /**
   * Processes all work that can proceed. Does not reject because of the repository or remote. `isLookingAgain`: skips work that failed
   * recently, for longer after each failure.
   */
  process(signal: AbortSignal, isLookingAgain?: boolean): Promise<void>
  answer(attemptId: string, answer: LandingAnswer, signal: AbortSignal): Promise<LandingEntry>
  /** Returns the work as a patch of at most `maxBytes`; `null` if git no longer has it. */
  patch(entry: LandingRecord, maxBytes: number): Promise<string | null>
  /** Removes the refs of this workspace's work that was closed 30 days ago. */
  prune(): Promise<void>
}

const KEPT_MS = 30 * 24 * 60 * 60_000
/** How long a look at the work trees stays valid. */
const FRESH_MS = 1000
/** Attempts to land while others keep moving the target. */
const MAX_RACES = 5
/** One serializer per repository and target. */
const lines = new Map<string, Serialize>()

export function refOf(attemptId: string): string {
  return `refs/pulseward/attempts/${attemptId}`
}

export function createLandingQueue(options: QueueOptions): LandingQueue {
  return new Queue(options)
}

class Queue implements LandingQueue {
  readonly #options: QueueOptions
  readonly #inTurn = createSerializer()
  readonly #handing = createSerializer()
  readonly #journal: LandingJournal
  readonly #commits: WorkCommits
  readonly #offers: Offers
  #lastChanges: { readonly move: Move; readonly changes: readonly Change[] } | null = null
  readonly #troubles = new Map<string, { readonly times: number; readonly untilMs: number }>()

  constructor(options: QueueOptions) {
    this.#options = options
    this.#journal = new LandingJournal(options)
    this.#commits = new WorkCommits(options)
    const repository = () => this.#repository()
    const isStillWanted = (attemptId: string) => this.#isStillWanted(attemptId)
    this.#offers = new Offers({ ...options, repository, isStillWanted }, this.#journal, this.#commits)
  }

  /** Hands in one at a time, and each only once: recovery and the attempt itself can both do it. */
  handIn(work: HandedIn): Promise<void> {
    return this.#handing(() => this.#handInOnce(work))
  }

  async #handInOnce(work: HandedIn): Promise<void> {
    if (this.#journal.entries().some(({ attemptId }) => attemptId === work.attemptId)) return
    const { ledger } = this.#options
    const repository = await this.#repository()
    const { base, tree, isWhole, author, because, held, suspicion, verified, ...facts } = work
    const changes = await this.#changes(repository, { from: base, to: tree })
    if (changes.length === 0) return
    const trouble = (await whyUnlandable(repository, changes, tree)) ?? suspicion
    const source = await makeCommit(
      repository.git,
      `Attempt ${work.attemptId} of ${work.taskId.replace(/[\s\p{Cc}]+/gu, ' ')}\n\n${WORKSPACE}: ${this.#options.workspace}\n`,
      { tree, parent: base, author },
      { isSigned: false },
    )
    await this.#keepRef(repository, work.attemptId, source)
    await this.#journal.checkpoint('ref-kept')
    await ledger.append({
      type: 'landing-changed',
      landing: {
        ...facts,
        state: verified && trouble === null ? 'queued' : held || verified ? 'held' : 'dropped',
        base,
        source,
        verifiedTree: tree,
        isWhole,
        tree,
        commit: null,
        candidate: null,
        from: null,
        judged: [],
        heldTree: null,
        isDisliked: false,
        heldFor:
          verified || trouble === null ? null : { because: trouble, heldTree: null, isDisliked: false },
        isDropped: false,
        because: trouble ?? because,
        waitsFor: null,
        differs: false,
        verified,
        approved: false,
        conflict: null,
        branch: null,
        published: null,
        pullRequest: null,
      },
    })
    this.#options.changed()
  }

  /** Keeps the work under its ref. Attempts of two workspaces can have the same id by chance; then the other workspace's ref stays. */
  async #keepRef({ git }: Repository, attemptId: string, source: string): Promise<void> {
    const ref = refOf(attemptId)
    // This only creates the ref; it replaces none.
    if ((await git(['update-ref', ref, source, ''])).ok) return
    const isOurs = (await this.#workspaceOf(git, ref)) === this.#options.workspace
    await ask(git, 'update-ref', isOurs ? ref : `${ref}-${branchName(this.#options.workspace)}`, source)
  }

  async #workspaceOf(git: Repository['git'], ref: string): Promise<string | null> {
    return tryAsk(
      git,
      'show',
      '--no-patch',
      `--format=%(trailers:key=${WORKSPACE},valueonly,separator=)`,
      ref,
    )
  }

  process(signal: AbortSignal, isLookingAgain = false): Promise<void> {
    return this.#inTurn(async () => {
      this.#commits.tryAgain()
      tryRemotesAgain()
      await this.#takeInVerdicts()
      const nowMs = this.#options.nowMs()
      const open = this.#journal
        .entries()
        .filter(
          ({ verified, state, attemptId }) =>
            verified &&
            (state === 'queued' || state === 'judging' || state === 'waiting') &&
            !(isLookingAgain && (this.#troubles.get(attemptId)?.untilMs ?? 0) > nowMs),
        )
        .toReversed()
      for (const { attemptId } of open) {
        if (signal.aborted) return
        await this.#advance(attemptId, signal, isLookingAgain)
      }
      for (const entry of this.#journal.entries())
        if (entry.state === 'landed') await this.#offers.withdraw(entry)
    })
  }

  answer(attemptId: string, answer: LandingAnswer, signal: AbortSignal): Promise<LandingEntry> {
    return this.#inTurn(async () => {
      this.#commits.tryAgain()
      await this.#takeInVerdicts()
      if (this.#journal.known(attemptId).candidate !== null) await this.#settleNow(attemptId, signal)
      if (this.#journal.known(attemptId).candidate !== null)
        throw new RequestProblem(
          'conflict',
          `${attemptId} may have landed, and its target cannot be read now. Try again when it can.`,
        )
      const entry = this.#journal.known(attemptId)
      const after = afterAnswer(entry, answer)
      if ('refusal' in after) throw new RequestProblem('conflict', after.refusal)
      await this.#change(entry, after.change)
      await this.#takeInVerdict(this.#journal.known(attemptId))
      const { state } = this.#journal.known(attemptId)
      if (state === 'queued' || (answer === 'retry' && (state === 'judging' || state === 'waiting')))
        await this.#advance(attemptId, signal)
      return this.#journal.known(attemptId)
    })
  }

  async patch({ base, source }: LandingRecord, maxBytes: number): Promise<string | null> {
    const { git } = await this.#repository()
    const { ok, stdout } = await git(['diff', '--no-ext-diff', '--no-textconv', '--no-color', base, source])
    if (!ok) return null
    const bytes = Buffer.from(stdout)
    return bytes.length <= maxBytes ? stdout : `${bytes.subarray(0, maxBytes).toString('utf8')}\n…\n`
  }

  async prune(): Promise<void> {
    const { git } = await this.#repository()
    const listed =
      (await tryAsk(
        git,
        'for-each-ref',
        `--format=%(refname) %(committerdate:unix) %(contents:trailers:key=${WORKSPACE},valueonly,separator=)`,
        'refs/pulseward/attempts/',
      )) ?? ''
    const nowMs = this.#options.nowMs()
    const entries = new Map(this.#journal.entries().map((entry) => [entry.source, entry]))
    for (const line of listed.split('\n').filter((each) => each !== '')) {
      const [ref = '', seconds = '', ...workspace] = line.split(' ')
      const source = await tryAsk(git, 'rev-parse', '--verify', '--quiet', ref)
      const entry = source === null ? undefined : entries.get(source)
      // It belongs to another workspace, or to an unknown one.
      if (source === null || (entry === undefined && workspace.join(' ') !== this.#options.workspace))
        continue
      if (entry !== undefined && (isOpenLanding(entry.state) || entry.published !== null)) continue
      const closedMs = entry === undefined ? Number(seconds) * 1000 : Date.parse(entry.at)
      if (nowMs - closedMs > KEPT_MS) await git(['update-ref', '-d', ref, source])
    }
  }

  /** Applies later reviews, overrulings and thumbs. */
  async #takeInVerdicts(): Promise<void> {
    for (const entry of this.#journal.entries()) await this.#takeInVerdict(entry)
  }

  async #takeInVerdict(entry: LandingEntry): Promise<void> {
    const attempt = this.#options.ledger.state.attempts.find(({ attemptId }) => attemptId === entry.attemptId)
    const change = attempt === undefined ? null : afterVerdict(entry, attempt)
    await this.#change(entry, change ?? {})
  }

  /** Returns false if the operator overruled or rated down the work while it was judged or its commit was signed. */
  async #isStillWanted(attemptId: string): Promise<boolean> {
    await this.#takeInVerdict(this.#journal.known(attemptId))
    const { verified, state } = this.#journal.known(attemptId)
    return verified && state !== 'dropped' && state !== 'held'
  }

  /** Records a change, and withdraws published work that it drops or holds. */
  async #change(entry: LandingEntry, change: Partial<LandingRecord>): Promise<void> {
    const isTakenBack = (change.state ?? entry.state) === 'dropped' || change.state === 'held'
    const now = await this.#journal.record(
      entry,
      isTakenBack ? { ...change, published: publishedOf(entry) } : change,
    )
    if (isTakenBack) await this.#offers.withdraw(now)
  }

  async #repository(): Promise<Repository> {
    const found = await this.#options.open()
    if ('reason' in found) throw new RequestProblem('unprocessable', `${found.reason}. ${found.remedy}`)
    return found
  }

  /** Processes one landing while no other one uses its target. */
  async #advance(attemptId: string, signal: AbortSignal, isLookingAgain = false): Promise<void> {
    await this.#atTarget(attemptId, signal, (at) => this.#land(attemptId, { ...at, isLookingAgain }))
    const { state, waitsFor } = this.#journal.known(attemptId)
    if (state === 'waiting' && (waitsFor === 'remote' || waitsFor === 'checks')) {
      const times = (this.#troubles.get(attemptId)?.times ?? 0) + 1
      this.#troubles.set(attemptId, { times, untilMs: this.#options.nowMs() + pauseAfter(times) })
    } else this.#troubles.delete(attemptId)
  }

  #settleNow(attemptId: string, signal: AbortSignal): Promise<void> {
    return this.#atTarget(
      attemptId,
      signal,
      async (at) => void (await this.#settled(this.#journal.known(attemptId), at)),
    )
  }

  async #atTarget(attemptId: string, signal: AbortSignal, work: (at: Place) => Promise<void>): Promise<void> {
    const config = this.#options.config()
    if (config === null) return
    try {
      const repository = await this.#repository()
      const target = await findTarget(repository, this.#journal.known(attemptId).target)
      const line = `${repository.common}\0${target.ref}`
      const inTurn = lines.get(line) ?? createSerializer()
      lines.set(line, inTurn)
      await inTurn(() => work({ repository, target, config, signal, isLookingAgain: false }))
    } catch (error) {
      if (signal.aborted) return
      const because = error instanceof Error ? error.message : String(error)
      this.#options.log.warn('Work could not land', { attempt: attemptId, error: because })
      await this.#journal.record(this.#journal.known(attemptId), {
        state: 'waiting',
        waitsFor: 'checks',
        because,
      })
    }
  }

  async #land(attemptId: string, at: Place): Promise<void> {
    if (await this.#settled(this.#journal.known(attemptId), at)) return
    for (let race = 0; race < MAX_RACES; race += 1) {
      const { tip, stale } = await tipOf(at.repository, at.target)
      if (stale !== null || tip === null) {
        const because =
          stale === null
            ? `The target ${at.target.name} does not exist: create it, or name another under [landing] target`
            : `${at.target.remote} cannot be reached: ${stale}`
        await this.#journal.record(this.#journal.known(attemptId), {
          state: 'waiting',
          waitsFor: 'remote',
          because,
        })
        return
      }
      if (await this.#isLandedByAnother(attemptId, at, tip)) return
      const combined = await this.#combine(attemptId, at, tip)
      if (combined === null || at.signal.aborted) return
      if (!(await this.#isStillWanted(attemptId))) return
      if ((await this.#offer(attemptId, at, tip, combined)) !== 'raced') return
    }
    await this.#journal.record(this.#journal.known(attemptId), {
      state: 'waiting',
      waitsFor: 'remote',
      because: `${at.target.name} moved ${MAX_RACES} times while this was about to land; it is tried again`,
    })
  }

  /** Returns whether it has landed already, before a crash or elsewhere. */
  async #settled(entry: LandingEntry, at: Place): Promise<boolean> {
    const { repository, target } = at
    const { candidate, commit, from } = entry
    const offered = candidate ?? commit
    if (offered === null && entry.branch === null) return false
    const { tip, stale } = await tipOf(repository, target)
    if (tip === null || stale !== null) return false
    const landedAs =
      (await findOn(repository, entry, { offered, tip })) ??
      (candidate === null ? await this.#offers.mergedAs(entry, tip, at) : null)
    if (landedAs === 'not-here') return true
    if (landedAs === null) {
      if (candidate !== null) await this.#journal.record(entry, { candidate: null, from: null })
      return false
    }
    const behind =
      candidate !== null && from !== null && target.remote === null
        ? await finishMove(repository, target, { from, to: candidate })
        : []
    for (const because of behind)
      this.#options.log.warn('A work tree could not follow its branch', { error: because })
    const landedTree = await ask(repository.git, 'rev-parse', '--verify', `${landedAs}^{tree}`)
    const verified = [...judgedTrees(entry)]
    if (offered !== null)
      verified.push(await ask(repository.git, 'rev-parse', '--verify', `${offered}^{tree}`))
    const differs = !verified.includes(landedTree)
    await this.#journal.record(entry, {
      state: 'landed',
      commit: landedAs,
      candidate: null,
      from: null,
      waitsFor: null,
      differs,
      // Leave the branch to the person who merged it.
      ...(candidate === null && { published: null }),
      because: differs
        ? `${target.name} has the tree ${short(landedTree)} at ${short(landedAs)}, and ${short(verified.at(-1) ?? entry.tree)} was judged: ` +
          `look at what was merged. \`pulseward landing land ${entry.attemptId}\` accepts it`
        : candidate !== null
          ? [`It is on ${target.name}`, ...behind].join('. ')
          : `It was merged into ${target.name} elsewhere, with the contents that were judged`,
    })
    if (candidate !== null) {
      await this.#offers.withdraw(this.#journal.known(entry.attemptId))
      await this.#offers.tellLanded(entry, landedAs, at)
    }
    return true
  }

  /**
   * Drops shared work whose task another host has landed since it began, and returns whether it did. That host took the work over, and the
   * target only moves from the tip that was checked. So a task lands once, no matter which host dies, and when.
   */
  async #isLandedByAnother(
    attemptId: string,
    { repository, target, config }: Place,
    tip: string,
  ): Promise<boolean> {
    const { lease } = config.heartbeat
    const entry = this.#journal.known(attemptId)
    if (lease === null || entry.approved) return false
    const ours = new Set(this.#journal.entries().map((one) => one.attemptId))
    const others = (await landingsOf(repository, lease, { from: entry.base, to: tip })).filter(
      ({ task, attempt }) => task === taskInTrailer(entry.taskId) && !ours.has(attempt),
    )
    const [other] = others
    if (other === undefined) return false
    const because = `Another host took ${lease} over and landed ${entry.taskId} on ${target.name} (${short(other.commit)})`
    await this.#change(entry, afterLandingElsewhere(entry, because))
    return true
  }

  /** Remembers the last answer, which cannot change: work usually lands right after it was handed in, on the commit that it began with. */
  async #changes({ git }: Repository, move: Move): Promise<readonly Change[]> {
    const last = this.#lastChanges
    if (last?.move.from === move.from && last.move.to === move.to) return last.changes
    const changes = await changesOf(git, move)
    this.#lastChanges = { move, changes }
    return changes
  }

  /** Merges with the target and judges. Returns the verified tree, or `null` if the work cannot proceed now. */
  async #combine(
    attemptId: string,
    { repository, target, signal }: Place,
    tip: string,
  ): Promise<Combined | null> {
    const entry = this.#journal.known(attemptId)
    const { base, source, verifiedTree } = entry
    const merge = await mergeWork(repository.git, { base, source, tip, tree: verifiedTree })
    if (merge.kind === 'conflict') {
      await this.#back(
        entry,
        merge.conflict,
        `It cannot be merged with ${target.name}: ${listed(merge.conflict.paths)}`,
      )
      return null
    }
    const { tree } = merge
    const changes = await this.#changes(repository, { from: tip, to: tree })
    if (changes.length === 0) {
      await this.#journal.record(entry, {
        state: 'landed',
        tree,
        commit: tip,
        waitsFor: null,
        because: `${target.name} has these contents already`,
      })
      return null
    }
    const unlandable = await whyUnlandable(repository, changes, tree)
    if (unlandable !== null) {
      await this.#journal.record(entry, {
        state: 'held',
        waitsFor: null,
        heldTree: null,
        because: unlandable,
      })
      return null
    }
    if (isJudged(entry, tree)) return { tree, changes }
    await this.#journal.record(entry, {
      state: 'judging',
      tree,
      waitsFor: null,
      because:
        tree === entry.verifiedTree
          ? 'It is judged without the files that git ignores'
          : `It is judged together with ${target.name}`,
    })
    await this.#journal.checkpoint('judging')
    await this.#offers.tellForge(entry, 'pending', `${entry.taskId} is judged together with ${target.name}`)
    const judgement = await this.#options.judge(entry, tip, tree, signal)
    if (signal.aborted) return null
    const now = this.#journal.known(attemptId)
    const after = afterJudgement(now, tree, judgement)
    if ('conflict' in after) {
      const changed = await tryAsk(repository.git, 'diff', '--name-only', '-z', entry.base, entry.source)
      const paths = (changed ?? '').split('\0').filter((path) => path !== '')
      const conflict = {
        kind: 'semantic' as const,
        paths: paths.slice(0, 50),
        sides: '',
        reasons: judgement.reasons.slice(0, 20),
      }
      await this.#back(now, conflict, after.conflict)
      return null
    }
    const judged = await this.#journal.record(now, after.change)
    if (judged.state !== 'judging') {
      await this.#offers.tellForge(judged, judged.state === 'held' ? 'failure' : 'error', judged.because)
      return null
    }
    await this.#journal.checkpoint('judged')
    return { tree, changes }
  }

  /** Sends a conflict back to the task's next attempt; holds the second one for review. */
  async #back(
    entry: LandingEntry,
    conflict: NonNullable<LandingRecord['conflict']>,
    because: string,
  ): Promise<void> {
    const isSecond =
      entry.state !== 'conflict' && hasConflicted(this.#journal.entries(), entry.taskId, entry.attemptId)
    await this.#journal.record(entry, {
      state: isSecond ? 'held' : 'conflict',
      conflict,
      waitsFor: null,
      heldTree: null,
      approved: false,
      because: isSecond ? `${because}, for the second time` : because,
    })
    await this.#offers.tellForge(entry, 'failure', because)
  }

  async #offer(attemptId: string, at: Place, tip: string, combined: Combined): Promise<'done' | 'raced'> {
    const { tree } = combined
    const entry = this.#journal.known(attemptId)
    switch (stepFor(at.config.landing.mode, entry)) {
      case 'move':
        return this.#move(attemptId, at, tip, combined)
      case 'publish':
        return this.#offers.publish(attemptId, at, tip, tree)
      case 'ask':
        await this.#journal.record(entry, {
          state: 'waiting',
          waitsFor: 'operator',
          tree,
          because: `It waits for you to land it on ${at.target.name}`,
        })
        return 'done'
    }
  }

  /** Commits and moves the target: the steps that must not happen twice. */
  async #move(
    attemptId: string,
    { repository, target, config, signal }: Place,
    tip: string,
    { tree, changes }: Combined,
  ): Promise<'done' | 'raced'> {
    const waits = async (waitsFor: 'clean-tree' | 'remote', because: string): Promise<'done'> => {
      const change = { waitsFor, tree, because, candidate: null, from: null }
      await this.#journal.record(this.#journal.known(attemptId), { state: 'waiting', ...change })
      return 'done'
    }
    const entryBefore = this.#journal.known(attemptId)
    const commitBy = (facts: LandingFacts) =>
      this.#commits.commit(entryBefore, repository, { tip, tree }, facts, signal)
    const [look, made] = await Promise.all([
      lookAtTrees(repository, target, { from: tip, to: tree }, changes),
      this.#commits.factsOf(entryBefore, repository).then(async (facts) => ({
        facts,
        // A signature can ask the operator for a password: only for work that can land now.
        commit: facts.isSigned ? null : await commitBy(facts),
      })),
    ])
    if (look.because !== null) return waits('clean-tree', look.because)
    const lookedMs = performance.now()
    const commit = made.commit ?? (await commitBy(made.facts))
    await this.#journal.checkpoint('committed')
    if (!(await this.#isStillWanted(attemptId))) return 'done'
    const entry = await this.#journal.record(this.#journal.known(attemptId), {
      state: 'judging',
      tree,
      candidate: commit,
      from: tip,
      waitsFor: null,
      because: `It is landing on ${target.name}`,
    })
    await this.#journal.checkpoint('recorded')
    // Signing may have waited for the operator.
    const isFresh = performance.now() - lookedMs < FRESH_MS
    const move = { from: tip, to: commit, look: isFresh ? look : null }
    const moved = await moveTarget(repository, target, move, (step) => this.#journal.checkpoint(step))
    if (moved.kind === 'raced') {
      await this.#journal.record(entry, { candidate: null, from: null })
      return 'raced'
    }
    if (moved.kind === 'waits') return waits(moved.for, moved.because)
    await this.#journal.checkpoint('moved')
    const isThere = await isOnTarget(repository, target, commit)
    if (isThere === false) {
      await this.#journal.record(entry, { candidate: null, from: null })
      return 'raced'
    }
    if (isThere === null) {
      await this.#journal.record(entry, {
        state: 'waiting',
        waitsFor: 'remote',
        because: `${target.name} could not be read back`,
      })
      return 'done'
    }
    await this.#journal.record(entry, {
      state: 'landed',
      commit,
      candidate: null,
      from: null,
      waitsFor: null,
      because: `It is on ${target.name}`,
    })
    this.#commits.forget(attemptId)
    await this.#journal.checkpoint('landed')
    await this.#offers.withdraw(this.#journal.known(attemptId))
    await this.#offers.tellLanded(entry, commit, { repository, target, config })
    return 'done'
  }
}

/** Work merged with its target, verified. */
interface Combined {
  readonly tree: string
  /** What it changes on the target. */
  readonly changes: readonly Change[]
}

/** Trailer that names the workspace in commits that keep work. */
const WORKSPACE = 'Pulseward-Workspace'

/** Returns the commit that we last pushed to the branch. After a crash between push and record, only `commit` is set. */
function publishedOf({ branch, published, commit, state }: LandingRecord): string | null {
  return published ?? (branch !== null && isOpenLanding(state) ? commit : null)
}

function short(id: string): string {
  return id.slice(0, 12)
}

function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).join(', ')
  return paths.length > 3 ? `${shown} and ${paths.length - 3} more` : shown
}
