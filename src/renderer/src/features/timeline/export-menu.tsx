import { Download } from 'lucide-react'
import { useState } from 'react'
import { toProblem } from '../../api-client/problem.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { fileName, saveFile } from '../../ui/save-file.ts'
import { inputOf, type ShownFilter } from './filter.ts'

const TYPES = { json: 'application/json', csv: 'text/csv' } as const

type Format = keyof typeof TYPES

/** Saves everything that matches the filter of a workspace's timeline as a file, not only what is loaded. */
export function ExportMenu({
  workspaceId,
  name,
  filter,
}: {
  workspaceId: string
  name: string
  filter: ShownFilter
}) {
  const api = useApp((state) => state.api)
  return (
    <SaveMenu
      name={name}
      load={(format) => api.timeline.export({ workspace: workspaceId, format, ...inputOf(filter) })}
    />
  )
}

/** Saves a timeline as a file named after `name`. */
export function SaveMenu({
  name,
  load,
}: {
  name: string
  load: (format: Format) => Promise<AsyncIterable<string>>
}) {
  const showToast = useApp((state) => state.showToast)
  const [busy, setBusy] = useState(false)
  const save = async (format: Format) => {
    if (busy) return
    setBusy(true)
    try {
      const pieces: Blob[] = []
      // Make each piece a separate blob, so that the browser can keep them on disk.
      for await (const piece of await load(format)) pieces.push(new Blob([piece]))
      saveFile(new Blob(pieces, { type: TYPES[format] }), `${fileName(name)}-timeline.${format}`)
    } catch (error) {
      const text = `The timeline was not exported. ${toProblem(error).message}`
      showToast({ tone: 'problem', text, undo: null })
    }
    setBusy(false)
  }
  return (
    <Menu
      trigger={
        <Button aria-disabled={busy}>
          <Download size={14} aria-hidden /> {busy ? 'Exporting…' : 'Export'}
        </Button>
      }
    >
      <MenuItem onSelect={() => void save('json')}>As JSON</MenuItem>
      <MenuItem onSelect={() => void save('csv')}>As CSV, for a spreadsheet</MenuItem>
    </Menu>
  )
}
