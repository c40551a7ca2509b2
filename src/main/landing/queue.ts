import { RequestProblem } from '../../api/request-problem.ts'
import { hasConflicted } from '../../core/record/fold-landing.ts'
import type { LandingRecord } from '../../core/record/landing-record.ts'
import type { LandingEntry } from '../../core/record/state.ts'
import { isOpenLanding, type LandingAnswer } from '../../core/vocabulary/landing.ts'
import type { Verdict } from '../../core/vocabulary/verdict.ts'
import type { Ledger } from '../ports/ledger.ts'
import type { Log } from '../ports/log.ts'
import type { WorkspaceConfig } from '../ports/workspace-config.ts'
import { createSerializer, type Serialize } from '../process/serialize.ts'
import { makeCommit, makeKeptCommit, messageOf } from './commit.ts'
import type { Forge } from './forge.ts'
import { ask, tryAsk } from './git.ts'
import { mergeWork } from './merge.ts'
import { type Checkpoint, finishMove, moveTarget, readBack } from './move-target.ts'
import { findTarget, lastLine, openRepository, type Repository, type Target, tipOf } from './repository.ts'

/*
 * The queue of one workspace. Its journal is the ledger: each step is recorded before it is done.
 *
 * 1. Landings on one target come one after the other, also those of other workspaces of the same repository.
 * 2. A commit is recorded as `candidate` before the target can move to it. Whatever ends us after that, the target is asked first whether
 *    it has that commit: so nothing lands twice, and nothing that has landed is forgotten.
 * 3. Only a tree lands that was judged verified as a whole: that of the attempt itself, or a combination that was judged here.
 * 4. Work keeps its ref (`refs/pulseward/attempts/ID`) until 30 days after it was closed.
 */

/** How the combination of an attempt's work with its target was judged. */
export interface CombinationJudgement {
  readonly verdict: Verdict | null
  /** Why it waits for a person; `null`: it does not. */
  readonly held: string | null
  readonly reasons: readonly string[]
}

export interface QueueOptions {
  /** The workspace. */
  readonly directory: string
  readonly ledger: Ledger
  readonly log: Log
  readonly nowMs: () => number
  /** In force; `null`: none is. */
  readonly config: () => WorkspaceConfig | null
  /** Judges the tree, with the check files of `tip`. */
  readonly judge: (
    entry: LandingRecord,
    tip: string,
    tree: string,
    signal: AbortSignal,
  ) => Promise<CombinationJudgement>
  /** Where the record stands, for the trailer of commits. */
  readonly recordHead: () => Promise<string>
  readonly forge: (config: WorkspaceConfig, repository: Repository, target: Target) => Promise<Forge | null>
  readonly changed: () => void
  /** Told once of work that reached its target with other contents than were judged. */
  readonly differs?: (entry: LandingEntry) => void
  /** For tests: called after each step. */
  readonly checkpoint?: Checkpoint
}

/** Work that is handed in. */
export interface HandedIn {
  readonly attemptId: string
  readonly taskId: string
  readonly description: string
  readonly target: string
  readonly base: string
  readonly tree: string
  readonly author: string | null
  readonly verified: boolean
  /** Why it is not verified, or waits for review; empty: it is. */
  readonly because: string
  /** It waits for the operator's review. */
  readonly held: boolean
}

export interface LandingQueue {
  /** Keeps the work under its ref and, where it is verified, queues it. Nothing is queued that changes nothing. */
  handIn(work: HandedIn): Promise<void>
  /** Goes on with all that can go on. Never rejects for what a repository or remote is like. */
  process(signal: AbortSignal): Promise<void>
  answer(attemptId: string, answer: LandingAnswer, signal: AbortSignal): Promise<LandingEntry>
  /** The difference between the work and the target it began with, as a patch of at most `maxBytes`. */
  patch(entry: LandingRecord, maxBytes: number): Promise<string>
  /** Takes refs of work away that was closed 30 days ago. */
  prune(): Promise<void>
}

const KEPT_MS = 30 * 24 * 60 * 60_000
/** Somebody else moves the target again and again: then it waits for the next time. */
const MAX_RACES = 5
/** By repository and target: workspaces of one repository share their line. */
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

  constructor(options: QueueOptions) {
    this.#options = options
  }

  /** One after the other, and each once: a crash and the attempt itself may both hand it in. */
  handIn(work: HandedIn): Promise<void> {
    return this.#handing(() => this.#handInOnce(work))
  }

  async #handInOnce(work: HandedIn): Promise<void> {
    if (this.#entries().some(({ attemptId }) => attemptId === work.attemptId)) return
    const { ledger } = this.#options
    const repository = await this.#repository()
    const { base, tree, author, because, held, verified, ...facts } = work
    const baseTree = await ask(repository.git, 'rev-parse', '--verify', `${base}^{tree}`)
    if (tree === baseTree) return
    const inside = await nestedRepository(repository, baseTree, tree)
    const source = await makeKeptCommit(repository.git, `Attempt ${work.attemptId} of ${work.taskId}\n`, {
      tree,
      parent: base,
      author,
    })
    await ask(repository.git, 'update-ref', refOf(work.attemptId), source)
    await this.#checkpoint('ref-kept')
    await ledger.append({
      type: 'landing-changed',
      landing: {
        ...facts,
        state: verified && inside === null ? 'queued' : held || verified ? 'held' : 'dropped',
        base,
        source,
        verifiedTree: tree,
        tree,
        commit: null,
        candidate: null,
        from: null,
        judged: [],
        because:
          inside === null
            ? because
            : `It holds a git repository of its own (${inside}), whose files would not land`,
        waitsFor: null,
        differs: false,
        verified,
        approved: false,
        conflict: null,
        branch: null,
        pullRequest: null,
      },
    })
    this.#options.changed()
  }

  process(signal: AbortSignal): Promise<void> {
    return this.#inTurn(async () => {
      await this.#takeInVerdicts()
      const open = this.#entries()
        .filter(
          ({ verified, state }) =>
            verified && (state === 'queued' || state === 'judging' || state === 'waiting'),
        )
        .toReversed()
      for (const { attemptId } of open) {
        if (signal.aborted) return
        await this.#advance(attemptId, signal)
      }
    })
  }

  answer(attemptId: string, answer: LandingAnswer, signal: AbortSignal): Promise<LandingEntry> {
    return this.#inTurn(async () => {
      await this.#takeInVerdicts()
      const entry = this.#known(attemptId)
      if (entry.state === 'landed')
        throw new RequestProblem('conflict', `${attemptId} has landed on ${entry.target} already.`)
      if (answer === 'drop') {
        if (entry.state !== 'dropped') {
          await this.#record(entry, {
            state: 'dropped',
            because: 'You dropped it',
            waitsFor: null,
            candidate: null,
          })
          await this.#closeElsewhere(entry)
        }
        return this.#known(attemptId)
      }
      if (!entry.verified)
        throw new RequestProblem(
          'conflict',
          `${attemptId} is not verified, and only verified work lands: ${entry.because}`,
        )
      if (answer === 'land' && entry.state === 'dropped')
        throw new RequestProblem(
          'conflict',
          `${attemptId} was dropped. Run \`pulseward landing retry ${attemptId}\` first.`,
        )
      await this.#record(entry, {
        state: 'queued',
        because: answer === 'land' ? 'You asked for it to land' : 'You asked for another try',
        waitsFor: null,
        conflict: null,
        approved: entry.approved || answer === 'land',
      })
      await this.#advance(attemptId, signal)
      return this.#known(attemptId)
    })
  }

  async patch({ base, source }: LandingRecord, maxBytes: number): Promise<string> {
    const { git } = await this.#repository()
    const { ok, stdout } = await git(['diff', '--no-ext-diff', '--no-textconv', '--no-color', base, source])
    if (!ok) return ''
    const bytes = Buffer.from(stdout)
    return bytes.length <= maxBytes ? stdout : `${bytes.subarray(0, maxBytes).toString('utf8')}\n…\n`
  }

  async prune(): Promise<void> {
    const { git } = await this.#repository()
    const listed =
      (await tryAsk(
        git,
        'for-each-ref',
        '--format=%(refname) %(committerdate:unix)',
        'refs/pulseward/attempts/',
      )) ?? ''
    const nowMs = this.#options.nowMs()
    const entries = new Map(this.#entries().map((entry) => [entry.attemptId, entry]))
    for (const line of listed.split('\n').filter((each) => each !== '')) {
      const [ref = '', seconds = ''] = line.split(' ')
      const entry = entries.get(ref.slice('refs/pulseward/attempts/'.length))
      if (entry !== undefined && isOpenLanding(entry.state)) continue
      const closedMs = entry === undefined ? Number(seconds) * 1000 : Date.parse(entry.at)
      if (nowMs - closedMs > KEPT_MS) await git(['update-ref', '-d', ref])
    }
  }

  /** Reviews and overrulings since: what counts as verified now may land, and what no longer does may not. */
  async #takeInVerdicts(): Promise<void> {
    const { attempts } = this.#options.ledger.state
    for (const entry of this.#entries()) {
      const attempt = attempts.find(({ attemptId }) => attemptId === entry.attemptId)
      if (attempt === undefined) continue
      const isVerified =
        attempt.verdict === 'verified' && (attempt.review === null || attempt.review.answer !== null)
      if (isVerified && !entry.verified)
        await this.#record(entry, { verified: true, state: 'queued', because: 'You accepted it' })
      else if (!isVerified && entry.verified && isOpenLanding(entry.state))
        await this.#record(entry, {
          verified: false,
          state: 'dropped',
          because: 'You overruled its verdict',
          waitsFor: null,
        })
      else if (!entry.verified && entry.state === 'held' && attempt.review?.answer?.answer === 'refuse')
        await this.#record(entry, { state: 'dropped', because: 'You refused it' })
    }
  }

  #entries(): readonly LandingEntry[] {
    return this.#options.ledger.state.landings
  }

  #known(attemptId: string): LandingEntry {
    const entry = this.#entries().find((one) => one.attemptId === attemptId)
    if (entry === undefined)
      throw new RequestProblem(
        'not-found',
        `No work of an attempt ${JSON.stringify(attemptId)} is known here. \`pulseward landing\` lists them.`,
      )
    return entry
  }

  async #repository(): Promise<Repository> {
    const found = await openRepository(this.#options.directory)
    if ('reason' in found) throw new RequestProblem('unprocessable', `${found.reason}. ${found.remedy}`)
    return found
  }

  async #checkpoint(step: string): Promise<void> {
    await this.#options.checkpoint?.(step)
  }

  async #record(entry: LandingEntry, change: Partial<LandingRecord>): Promise<LandingEntry> {
    const { at: _at, since: _since, ...before } = entry
    const landing: LandingRecord = { ...before, ...change }
    if (JSON.stringify(landing) === JSON.stringify(before)) return entry
    await this.#options.ledger.append({ type: 'landing-changed', landing })
    this.#options.changed()
    const now = this.#known(entry.attemptId)
    if (now.differs && !entry.differs) this.#options.differs?.(now)
    return now
  }

  /** Goes on with one, with its target to itself. */
  async #advance(attemptId: string, signal: AbortSignal): Promise<void> {
    const config = this.#options.config()
    if (config === null) return
    try {
      const repository = await this.#repository()
      const target = await findTarget(repository, this.#known(attemptId).target)
      const line = `${repository.common}\0${target.ref}`
      const inTurn = lines.get(line) ?? createSerializer()
      lines.set(line, inTurn)
      await inTurn(() => this.#land(attemptId, { repository, target, config, signal }))
    } catch (error) {
      if (signal.aborted) return
      const because = error instanceof Error ? error.message : String(error)
      this.#options.log.warn('Work could not land', { attempt: attemptId, error: because })
      await this.#record(this.#known(attemptId), { state: 'waiting', waitsFor: 'checks', because })
    }
  }

  async #land(attemptId: string, at: Place): Promise<void> {
    if (await this.#settled(this.#known(attemptId), at)) return
    for (let race = 0; race < MAX_RACES; race += 1) {
      const { tip, stale } = await tipOf(at.repository, at.target)
      if (stale !== null || tip === null) {
        const because =
          stale === null
            ? `The target ${at.target.name} does not exist: create it, or name another under [landing] target`
            : `${at.target.remote} cannot be reached: ${stale}`
        await this.#record(this.#known(attemptId), { state: 'waiting', waitsFor: 'remote', because })
        return
      }
      const tree = await this.#combine(attemptId, at, tip)
      if (tree === null || at.signal.aborted) return
      if ((await this.#offer(attemptId, at, tip, tree)) !== 'raced') return
    }
    await this.#record(this.#known(attemptId), {
      state: 'waiting',
      waitsFor: 'remote',
      because: `${at.target.name} moved ${MAX_RACES} times while this was about to land; it is tried again`,
    })
  }

  /** Returns whether it has landed already: by us before a crash, or by somebody else. */
  async #settled(entry: LandingEntry, { repository, target }: Place): Promise<boolean> {
    const { candidate, commit, from, tree } = entry
    const offered = candidate ?? commit
    if (offered === null && entry.branch === null) return false
    const { tip, stale } = await tipOf(repository, target)
    if (tip === null || stale !== null) return false
    const landedAs = await findOn(repository, entry, { offered, tip })
    if (landedAs === null) {
      if (candidate !== null) await this.#record(entry, { candidate: null, from: null })
      return false
    }
    const behind =
      candidate !== null && from !== null && target.remote === null
        ? await finishMove(repository, target, { from, to: candidate })
        : []
    for (const because of behind)
      this.#options.log.warn('A work tree could not follow its branch', { error: because })
    const landedTree = await ask(repository.git, 'rev-parse', '--verify', `${landedAs}^{tree}`)
    const differs = landedTree !== tree
    await this.#record(entry, {
      state: 'landed',
      commit: landedAs,
      candidate: null,
      from: null,
      waitsFor: null,
      differs,
      because: differs
        ? `${target.name} has the tree ${short(landedTree)} at ${short(landedAs)}, and ${short(tree)} was judged: look at what was merged`
        : candidate !== null
          ? [`It is on ${target.name}`, ...behind].join('. ')
          : `It was merged into ${target.name} elsewhere, with the contents that were judged`,
    })
    return true
  }

  /** Merges and judges. Returns the verified tree; `null`: it does not go on now. */
  async #combine(
    attemptId: string,
    { repository, target, signal }: Place,
    tip: string,
  ): Promise<string | null> {
    const entry = this.#known(attemptId)
    const merge = await mergeWork(repository.git, { base: entry.base, source: entry.source, tip })
    if (merge.kind === 'conflict') {
      await this.#back(
        entry,
        merge.conflict,
        `It cannot be merged with ${target.name}: ${listed(merge.conflict.paths)}`,
      )
      return null
    }
    const { tree } = merge
    const tipTree = await ask(repository.git, 'rev-parse', '--verify', `${tip}^{tree}`)
    if (tree === tipTree) {
      await this.#record(entry, {
        state: 'landed',
        tree,
        commit: tip,
        waitsFor: null,
        because: `${target.name} has these contents already`,
      })
      return null
    }
    if (tree === entry.verifiedTree || entry.judged.includes(tree)) return tree
    await this.#record(entry, {
      state: 'judging',
      tree,
      waitsFor: null,
      because: `It is judged together with ${target.name}`,
    })
    await this.#checkpoint('judging')
    const { verdict, held, reasons } = await this.#options.judge(entry, tip, tree, signal)
    if (signal.aborted) return null
    const now = this.#known(attemptId)
    const [first = 'no reason was given'] = reasons
    if (held !== null) {
      await this.#record(now, { state: 'held', because: `Together with ${target.name}: ${held}` })
      return null
    }
    if (verdict === 'verified') {
      await this.#record(now, { judged: [...now.judged.slice(-9), tree] })
      await this.#checkpoint('judged')
      return tree
    }
    if (verdict === 'not_verified') {
      const changed = await tryAsk(repository.git, 'diff', '--name-only', '-z', entry.base, entry.source)
      const paths = (changed ?? '').split('\0').filter((path) => path !== '')
      const conflict = {
        kind: 'semantic' as const,
        paths: paths.slice(0, 50),
        sides: '',
        reasons: reasons.slice(0, 20),
      }
      await this.#back(now, conflict, `It is not verified together with ${target.name}: ${first}`)
      return null
    }
    await this.#record(now, {
      state: 'waiting',
      waitsFor: 'checks',
      because: `It could not be judged together with ${target.name}: ${first}`,
    })
    return null
  }

  /** Once back to the task's next attempt; the second time a person looks at it. */
  async #back(
    entry: LandingEntry,
    conflict: NonNullable<LandingRecord['conflict']>,
    because: string,
  ): Promise<void> {
    const isSecond =
      entry.state !== 'conflict' && hasConflicted(this.#entries(), entry.taskId, entry.attemptId)
    await this.#record(entry, {
      state: isSecond ? 'held' : 'conflict',
      conflict,
      waitsFor: null,
      because: isSecond ? `${because}, for the second time` : because,
    })
    await this.#tellForge(entry, 'failure', because)
  }

  async #offer(attemptId: string, at: Place, tip: string, tree: string): Promise<'done' | 'raced'> {
    const { mode } = at.config.landing
    const entry = this.#known(attemptId)
    if (mode === 'ask' && !entry.approved) {
      await this.#record(entry, {
        state: 'waiting',
        waitsFor: 'operator',
        tree,
        because: `It waits for you: \`pulseward landing land ${attemptId}\` lands it on ${at.target.name}`,
      })
      return 'done'
    }
    const asBranch = (mode === 'branch' || mode === 'pull-request') && !entry.approved
    return asBranch ? this.#publish(attemptId, at, tip, tree) : this.#move(attemptId, at, tip, tree)
  }

  /** The steps that must not be done twice. */
  async #move(
    attemptId: string,
    { repository, target, config }: Place,
    tip: string,
    tree: string,
  ): Promise<'done' | 'raced'> {
    const commit = await this.#commit(this.#known(attemptId), repository, { tip, tree })
    await this.#checkpoint('committed')
    const entry = await this.#record(this.#known(attemptId), {
      state: 'judging',
      tree,
      candidate: commit,
      from: tip,
      waitsFor: null,
      because: `It is landing on ${target.name}`,
    })
    await this.#checkpoint('recorded')
    const moved = await moveTarget(repository, target, { from: tip, to: commit }, (step) =>
      this.#checkpoint(step),
    )
    if (moved.kind === 'raced') {
      await this.#record(entry, { candidate: null, from: null })
      return 'raced'
    }
    if (moved.kind === 'waits') {
      await this.#record(entry, {
        state: 'waiting',
        waitsFor: moved.for,
        because: moved.because,
        candidate: null,
        from: null,
      })
      return 'done'
    }
    await this.#checkpoint('moved')
    const stands = await readBack(repository, target)
    if (stands !== commit && stands !== null) {
      const isOn = await repository.git(['merge-base', '--is-ancestor', commit, stands])
      if (isOn.exitCode === 1) return 'raced'
    }
    if (stands === null) {
      await this.#record(entry, {
        state: 'waiting',
        waitsFor: 'remote',
        because: `${target.name} could not be read back`,
      })
      return 'done'
    }
    if (target.remote !== null) await tipOf(repository, target)
    await this.#record(entry, {
      state: 'landed',
      commit,
      candidate: null,
      from: null,
      waitsFor: null,
      because: `It is on ${target.name}`,
    })
    await this.#checkpoint('landed')
    const forge = target.remote === null ? null : await this.#forge(config, repository, target)
    await forge
      ?.status(commit, 'success', `${entry.taskId} verified`)
      .catch((error: unknown) => this.#warn(error))
    return 'done'
  }

  async #commit(
    entry: LandingEntry,
    { git }: Repository,
    { tip, tree }: { tip: string; tree: string },
  ): Promise<string> {
    const record = await this.#options.recordHead()
    const author = await tryAsk(git, 'show', '--no-patch', '--format=%an <%ae>', entry.source)
    return makeCommit(git, messageOf(entry, { tree, record }), { tree, parent: tip, author, record })
  }

  /** A branch, or a pull request from it: whoever merges it is not us. */
  async #publish(
    attemptId: string,
    { repository, target, config }: Place,
    tip: string,
    tree: string,
  ): Promise<'done' | 'raced'> {
    const before = this.#known(attemptId)
    const isPull = config.landing.mode === 'pull-request'
    const branch =
      before.branch ??
      (isPull ? `pulseward/${branchName(before.taskId)}` : `pulseward/${branchName(attemptId)}`)
    const isSame =
      before.commit !== null &&
      before.branch !== null &&
      before.tree === tree &&
      (await tryAsk(repository.git, 'rev-parse', `${before.commit}^`)) === tip
    const commit = isSame ? (before.commit as string) : await this.#commit(before, repository, { tip, tree })
    await this.#checkpoint('committed')
    const entry = await this.#record(before, { commit, branch, tree })
    await this.#checkpoint('recorded')
    const remote = target.remote ?? (isPull ? await firstRemote(repository) : null)
    const published =
      remote === null
        ? await repository.git(['update-ref', '-m', 'pulseward: offer', `refs/heads/${branch}`, commit])
        : await repository.git([
            'push',
            '--porcelain',
            '--no-verify',
            '--force',
            remote,
            `${commit}:refs/heads/${branch}`,
          ])
    if (!published.ok) {
      await this.#record(entry, {
        state: 'waiting',
        waitsFor: 'remote',
        because: `The branch ${branch} could not be published: ${lastLine(published.error)}`,
      })
      return 'done'
    }
    await this.#checkpoint('published')
    if (!isPull) {
      await this.#record(entry, {
        state: 'waiting',
        waitsFor: 'merge',
        because: `It is on the branch ${branch}: merge it into ${target.name}`,
      })
      return 'done'
    }
    const forge = await this.#forge(config, repository, target)
    if (forge === null) {
      await this.#record(entry, {
        state: 'waiting',
        waitsFor: 'remote',
        because: `There is no token to make a pull request with: set ${tokenEnvOf(config)} in the environment of Pulseward`,
      })
      return 'done'
    }
    const change = await this.#pull(forge, entry, { branch, commit, target, git: repository.git })
    await this.#record(this.#known(attemptId), change)
    return 'done'
  }

  async #pull(
    forge: Forge,
    entry: LandingEntry,
    {
      branch,
      commit,
      target,
      git,
    }: { branch: string; commit: string; target: Target; git: Repository['git'] },
  ): Promise<Partial<LandingRecord>> {
    try {
      const result = await this.#options.ledger.attempt(entry.attemptId)
      const pull = await forge.pull(entry.pullRequest?.number ?? null, {
        branch,
        target: target.branch,
        title: titleOf(entry),
        body: forge.body(
          entry,
          result,
          (await tryAsk(git, 'show', '--no-patch', '--format=%(trailers:only)', commit)) ?? '',
        ),
      })
      await this.#checkpoint('pulled')
      await forge.status(commit, 'success', `${entry.taskId} verified`)
      return {
        state: 'waiting',
        waitsFor: 'merge',
        pullRequest: { ...pull, branch },
        because: `Pull request #${pull.number} waits to be merged into ${target.name}: ${pull.url}`,
      }
    } catch (error) {
      const because = error instanceof Error ? error.message : String(error)
      return { state: 'waiting', waitsFor: 'remote', because }
    }
  }

  async #forge(config: WorkspaceConfig, repository: Repository, target: Target): Promise<Forge | null> {
    return this.#options.forge(config, repository, target).catch((error: unknown) => {
      this.#warn(error)
      return null
    })
  }

  /** A status on the commit that the forge has already; nowhere else. */
  async #tellForge(entry: LandingEntry, state: 'failure' | 'error', because: string): Promise<void> {
    const config = this.#options.config()
    if (entry.commit === null || entry.pullRequest === null || config === null) return
    const repository = await this.#repository()
    const forge = await this.#forge(config, repository, await findTarget(repository, entry.target))
    await forge?.status(entry.commit, state, because).catch((error: unknown) => this.#warn(error))
  }

  /** Dropped: what was published is closed. */
  async #closeElsewhere(entry: LandingEntry): Promise<void> {
    const config = this.#options.config()
    if (entry.branch === null || config === null) return
    try {
      const repository = await this.#repository()
      const target = await findTarget(repository, entry.target)
      if (entry.pullRequest !== null)
        await (await this.#forge(config, repository, target))?.close(entry.pullRequest.number)
      const remote = target.remote ?? (entry.pullRequest === null ? null : await firstRemote(repository))
      if (remote === null)
        await repository.git(['update-ref', '-d', `refs/heads/${entry.branch}`, entry.commit ?? ''])
      else await repository.git(['push', '--no-verify', remote, `:refs/heads/${entry.branch}`])
    } catch (error) {
      this.#warn(error)
    }
  }

  #warn(error: unknown): void {
    this.#options.log.warn('A forge could not be told', {
      error: error instanceof Error ? error.message : String(error),
    })
  }
}

interface Place {
  readonly repository: Repository
  readonly target: Target
  readonly config: WorkspaceConfig
  readonly signal: AbortSignal
}

/** A repository that the work made inside of the tree: git would keep its commit alone. */
async function nestedRepository({ git }: Repository, from: string, to: string): Promise<string | null> {
  const changed = await tryAsk(git, 'diff-tree', '-r', '--no-renames', from, to)
  const line = changed?.split('\n').find((each) => /^:\d+ 160000 /.test(each))
  return line?.split('\t')[1] ?? null
}

/** Looked through for a squash or rebase of the work. */
const MAX_COMMITS = '500'

/** Returns the commit by which the target got the work; `null`: it has not. */
async function findOn(
  { git }: Repository,
  { attemptId, base }: LandingRecord,
  { offered, tip }: { readonly offered: string | null; readonly tip: string },
): Promise<string | null> {
  if (offered !== null && (await git(['merge-base', '--is-ancestor', offered, tip])).ok) {
    if (offered === tip) return tip
    const merges = await tryAsk(git, 'rev-list', '--first-parent', `${offered}..${tip}`)
    const onLine = await tryAsk(git, 'rev-list', '--first-parent', '-n', MAX_COMMITS, tip)
    if (onLine?.split('\n').includes(offered) === true) return offered
    return merges?.split('\n').at(-1) || tip
  }
  const found = await tryAsk(
    git,
    'log',
    '-n',
    MAX_COMMITS,
    '--first-parent',
    '--format=%H',
    '--fixed-strings',
    `--grep=Pulseward-Attempt: ${attemptId}`,
    `${base}..${tip}`,
  )
  return found?.split('\n').find((line) => line !== '') ?? null
}

async function firstRemote({ git }: Repository): Promise<string | null> {
  const remotes = ((await tryAsk(git, 'remote')) ?? '').split('\n').filter((each) => each !== '')
  return remotes.includes('origin') ? 'origin' : (remotes[0] ?? null)
}

export function tokenEnvOf({ landing }: WorkspaceConfig): string {
  return (
    landing.tokenEnv ??
    (landing.forge === null
      ? 'a token'
      : { github: 'GITHUB_TOKEN', gitlab: 'GITLAB_TOKEN', forgejo: 'FORGEJO_TOKEN' }[landing.forge])
  )
}

function branchName(text: string): string {
  return (
    text
      .replace(/[^A-Za-z0-9_-]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 80) || 'work'
  )
}

function titleOf({ description, taskId }: LandingRecord): string {
  const words = description.replace(/[\s\p{Cc}]+/gu, ' ').trim() || taskId
  return words.length <= 100 ? words : `${words.slice(0, 99).trimEnd()}…`
}

function short(id: string): string {
  return id.slice(0, 12)
}

function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).join(', ')
  return paths.length > 3 ? `${shown} and ${paths.length - 3} more` : shown
}
