import { judgedTrees } from '../../core/landing/steps.ts'
import type { AttemptResult } from '../../core/record/events.ts'
import type { LandingRecord } from '../../core/record/landing-record.ts'
import { addToNote, type Git, readCommit } from '../attestation/repository.ts'
import type { RecordingStep } from '../ports/ledger.ts'
import type { Log } from '../ports/log.ts'
import { createSerializer } from '../process/serialize.ts'
import { type AttestedWorkspace, type Attesting, attestRecorded, gitOf } from './attest-recorded.ts'

/** Attests recorded verdicts automatically. */
export interface VerdictAttester extends RecordingStep {
  /** Resolves once everything is signed. */
  settled(): Promise<void>
}

/**
 * Signs each verdict about the checked-out commit, and all work that landed as it was judged, into the note of the commit, if `isOn`.
 * Neither heartbeats nor the queue wait for it. Failures are logged; `pulseward attest` can sign later.
 */
export function attestVerdicts(
  workspace: AttestedWorkspace,
  by: Attesting & { readonly log: Log },
  isOn: () => boolean,
): VerdictAttester {
  const serialize = createSerializer()
  const git = gitOf(workspace)
  const done = new Set<string>()
  let last: Promise<void> = Promise.resolve()
  const attest = async (attemptId: string, landing: LandingRecord | null): Promise<void> => {
    const landedAs = landing?.commit ?? null
    if (landing !== null && !(await isAsJudged(git, landing)))
      throw new Error(`${landedAs} has other contents than were judged`)
    const attested = await attestRecorded(workspace, by, attemptId, landedAs)
    if (attested === null || attested.commit === null) return
    const isOut = landedAs !== null || (await readCommit(git, 'HEAD'))?.commit === attested.commit
    if (!isOut || done.has(`${attemptId} ${attested.commit}`)) return
    const problem = await addToNote(git, attested.commit, attested.envelopes)
    if (problem !== null) throw new Error(problem)
    done.add(`${attemptId} ${attested.commit}`)
  }
  const soon = (attemptId: string, landing: LandingRecord | null): void => {
    last = serialize(() => attest(attemptId, landing)).catch((error: unknown) =>
      by.log.warn('A verdict could not be attested', { attempt: attemptId, error: String(error) }),
    )
  }
  return {
    watch: () => (recorded) => {
      if (!isOn()) return
      for (const event of recorded) {
        if (event.type === 'attempt-finished' && isOfCommit(event.result)) soon(event.result.attemptId, null)
        if (event.type === 'landing-changed' && event.landing.state === 'landed')
          soon(event.landing.attemptId, event.landing)
      }
    },
    settled: () => last,
  }
}

/** Someone else may have merged the work with other contents, or together with something that was never judged with it. */
async function isAsJudged(git: Git, landing: LandingRecord): Promise<boolean> {
  const landed = landing.commit === null ? null : await readCommit(git, landing.commit)
  return landed !== null && judgedTrees(landing).includes(landed.tree)
}

function isOfCommit({ verdict, tree }: AttemptResult): boolean {
  return verdict !== null && tree?.isDirty === false
}
