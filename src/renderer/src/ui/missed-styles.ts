/** Marks style sheets that did not come, until the function it answers with is called: afterwards nothing tells one from an empty one. */
export function markMissedStyles(): () => void {
  const mark = ({ target }: Event): void => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') target.dataset.missed = ''
  }
  // What a resource reports does not bubble.
  document.addEventListener('error', mark, { capture: true })
  return () => document.removeEventListener('error', mark, { capture: true })
}

/**
 * Asks again for style sheets that did not come: the bundler's loader asks for each once, and another try would show its part
 * without it. Rejects if one does not come either.
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
    again.addEventListener('error', () => reject(new Error(`${link.href} did not come.`)))
  })
  link.replaceWith(again)
  return come
}
