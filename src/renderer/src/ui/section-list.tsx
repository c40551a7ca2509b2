import { Button } from './button.tsx'
import styles from './section-list.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

export interface ListedSection {
  /** Of its element. */
  readonly id: string
  readonly title: string
  /** Something in it is wrong. */
  readonly isWrong?: boolean
}

/** Brings a section into view and puts the focus on it; one that is folded is opened. */
export function goToSection(id: string): void {
  const section = document.getElementById(id)
  if (section instanceof HTMLDetailsElement) section.open = true
  section?.scrollIntoView()
  section?.focus({ preventScroll: true })
}

/** The sections of a long screen: each leads to its own, and says where something is wrong in it. */
export function SectionList({ label, sections }: { label: string; sections: readonly ListedSection[] }) {
  return (
    <nav className={styles.sections} aria-label={label}>
      {sections.map(({ id, title, isWrong = false }) => (
        <Button key={id} look="quiet" onClick={() => goToSection(id)}>
          {title}
          {isWrong && (
            <>
              {' '}
              <span className={styles.wrong} aria-hidden>
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
