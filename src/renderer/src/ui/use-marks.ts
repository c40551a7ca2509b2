import { type RefObject, useEffect } from 'react'

/** The name used by `::highlight()` in controls.css. */
const NAME = 'searched'

/**
 * Highlights `text` everywhere in an element, ignoring case, and updates as the element changes. Highlights are painted over the text and
 * don't change it; a browser without support shows none.
 */
export function useMarks(element: RefObject<HTMLElement | null>, text: string): void {
  useEffect(() => {
    const whole = element.current
    if (whole === null || text === '' || !('highlights' in CSS)) return
    const mark = () => CSS.highlights.set(NAME, new Highlight(...rangesOf(whole, text.toLowerCase())))
    mark()
    const changes = new MutationObserver(mark)
    changes.observe(whole, { subtree: true, childList: true, characterData: true })
    return () => {
      changes.disconnect()
      CSS.highlights.delete(NAME)
    }
  }, [element, text])
}

function rangesOf(element: HTMLElement, lowerText: string): Range[] {
  const ranges: Range[] = []
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const words = node.textContent?.toLowerCase() ?? ''
    // A letter with a longer lowercase form would shift everything after it.
    if (words.length !== node.textContent?.length) continue
    for (let at = words.indexOf(lowerText); at >= 0; at = words.indexOf(lowerText, at + lowerText.length)) {
      const range = new Range()
      range.setStart(node, at)
      range.setEnd(node, at + lowerText.length)
      ranges.push(range)
    }
  }
  return ranges
}
