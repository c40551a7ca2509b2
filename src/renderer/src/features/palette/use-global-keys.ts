import { useEffect } from 'react'
import { helpAddress } from '../../route/route.ts'
import { navigate } from '../../route/use-route.ts'
import { goAlongRows } from './row-keys.ts'

/** What a key opens, wherever the focus is. */
type Wish = 'palette' | 'keys'

/** Keys handled here. */
type Way = 'help' | 'back' | 'forward' | 'next-row' | 'row-before'

export function isMac(): boolean {
  return navigator.platform.startsWith('Mac')
}

/**
 * Calls `onWish` for Ctrl/Cmd-K, and for `?` if nothing is being typed (Ctrl/Cmd-/ everywhere). F1 opens the documentation, and the browser
 * keys for back and forward also work in the app's window. `j` and `k` move through the rows of the screen.
 */
export function useGlobalKeys(onWish: (wish: Wish) => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const wish = wishOf(event)
      if (wish === null) return
      event.preventDefault()
      if (wish === 'help') navigate(helpAddress())
      else if (wish === 'back') history.back()
      else if (wish === 'forward') history.forward()
      else if (wish === 'next-row') goAlongRows(1)
      else if (wish === 'row-before') goAlongRows(-1)
      else onWish(wish)
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [onWish])
}

function wishOf(event: KeyboardEvent): Wish | Way | null {
  if (event.defaultPrevented) return null
  const way = wayOf(event)
  if (way !== null) return way
  if (event.altKey) return null
  const withModifier = isMac() ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey
  if (withModifier && !event.shiftKey && event.key.toLowerCase() === 'k') return 'palette'
  if (withModifier && event.key === '/') return 'keys'
  if (event.key === 'F1') return 'help'
  if (event.ctrlKey || event.metaKey || isTyping(event.target)) return null
  if (event.key === '?') return 'keys'
  // Dialogs and menus over the page handle these keys themselves.
  if (document.querySelector('dialog[open], [role=dialog], [role=menu]') !== null) return null
  return event.key === 'j' ? 'next-row' : event.key === 'k' ? 'row-before' : null
}

/** Returns the direction for Alt with an arrow; on a Mac, where that moves by words, Cmd with a bracket. */
function wayOf(event: KeyboardEvent): 'back' | 'forward' | null {
  const { key, altKey, metaKey, ctrlKey, shiftKey } = event
  const isAsked = isMac() ? metaKey && !altKey : altKey && !metaKey
  if (!isAsked || ctrlKey || shiftKey || isTyping(event.target)) return null
  if (key === (isMac() ? '[' : 'ArrowLeft')) return 'back'
  return key === (isMac() ? ']' : 'ArrowRight') ? 'forward' : null
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  )
}
