/*
 * Keeps the scroll position with each entry of the browser's history. Going back and reloading return to it, however long the content takes
 * to load. A new entry begins at the top.
 */

/** Marks elements that identify a position; the value is unique on the screen. */
const MARK = 'data-place'

interface Place {
  /** Pixels. */
  readonly top: number
  /** The first marked element in view, and how far below the top edge it begins, because the content above it may change its height. */
  readonly at: { readonly name: string; readonly below: number } | null
}

/** A position is stored this long after the last scrolling, because browsers limit how often an entry is written. */
const REST_MS = 150
/** Content that takes longer to load is not waited for. */
const MAX_WAIT_MS = 10_000
/** The position counts as reached once nothing has moved for this long. */
const STILL_MS = 400
/** Input that shows that the user is moving around the page, so that a return must stop. */
const HANDS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/** The return in progress; `isLists`: a list that draws only visible items scrolls there itself. */
let returning: { readonly place: Place; isLists: boolean } | null = null

/** Keeps the scroll positions of `window`'s page and returns to them, until the returned function is called. */
export function keepPlaces(page: Window): () => void {
  const stopped = new AbortController()
  const { signal } = stopped
  let timer: number | null = null
  let address = addressOf(page)
  const write = () => {
    if (timer === null) return
    page.clearTimeout(timer)
    timer = null
    const place = placeOf(page)
    if (place !== null && returning === null) page.history.replaceState({ ...page.history.state, place }, '')
  }
  const onScroll = ({ target }: Event) => {
    if (returning !== null || target !== contentOf(page)) return
    if (timer !== null) page.clearTimeout(timer)
    timer = page.setTimeout(write, REST_MS)
  }
  const go = () => {
    // Scrolling since then belongs to a different position.
    if (timer !== null) page.clearTimeout(timer)
    timer = null
    const place: Place | undefined = page.history.state?.place
    const from = address
    address = addressOf(page)
    if (place !== undefined) returnTo(page, place)
    else if (from !== address) {
      returning = null
      contentOf(page)?.scrollTo({ top: 0 })
    }
  }
  const follow = () => {
    address = addressOf(page)
  }
  const onHand = () => {
    returning = null
    write()
  }
  page.addEventListener('scroll', onScroll, { capture: true, passive: true, signal })
  // Not for an address that replaced another in the same entry; and before the page follows, which waits for `hashchange`.
  page.addEventListener('popstate', go, { signal })
  page.addEventListener('hashchange', follow, { signal })
  page.addEventListener('pagehide', write, { signal })
  for (const hand of HANDS) page.addEventListener(hand, onHand, { capture: true, passive: true, signal })
  const place: Place | undefined = page.history.state?.place
  if (place !== undefined) returnTo(page, place)
  return () => {
    stopped.abort()
    returning = null
    if (timer !== null) page.clearTimeout(timer)
  }
}

/** For a list that draws only what is in view: returns the name of the element to scroll to, `null` if no return is in progress. */
export function takeReturn(): string | null {
  if (returning?.place.at == null) return null
  returning.isLists = true
  return returning.place.at.name
}

/** For a list that draws only its beginning: whether the position to return to is beyond that. */
export function isReturnBeyond(): boolean {
  const content = contentOf(window)
  if (returning === null || returning.isLists || content === null) return false
  const { top, at } = returning.place
  return (at === null || marked(content, at.name) === null) && top > highest(content)
}

/** Returns the address without its filter, because filtering keeps the position. */
function addressOf(page: Window): string {
  return page.location.hash.split('?')[0] ?? ''
}

function contentOf(page: Window): HTMLElement | null {
  return page.document.getElementById('content')
}

function placeOf(page: Window): Place | null {
  const content = contentOf(page)
  if (content === null) return null
  // At the top, stay at the top, whatever element comes first later.
  if (content.scrollTop < 1) return { top: 0, at: null }
  const edge = content.getBoundingClientRect().top
  for (const element of content.querySelectorAll(`[${MARK}]`)) {
    const { top, bottom } = element.getBoundingClientRect()
    if (bottom > edge)
      return {
        top: content.scrollTop,
        at: { name: element.getAttribute(MARK) ?? '', below: top - edge },
      }
  }
  return { top: content.scrollTop, at: null }
}

/** Scrolls there as far as there is content, and again with each frame until everything is loaded and stable, or the user moves. */
function returnTo(page: Window, place: Place): void {
  const mine = { place, isLists: false }
  returning = mine
  const until = page.performance.now() + MAX_WAIT_MS
  let stillSince = Number.POSITIVE_INFINITY
  const step = (now: number) => {
    if (returning !== mine) return
    const content = contentOf(page)
    const isThere = content !== null && approach(content, mine)
    stillSince = isThere ? Math.min(stillSince, now) : Number.POSITIVE_INFINITY
    if (now > until || now - stillSince > STILL_MS) returning = null
    else page.requestAnimationFrame(step)
  }
  page.requestAnimationFrame(step)
}

/** Scrolls closer; returns whether it was already there, to a pixel. */
function approach(
  content: HTMLElement,
  { place: { top, at }, isLists }: NonNullable<typeof returning>,
): boolean {
  const element = at === null ? null : marked(content, at.name)
  if (element === null && isLists) return false
  const below = element === null || at === null ? 0 : at.below
  const wanted =
    element === null
      ? top
      : content.scrollTop + element.getBoundingClientRect().top - content.getBoundingClientRect().top - below
  if (Math.abs(wanted - content.scrollTop) <= 1) return true
  content.scrollTop = wanted
  // A list that has become shorter ends before that position.
  return element !== null && wanted > highest(content)
}

function marked(content: HTMLElement, name: string): HTMLElement | null {
  return content.querySelector<HTMLElement>(`[${MARK}="${CSS.escape(name)}"]`)
}

function highest({ scrollHeight, clientHeight }: HTMLElement): number {
  return scrollHeight - clientHeight
}
