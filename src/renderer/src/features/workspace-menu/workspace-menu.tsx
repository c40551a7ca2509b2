import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import type { Workspace } from '../../../../core/read-model/workspace.ts'
import { routeTo } from '../../route/route.ts'
import { navigate } from '../../route/use-route.ts'
import { useAnswer } from '../../store/use-answer.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { LabelDialog } from './label-dialog.tsx'
import { useWorkspaceActions } from './use-workspace-actions.ts'

/** Actions on a whole workspace. Omits those that need a desktop if there is none. */
export function WorkspaceMenu({
  workspace,
}: {
  workspace: Pick<Workspace, 'id' | 'name' | 'path' | 'tags' | 'running'>
}) {
  const { value: capabilities } = useAnswer((api) => api.desktop.capabilities, undefined)
  const [labelling, setLabelling] = useState(false)
  const actions = useWorkspaceActions()
  const { name } = workspace
  return (
    <>
      <Menu
        trigger={
          <Button
            look="icon"
            aria-label={`More about ${name}`}
            title="Rename, verify a change, open, export, remove"
          >
            <Ellipsis size={16} aria-hidden />
          </Button>
        }
      >
        <MenuItem onSelect={() => setLabelling(true)}>Rename and tags…</MenuItem>
        <MenuItem onSelect={() => navigate(routeTo(workspace.id, 'verify'))}>Verify a change…</MenuItem>
        <MenuSeparator />
        {capabilities?.openPath === true && (
          <MenuItem onSelect={() => void actions.openFolder(workspace)}>Open folder</MenuItem>
        )}
        <MenuItem onSelect={() => void actions.openInEditor(workspace)}>Open in editor</MenuItem>
        <MenuItem onSelect={() => void actions.copyPath(workspace)}>Copy path</MenuItem>
        <MenuItem onSelect={() => void actions.exportRecord(workspace)}>Export record</MenuItem>
        <MenuSeparator />
        <MenuItem onSelect={() => void actions.remove(workspace)}>
          {workspace.running === null ? 'Remove' : 'Stop and remove'}
        </MenuItem>
      </Menu>
      {labelling && <LabelDialog workspace={workspace} onClose={() => setLabelling(false)} />}
    </>
  )
}
