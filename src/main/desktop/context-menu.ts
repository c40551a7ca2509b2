import { type BrowserWindow, clipboard, Menu, type MenuItemConstructorOptions } from 'electron'

type Item = MenuItemConstructorOptions

/** Opens a context menu in the page with the usual actions for text. */
export function offerContextMenu(window: BrowserWindow): void {
  window.webContents.on('context-menu', (_event, { editFlags, isEditable, selectionText, linkURL }) => {
    const items: Item[] = [
      ...(isEditable
        ? ([
            { role: 'undo', enabled: editFlags.canUndo },
            { role: 'redo', enabled: editFlags.canRedo },
            { type: 'separator' },
            { role: 'cut', enabled: editFlags.canCut },
          ] satisfies Item[])
        : []),
      ...(isEditable || selectionText.trim() !== ''
        ? ([{ role: 'copy', enabled: editFlags.canCopy }] satisfies Item[])
        : []),
      ...(isEditable ? ([{ role: 'paste', enabled: editFlags.canPaste }] satisfies Item[]) : []),
      ...linkItems(linkURL),
      { type: 'separator' },
      { role: 'selectAll', enabled: editFlags.canSelectAll },
    ]
    Menu.buildFromTemplate(items).popup({ window })
  })
}

/** Returns the item that copies a link in the page as a link to the app, which works from anywhere. */
function linkItems(url: string): Item[] {
  const at = url.indexOf('#/')
  if (at < 0) return []
  const link = `pulseward://${url.slice(at + 2)}`
  return [{ id: 'copy-link', label: 'Copy link', click: () => clipboard.writeText(link) }]
}
