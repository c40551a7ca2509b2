import { useState } from 'react'
import type { ProposalView } from '../../../../api/schemas/proposal.ts'
import { shownDifference } from '../../../../core/text/visible-text.ts'
import type { ProposalDecision } from '../../../../core/vocabulary/proposal.ts'
import { counted } from '../../format/counted.ts'
import { routeTo } from '../../route/route.ts'
import { useAnswer } from '../../store/use-answer.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import { PatchView } from '../../ui/patch-view.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import styles from './proposals.module.css'
import { useDecide } from './use-decide.ts'

/** Changes to contract and configuration that an agent made while running, oldest first, each with its difference and buttons to answer. */
export function ProposalsPanel({ workspaceId }: { workspaceId: string }) {
  const freshness = useApp((state) => state.details[workspaceId]?.marks.proposals)
  const { value, problem, retry } = useAnswer(
    (api) => api.proposals.list,
    { workspace: workspaceId },
    freshness,
  )
  if (problem !== null) {
    return <NotLoaded what="The proposals" problem={problem} retry={retry} />
  }
  if (value === null) return <Skeleton width="100%" height={96} />
  const proposals = value.proposals.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
  if (proposals.length === 0) return null
  return (
    <section className="stack gap-3" aria-label="Proposals">
      <h2 className="normal">
        {proposals.length === 1
          ? 'A change needs your review'
          : `${proposals.length} changes need your review`}
      </h2>
      <p className={styles.quiet}>
        {proposals.length === 1 ? 'It was' : 'They were'} made while an agent was running. Your version stays
        in effect until you accept. Added tasks already run, but don’t score.
      </p>
      {proposals.map((proposal) => (
        <ProposalCard key={proposal.id} proposal={proposal} />
      ))}
    </section>
  )
}

function ProposalCard({ proposal }: { proposal: ProposalView }) {
  const { file, during, at, asksLess, adds, items, diff, workspace, attemptIds } = proposal
  const [attemptId] = attemptIds
  return (
    <article
      className={styles.card}
      data-less={asksLess}
      aria-label={`Change of ${file}${asksLess ? ', which weakens it' : adds ? ', which only adds' : ''}`}
    >
      <p>
        <strong>{file}</strong> changed while <bdi>{during}</bdi>, <RelativeTime at={at} />.{' '}
        {asksLess && <span className={styles.less}>It was weakened.</span>}
        {adds && <span className="quiet">It only adds.</span>}
        {attemptId !== undefined && (
          <>
            {' '}
            <a href={routeTo(workspace, 'attempt', attemptId)}>The attempt</a>
          </>
        )}
      </p>
      <Items proposal={proposal} />
      {diff === null ? (
        <p className={styles.quiet}>The texts are too long to be compared line by line.</p>
      ) : (
        <details className={styles.difference}>
          <summary>Line by line</summary>
          <PatchView patch={shownDifference(file, diff)} label={`Difference of ${file}`} />
        </details>
      )}
      {items.length === 0 && <p className={styles.quiet}>There is no description of this change.</p>}
    </article>
  )
}

/** What it changes, one sentence each; if there are several, they can be answered individually. */
function Items({ proposal: { id, workspace, file, items } }: { proposal: ProposalView }) {
  const { proposal: answer } = useDecide()
  const [unchosen, setUnchosen] = useState<ReadonlySet<number>>(new Set())
  const [busy, setBusy] = useState(false)
  // A configuration is answered as a whole: accepting parts would make a version that no one wrote.
  const canChoose = file === 'HEARTBEAT.md' && items.length > 1
  const chosen = items.flatMap((_item, index) => (unchosen.has(index) ? [] : [index]))
  const isAll = chosen.length === items.length
  const say = async (word: ProposalDecision) => {
    if (busy || chosen.length === 0) return
    setBusy(true)
    if (await answer(workspace, id, word, isAll ? undefined : chosen)) setUnchosen(new Set())
    setBusy(false)
  }
  const toggle = (index: number) => {
    const next = new Set(unchosen)
    if (!next.delete(index)) next.add(index)
    setUnchosen(next)
  }
  const which = isAll ? '' : ` ${counted(chosen.length, 'change')}`
  return (
    <>
      <ul className="stack gap-1" aria-label={`What it changes in ${file}`}>
        {items.map(({ words }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: items are answered by their place
          <li key={index}>
            {canChoose ? (
              <label className={styles.item}>
                <input type="checkbox" checked={!unchosen.has(index)} onChange={() => toggle(index)} />
                <span dir="auto">{words}</span>
              </label>
            ) : (
              <span dir="auto">{words}</span>
            )}
          </li>
        ))}
      </ul>
      <div className="flow">
        <Button acts aria-disabled={busy || chosen.length === 0} onClick={() => void say('accept')}>
          Accept{which}
        </Button>
        <Button acts aria-disabled={busy || chosen.length === 0} onClick={() => void say('revert')}>
          Revert{which}
        </Button>
      </div>
    </>
  )
}
