import { tokenVariable } from '../../core/configuration/landing.ts'
import { isBranchShared } from '../../core/landing/steps.ts'
import type { LandingRecord } from '../../core/record/landing-record.ts'
import type { LandingEntry } from '../../core/record/state.ts'
import type { Ledger } from '../ports/ledger.ts'
import type { Log } from '../ports/log.ts'
import type { WorkspaceConfig } from '../ports/workspace-config.ts'
import { branchAt, branchName, firstRemote, setBranch } from './branches.ts'
import type { Forge, PullEnd, StatusState } from './forge.ts'
import { tryAsk } from './git.ts'
import type { LandingJournal } from './journal.ts'
import { checkedOut } from './move-target.ts'
import { findTarget, type Repository, type Target } from './repository.ts'
import type { WorkCommits } from './work-commits.ts'

export interface OffersOptions {
  /** The workspace's id; several workspaces can share a repository. */
  readonly workspace: string
  readonly ledger: Ledger
  readonly log: Log
  /** Returns the approved configuration, or `null`. */
  readonly config: () => WorkspaceConfig | null
  readonly forge: (config: WorkspaceConfig, repository: Repository, target: Target) => Promise<Forge | null>
  readonly repository: () => Promise<Repository>
  /** Returns false if the operator overruled or rated down the work in the meantime. */
  readonly isStillWanted: (attemptId: string) => Promise<boolean>
}

/** Where work is landing. */
export interface Place {
  readonly isLookingAgain: boolean
  readonly repository: Repository
  readonly target: Target
  readonly config: WorkspaceConfig
  readonly signal: AbortSignal
}

/** Offers work to others: as a branch, or as a pull request that tells its forge the verdict. */
export class Offers {
  readonly #options: OffersOptions
  readonly #journal: LandingJournal
  readonly #commits: WorkCommits

  constructor(options: OffersOptions, journal: LandingJournal, commits: WorkCommits) {
    this.#options = options
    this.#journal = journal
    this.#commits = commits
  }

  /** Publishes a branch, and a pull request from it, for someone else to merge. */
  async publish(attemptId: string, at: Place, tip: string, tree: string): Promise<'done' | 'raced'> {
    const { repository, target, config, isLookingAgain } = at
    const before = this.#journal.known(attemptId)
    const isPull = config.landing.mode === 'pull-request'
    const branch = before.branch ?? this.#branchFor(before, isPull)
    const waits = async (waitsFor: 'remote' | 'merge' | 'clean-tree', because: string): Promise<'done'> => {
      await this.#journal.record(this.#journal.known(attemptId), { state: 'waiting', waitsFor, because })
      return 'done'
    }
    if (isBranchShared({ ...before, branch }, this.#journal.entries()))
      return waits('merge', `The branch ${branch} offers other work that is open: land or drop that first`)
    const remote = target.remote ?? (isPull ? await firstRemote(repository) : null)
    const there = await branchAt(repository, remote, branch)
    if (there === undefined)
      return waits('remote', `${remote} cannot be reached to publish the branch ${branch}`)
    const isSame =
      before.commit !== null &&
      before.branch !== null &&
      before.tree === tree &&
      (await tryAsk(repository.git, 'rev-parse', `${before.commit}^`)) === tip
    const commit = isSame
      ? (before.commit as string)
      : await this.#commits.commit(
          before,
          repository,
          { tip, tree },
          await this.#commits.factsOf(before, repository),
          at.signal,
        )
    const isUnchanged = isSame && there === commit
    if (!(isUnchanged && isLookingAgain) && (await this.#hasPullEnded(attemptId, at))) return 'done'
    const obstacle =
      there === commit ? null : await this.#obstacle({ git: repository.git, remote, branch, there })
    if (obstacle !== null) return waits(...obstacle)
    await this.#journal.checkpoint('committed')
    if (!(await this.#options.isStillWanted(attemptId))) return 'done'
    const entry = await this.#journal.record(this.#journal.known(attemptId), { commit, branch, tree })
    await this.#journal.checkpoint('recorded')
    if (there !== commit) {
      const failed = await setBranch(repository, { remote, branch, from: there, to: commit })
      if (failed !== null) return waits('remote', `The branch ${branch} could not be published: ${failed}`)
    }
    await this.#journal.record(this.#journal.known(attemptId), { published: commit })
    const isOffered = before.state === 'waiting' && before.waitsFor === 'merge'
    const isKnown = isUnchanged && isOffered && before.published !== null
    if (isPull && isKnown && before.pullRequest !== null) return 'done'
    await this.#journal.checkpoint('published')
    if (!isPull) {
      const problem = remote === null || isKnown ? null : await this.#tellVerified(entry, commit, at)
      return problem === null
        ? waits('merge', `It is on the branch ${branch}: merge it into ${target.name}`)
        : waits('remote', problem)
    }
    const forge = await this.#forge(config, repository, target)
    if (forge === null) {
      return waits(
        'remote',
        `There is no token to make a pull request with: set ${tokenVariable(config.landing) ?? 'it'} in the environment of Pulseward`,
      )
    }
    const change = await this.#pull(forge, entry, { branch, commit, target, git: repository.git })
    await this.#journal.record(this.#journal.known(attemptId), change)
    return 'done'
  }

  /** Returns what the work waits for if a branch that is at the commit `there` can't be replaced, and why. */
  async #obstacle({
    git,
    remote,
    branch,
    there,
  }: {
    readonly git: Repository['git']
    readonly remote: string | null
    readonly branch: string
    readonly there: string | null
  }): Promise<readonly ['merge' | 'clean-tree', string] | null> {
    const ours = this.#journal
      .entries()
      .flatMap((one) => (one.branch === branch ? [one.published, one.commit] : []))
    if (there !== null && !ours.includes(there))
      return [
        'merge',
        `The branch ${branch} has commits that are not Pulseward’s, and they stay: merge it, or delete it`,
      ]
    const [open] = remote === null ? await checkedOut(git, `refs/heads/${branch}`) : []
    if (open === undefined) return null
    return [
      'clean-tree',
      `The branch ${branch} is checked out in ${open}, and stays as it is until it is not`,
    ]
  }

  /**
   * Returns the commit of the target by which someone merged the work's pull request, with any message; `not-here`: the
   * target doesn't have it, and the work waits; `null`: none did. Asks the forge only once the target has moved.
   */
  async mergedAs(entry: LandingEntry, tip: string, at: Place): Promise<string | 'not-here' | null> {
    const { git } = at.repository
    if (entry.approved || entry.commit === null) return null
    if ((await tryAsk(git, 'rev-parse', `${entry.commit}^`)) === tip) return null
    const end = await this.#endOfPull(entry, at)
    if (end?.kind !== 'merged') return null
    const isHere = end.commit !== null && (await git(['merge-base', '--is-ancestor', end.commit, tip])).ok
    if (isHere) return end.commit
    await this.#waitForMerged(entry, at)
    return 'not-here'
  }

  async #waitForMerged(entry: LandingEntry, { target }: Place): Promise<void> {
    await this.#journal.record(entry, {
      state: 'waiting',
      waitsFor: 'merge',
      because: `Pull request #${entry.pullRequest?.number} was merged, and ${target.name} does not have it here yet: bring it up to date`,
    })
  }

  async #endOfPull(entry: LandingEntry, { repository, target, config }: Place): Promise<PullEnd | null> {
    if (entry.pullRequest === null || entry.published === null) return null
    const forge = await this.#forge(config, repository, target)
    return (
      forge?.end(entry.pullRequest.number).catch((error: unknown) => {
        this.#warn(error)
        return null
      }) ?? null
    )
  }

  /** Holds the work if its pull request was closed without a merge, or waits for what was merged; returns whether either happened. */
  async #hasPullEnded(attemptId: string, at: Place): Promise<boolean> {
    const entry = this.#journal.known(attemptId)
    const end = await this.#endOfPull(entry, at)
    const number = entry.pullRequest?.number
    if (end === null) return false
    if (end.kind === 'merged') {
      await this.#waitForMerged(entry, at)
      return true
    }
    await this.#journal.record(entry, {
      state: 'held',
      waitsFor: null,
      pullRequest: null,
      because: `Pull request #${number} was closed without a merge: \`pulseward landing retry ${attemptId}\` opens another`,
    })
    return true
  }

  /** Returns one branch per attempt, or per task for pull requests; a task keeps the branch of its pull request. */
  #branchFor({ taskId, attemptId }: LandingEntry, isPull: boolean): string {
    if (!isPull) return `pulseward/${branchName(attemptId)}`
    const earlier = this.#journal.entries().find((one) => one.taskId === taskId && one.pullRequest !== null)
    return earlier?.branch ?? `pulseward/${branchName(this.#options.workspace)}-${branchName(taskId)}`
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
      const pull = await forge.pull(entry.published === null ? null : (entry.pullRequest?.number ?? null), {
        branch,
        target: target.branch,
        title: titleOf(entry),
        body: forge.body(
          entry,
          result,
          (await tryAsk(git, 'show', '--no-patch', '--format=%(trailers:only)', commit)) ?? '',
        ),
      })
      await this.#journal.checkpoint('pulled')
      await forge.status(commit, 'success', `${entry.taskId} verified`, pull.url)
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

  /** Tells the forge that a published branch is verified. Returns why that failed, or `null`. */
  async #tellVerified(
    { taskId }: LandingEntry,
    commit: string,
    { repository, target, config }: Place,
  ): Promise<string | null> {
    const forge = await this.#forge(config, repository, target)
    const telling = forge?.status(commit, 'success', `${taskId} verified`) ?? Promise.resolve()
    return telling.then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
  }

  /** Sets a status, only on a commit that the forge has. */
  async tellForge(entry: LandingEntry, state: StatusState, because: string): Promise<void> {
    const config = this.#options.config()
    const { commit, published, pullRequest } = entry
    if (commit === null || published === null || config === null) return
    const repository = await this.#options.repository()
    const target = await findTarget(repository, entry.target)
    if (pullRequest === null && target.remote === null) return
    const forge = await this.#forge(config, repository, target)
    await forge?.status(commit, state, because, pullRequest?.url).catch((error: unknown) => this.#warn(error))
  }

  /** Closes the pull request and deletes the branch. The next `process` tries again what failed. */
  async withdraw(entry: LandingEntry): Promise<void> {
    const config = this.#options.config()
    const { branch, published, pullRequest } = entry
    if (branch === null || published === null || config === null) return
    try {
      const repository = await this.#options.repository()
      const target = await findTarget(repository, entry.target)
      if (!isBranchShared(entry, this.#journal.entries())) {
        if (pullRequest !== null) {
          const forge = await this.#forge(config, repository, target)
          if (forge === null) return
          await forge.close(pullRequest.number)
        }
        const remote = target.remote ?? (pullRequest === null ? null : await firstRemote(repository))
        const there = await branchAt(repository, remote, branch)
        const [open] = remote === null ? await checkedOut(repository.git, `refs/heads/${branch}`) : []
        if (there === undefined) return
        // Keep a branch that has other commits or is checked out.
        if (there === published && open === undefined) {
          const failed = await setBranch(repository, { remote, branch, from: published, to: null })
          if (failed !== null) throw new Error(failed)
        }
      }
      const now = this.#journal.known(entry.attemptId)
      await this.#journal.record(now, { published: null, commit: now.state === 'landed' ? now.commit : null })
    } catch (error) {
      this.#warn(error)
    }
  }

  /** Tells the forge of a remote target that the work landed as this commit. */
  async tellLanded(
    { taskId }: LandingEntry,
    commit: string,
    { repository, target, config }: Pick<Place, 'repository' | 'target' | 'config'>,
  ): Promise<void> {
    const forge = target.remote === null ? null : await this.#forge(config, repository, target)
    await forge?.status(commit, 'success', `${taskId} verified`).catch((error: unknown) => this.#warn(error))
  }

  #warn(error: unknown): void {
    this.#options.log.warn('A forge could not be told', {
      error: error instanceof Error ? error.message : String(error),
    })
  }
}

function titleOf({ description, taskId }: LandingRecord): string {
  const words = description.replace(/[\s\p{Cc}]+/gu, ' ').trim() || taskId
  return words.length <= 100 ? words : `${words.slice(0, 99).trimEnd()}…`
}
