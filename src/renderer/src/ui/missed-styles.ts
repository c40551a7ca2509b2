/** Marks style sheets that failed to load, until the returned function is called: later, they cannot be distinguished from empty ones. */
export function markMissedStyles(): () => void {
  const mark = ({ target }: Event): void => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') target.dataset.missed = ''
  }
  // Error events of resources do not bubble.
  document.addEventListener('error', mark, { capture: true })
  return () => document.removeEventListener('error', mark, { capture: true })
}

/**
 * Loads failed style sheets again: the bundler's loader requests each only once, and another try would show its part without styles.
 * Rejects if one fails again.
 */
export async function fetchMissedStyles(): Promise<void> {
  const missed = document.querySelectorAll<HTMLLinkElement>('link[data-missed]')
  await Promise.all([...missed].map(fetchAnew))
}

function fetchAnew(link: HTMLLinkElement): Promise<void> {
  const again = link.cloneNode() as HTMLLinkElement
  delete again.dataset.missed
  const come = new Promise<void>((resolve, reject) => {
    again.addEventListener('load', () => resolve())
    again.addEventListener('error', () => reject(new Error(`${link.href} could not be loaded.`)))
  })
  link.replaceWith(again)
  return come
}
