import { Button } from './button.tsx'
import styles from './section-list.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

export interface ListedSection {
  /** The id of its element. */
  readonly id: string
  readonly title: string
  /** Whether it contains a problem. */
  readonly isWrong?: boolean
}

/** Scrolls to a section and focuses it; opens it if it is folded. */
export function goToSection(id: string): void {
  const section = document.getElementById(id)
  if (section instanceof HTMLDetailsElement) section.open = true
  section?.scrollIntoView()
  section?.focus({ preventScroll: true })
}

/** The sections of a long screen, each a link that also shows whether it contains a problem. */
export function SectionList({ label, sections }: { label: string; sections: readonly ListedSection[] }) {
  return (
    <nav className={styles.sections} aria-label={label}>
      {sections.map(({ id, title, isWrong = false }) => (
        <Button key={id} look="quiet" onClick={() => goToSection(id)}>
          {title}
          {isWrong && (
            <>
              {' '}
              <span className="problem" aria-hidden>
                •
              </span>
              <VisuallyHidden>has a problem</VisuallyHidden>
            </>
          )}
        </Button>
      ))}
    </nav>
  )
}
