import { useRef } from 'react'
import type { ConfigurationProblem } from '../../../../api/schemas/configuration.ts'
import { counted } from '../../format/counted.ts'
import styles from './workspace-settings.module.css'

/** The file itself, to read and edit, with its problems below; each links to its place. */
export function RawFile({
  text,
  problems,
  onChange,
}: {
  text: string
  problems: readonly ConfigurationProblem[]
  onChange: (text: string) => void
}) {
  const area = useRef<HTMLTextAreaElement>(null)
  const gutter = useRef<HTMLPreElement>(null)
  const lines = text.split('\n').length
  const wrong = new Set(problems.map(({ line }) => line))
  const goTo = ({ line, column }: ConfigurationProblem) => {
    const before = text.split('\n').slice(0, line - 1)
    const at = before.reduce((sum, each) => sum + each.length + 1, 0) + column - 1
    const element = area.current
    if (element === null) return
    element.focus()
    element.setSelectionRange(at, at)
    element.scrollTop = Math.max(0, (line - 4) * LINE_PX)
  }
  return (
    <section className={styles.raw} aria-label="pulseward.toml">
      <h2 className="small mono">pulseward.toml</h2>
      <div className={styles.editor}>
        <pre ref={gutter} className={styles.gutter} aria-hidden>
          {Array.from({ length: lines }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line's number is its identity
            <span key={index} data-wrong={wrong.has(index + 1)}>
              {index + 1}
            </span>
          ))}
        </pre>
        <textarea
          ref={area}
          className={styles.text}
          aria-label="Text of pulseward.toml"
          aria-invalid={problems.length > 0 ? true : undefined}
          value={text}
          wrap="off"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          onChange={(event) => onChange(event.target.value)}
          onScroll={(event) => {
            if (gutter.current !== null) gutter.current.scrollTop = event.currentTarget.scrollTop
          }}
        />
      </div>
      <div className={styles.problems} aria-live="polite">
        {problems.length > 0 && (
          <>
            <h3 className={styles.problemsTitle}>{counted(problems.length, 'problem')}</h3>
            <ul>
              {problems.map((problem) => (
                <li key={`${problem.line}:${problem.column}:${problem.message}`}>
                  <button type="button" className={styles.problem} onClick={() => goTo(problem)}>
                    <span className="tiny quiet mono">
                      {problem.line}:{problem.column}
                    </span>
                    <span dir="auto">{problem.message}</span>
                  </button>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </section>
  )
}

/** The same as in the style sheet. */
const LINE_PX = 20
