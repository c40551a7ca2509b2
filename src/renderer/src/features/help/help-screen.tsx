import { useEffect, useState } from 'react'
import { HELP_GROUPS, HELP_PAGES } from '../../format/help-pages.ts'
import { helpAddress } from '../../route/route.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import styles from './help.module.css'
import { helpText } from './help-texts.ts'
import { Markdown } from './markdown.tsx'

/** The documentation of this version, readable offline. */
export function HelpScreen({ page, anchor }: { page: string | null; anchor: string | null }) {
  const id = page ?? HELP_PAGES[0]?.id ?? ''
  return (
    <div className={styles.screen}>
      <nav className={styles.pages} aria-label="Documentation">
        <a href="#/">Back to the workspaces</a>
        {HELP_GROUPS.map(({ title, pages }) => (
          <ul key={title} aria-label={title}>
            <li className={styles.group} aria-hidden="true">
              {title}
            </li>
            {pages.map((each) => (
              <li key={each.id}>
                <a href={helpAddress(each.id)} aria-current={each.id === id ? 'page' : undefined}>
                  {each.title}
                </a>
              </li>
            ))}
          </ul>
        ))}
      </nav>
      <Page key={id} id={id} anchor={anchor} />
    </div>
  )
}

function Page({ id, anchor }: { id: string; anchor: string | null }) {
  const [text, setText] = useState<string | null | 'loading'>('loading')
  useEffect(() => {
    let isShown = true
    helpText(id).then(
      (found) => isShown && setText(found),
      () => isShown && setText(null),
    )
    return () => {
      isShown = false
    }
  }, [id])
  useEffect(() => {
    if (text === 'loading') return
    const heading = document.getElementById(`help-${anchor}`)
    if (heading === null) return
    heading.scrollIntoView()
    heading.focus({ preventScroll: true })
  }, [anchor, text])
  if (text === 'loading') return <Skeleton width="100%" height={320} />
  if (text === null) {
    return (
      <div className={styles.text}>
        <h1>No such page</h1>
        <p>The documentation of this version has no page {JSON.stringify(id)}. Choose one from the list.</p>
      </div>
    )
  }
  return <Markdown id={id} text={text} />
}
