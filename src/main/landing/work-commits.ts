import type { LandingEntry } from '../../core/record/state.ts'
import type { WorkspaceConfig } from '../ports/workspace-config.ts'
import { asksForSignature, makeCommit, messageOf, SigningProblem } from './commit.ts'
import { tryAsk } from './git.ts'
import type { Repository } from './repository.ts'

export interface LandingFacts {
  /** Position in the record. */
  readonly record: string
  readonly author: string | null
  readonly isSigned: boolean
}

export interface WorkCommitsOptions {
  /** Returns the approved configuration, or `null`. */
  readonly config: () => WorkspaceConfig | null
  /** Returns the position in the record, for the commits' trailer. */
  readonly recordHead: () => Promise<string>
}

/** Makes the commits by which work lands. */
export class WorkCommits {
  readonly #options: WorkCommitsOptions
  /** Commits that did not land yet, to be reused for the next try. */
  readonly #made = new Map<string, { readonly tip: string; readonly tree: string; readonly commit: string }>()

  /** A signature that did not end. Further ones would not either, and each takes minutes. */
  #hung: SigningProblem | null = null

  constructor(options: WorkCommitsOptions) {
    this.#options = options
  }

  /** Signs again after a signature did not end. */
  tryAgain(): void {
    this.#hung = null
  }

  async factsOf({ source }: LandingEntry, { git }: Repository): Promise<LandingFacts> {
    const [record, author, isSigned] = await Promise.all([
      this.#options.recordHead(),
      tryAsk(git, 'show', '--no-patch', '--format=%an <%ae>', source),
      asksForSignature(git),
    ])
    return { record, author, isSigned }
  }

  /**
   * Returns the commit of a tree on top of `tip`: the same one as long as neither changes. Rejects if it cannot be created, immediately if
   * it has to be signed and a signature did not end since `tryAgain`.
   */
  async commit(
    entry: LandingEntry,
    { git }: Repository,
    { tip, tree }: { tip: string; tree: string },
    { record, author, isSigned }: LandingFacts,
    signal: AbortSignal,
  ): Promise<string> {
    const known = this.#made.get(entry.attemptId)
    if (known?.tip === tip && known.tree === tree) return known.commit
    if (isSigned && this.#hung !== null) throw this.#hung
    const shared = this.#options.config()?.heartbeat.lease ?? null
    const message = messageOf(entry, { tree, record, shared })
    const making = { isSigned, signal }
    const commit = await makeCommit(git, message, { tree, parent: tip, author }, making).catch(
      (error: unknown) => {
        if (error instanceof SigningProblem && error.hasHung) this.#hung = error
        throw error
      },
    )
    this.#made.set(entry.attemptId, { tip, tree, commit })
    return commit
  }

  /** Forgets the commit of work that has landed. */
  forget(attemptId: string): void {
    this.#made.delete(attemptId)
  }
}
