import { useEffect } from 'react'
import { helpAddress } from '../../route/route.ts'
import { navigate } from '../../route/use-route.ts'

/** What a key asks of the page, wherever the focus is. */
type Wish = 'palette' | 'keys'

export function isMac(): boolean {
  return navigator.platform.startsWith('Mac')
}

/** Calls `onWish` for Ctrl/Cmd-K, and for `?` where nothing is being typed (Ctrl/Cmd-/ everywhere); F1 opens the documentation. */
export function useGlobalKeys(onWish: (wish: Wish) => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const wish = wishOf(event)
      if (wish === null) return
      event.preventDefault()
      if (wish === 'help') navigate(helpAddress())
      else onWish(wish)
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [onWish])
}

function wishOf(event: KeyboardEvent): Wish | 'help' | null {
  if (event.defaultPrevented || event.altKey) return null
  const withModifier = isMac() ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey
  if (withModifier && !event.shiftKey && event.key.toLowerCase() === 'k') return 'palette'
  if (withModifier && event.key === '/') return 'keys'
  if (event.key === 'F1') return 'help'
  const plain = !event.ctrlKey && !event.metaKey
  return plain && event.key === '?' && !isTyping(event.target) ? 'keys' : null
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  )
}
