import type { Trust } from '../../../../api/schemas/trust.ts'
import { counted } from '../../format/counted.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { lineDiff } from './line-diff.ts'
import styles from './trust.module.css'

/** Exactly what an approval would allow: the commands, what changed since the last one, and what is wrong in the file. */
export function TrustReview({ trust }: { trust: Trust }) {
  return (
    <div className={styles.review}>
      {trust.problems.length > 0 && <Problems problems={trust.problems} />}
      <section>
        <h3 className={styles.heading}>It would run {counted(trust.commands.length, 'command')}</h3>
        <ul className={styles.commands}>
          {trust.commands.map(({ purpose, command }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same command may stand there twice
            <li key={index} className={styles.command}>
              <span className={styles.purpose}>{purpose}</span>
              <code className={styles.line}>
                {command.map((part, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: arguments have no other identity
                  <Argument key={at} text={part} />
                ))}
              </code>
            </li>
          ))}
        </ul>
      </section>
      {trust.approvedText !== null && trust.text !== null ? (
        <Changes before={trust.approvedText} after={trust.text} />
      ) : (
        trust.text !== null && (
          <details className={styles.file}>
            <summary>The whole pulseward.toml</summary>
            <pre className={styles.text}>{trust.text}</pre>
          </details>
        )
      )}
    </div>
  )
}

/** One argument; boxed where it holds white space or nothing, so that none can hide in another. */
function Argument({ text }: { text: string }) {
  const boxed = text === '' || /\s/u.test(text)
  return (
    <>
      <bdi className={boxed ? styles.boxed : undefined}>{text}</bdi>{' '}
    </>
  )
}

function Problems({ problems }: { problems: Trust['problems'] }) {
  return (
    <section role="alert">
      <h3 className={styles.heading}>
        {counted(problems.length, 'problem')} in pulseward.toml: mend before you approve
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

const SIGNS = { same: ' ', added: '+', removed: '\u2212', gap: '⋯' } as const
const WORDS = { same: '', added: 'added: ', removed: 'removed: ', gap: '' } as const

function Changes({ before, after }: { before: string; after: string }) {
  return (
    <section>
      <h3 className={styles.heading}>What changed since you approved it</h3>
      <ol className={styles.diff}>
        {lineDiff(before, after).map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text have no other identity
          <li key={index} className={styles.diffLine} data-kind={line.kind}>
            <span className={styles.sign} aria-hidden>
              {SIGNS[line.kind]}
            </span>
            {WORDS[line.kind] !== '' && <VisuallyHidden>{WORDS[line.kind]}</VisuallyHidden>}
            {line.text}
          </li>
        ))}
      </ol>
    </section>
  )
}
