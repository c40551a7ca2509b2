import { TriangleAlert } from 'lucide-react'
import type { Trust, TrustItem } from '../../../../core/read-model/trust.ts'
import { visibleText } from '../../../../core/text/visible-text.ts'
import { counted } from '../../format/counted.ts'
import { TextDifference } from '../../ui/text-difference.tsx'
import { ChecksList } from './checks-list.tsx'
import styles from './trust.module.css'
import { deedsInWords, MOMENTS } from './trust-words.ts'

/** Exactly what an approval would allow, grouped by when it happens; what is dangerous or new; what changed; what is wrong. */
export function TrustReview({
  workspaceId,
  trust,
}: {
  /** `null`: what is shown is a draft, or belongs to no workspace yet. */
  workspaceId: string | null
  trust: Trust
}) {
  const { commands, problems, approvedText, text, checks } = trust
  const dangerous = commands.filter(({ warnings }) => warnings.length > 0).length
  return (
    <div className="stack gap-4">
      {problems.length > 0 && <Problems problems={problems} />}
      {problems.length === 0 && (
        <section>
          <h3 className={styles.heading}>It would {deedsInWords(commands)}</h3>
          {dangerous > 0 && (
            <p className={styles.danger}>
              <TriangleAlert size={15} aria-hidden />{' '}
              {dangerous === 1
                ? 'One of these looks risky; see the warning below it.'
                : `${dangerous} of these look risky; see the warnings below them.`}
            </p>
          )}
          {Object.entries(MOMENTS).map(([when, words]) => (
            <Moment key={when} words={words} items={commands.filter((item) => item.when === when)} />
          ))}
        </section>
      )}
      {problems.length === 0 && workspaceId !== null && (
        <ChecksList workspaceId={workspaceId} checks={checks} />
      )}
      {approvedText !== null && text !== null ? (
        <section>
          <h3 className={styles.heading}>What changed since you approved it</h3>
          <TextDifference before={approvedText} after={text} label="Difference of pulseward.toml" />
        </section>
      ) : (
        text !== null &&
        text !== '' && (
          <details className={styles.file}>
            <summary>The whole pulseward.toml</summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
            <pre className={styles.text} tabIndex={0}>
              {text}
            </pre>
          </details>
        )
      )}
    </div>
  )
}

function Moment({ words, items }: { words: string; items: readonly TrustItem[] }) {
  if (items.length === 0) return null
  return (
    <>
      <h4 className={styles.moment}>{words}</h4>
      <ul className="card small divided">
        {items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same command may stand there twice
          <li key={index} className={styles.command} data-new={item.isNew}>
            <span className="quiet breaks">
              {visibleText(item.purpose)}
              {item.isNew && <span className={styles.new}>new</span>}
            </span>
            <div>
              <code className={styles.line}>
                {item.command.map((part, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: arguments have no other identity
                  <Argument key={at} text={part} />
                ))}
              </code>
              {item.warnings.map((warning) => (
                <p key={warning} className={styles.warning}>
                  <TriangleAlert size={13} aria-hidden /> <bdi>{visibleText(warning)}</bdi>
                </p>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}

/** One argument; in a box if it is empty or contains white space, so that no argument can hide in another. */
function Argument({ text }: { text: string }) {
  const boxed = text === '' || /\s/u.test(text)
  return (
    <>
      <bdi className={boxed ? styles.boxed : undefined}>{visibleText(text)}</bdi>{' '}
    </>
  )
}

function Problems({ problems }: { problems: Trust['problems'] }) {
  return (
    <section role="alert">
      <h3 className={styles.heading}>
        {counted(problems.length, 'problem')} in pulseward.toml: correct before you approve
      </h3>
      <ul className={styles.problems}>
        {problems.map((problem) => (
          <li key={`${problem.line}:${problem.column}:${problem.message}`} className={styles.problem}>
            <span className={styles.place}>
              {problem.line}:{problem.column}
            </span>
            <span dir="auto">{problem.message}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
