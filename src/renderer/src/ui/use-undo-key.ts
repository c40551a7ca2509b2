import { useEffect } from 'react'

/** Calls `undo` on Ctrl/Cmd-Z, except in text fields, which have their own undo. `null`: there is nothing to undo. */
export function useUndoKey(undo: (() => void) | null): void {
  useEffect(() => {
    if (undo === null) return
    const listen = (event: KeyboardEvent): void => {
      const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey)
      if (!isUndo || event.shiftKey || event.altKey || event.defaultPrevented || isTyping(event.target))
        return
      event.preventDefault()
      undo()
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [undo])
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA'].includes(target.tagName))
  )
}
