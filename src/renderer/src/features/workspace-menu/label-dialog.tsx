import { type FormEvent, useState } from 'react'
import type { Workspace } from '../../../../core/read-model/workspace.ts'
import { MAX_NAME_LENGTH, MAX_TAG_LENGTH, MAX_TAGS } from '../../../../core/vocabulary/label.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import styles from './workspace-menu.module.css'

/** Edits a workspace's name and the tags by which it is grouped. */
export function LabelDialog({
  workspace,
  onClose,
}: {
  workspace: Pick<Workspace, 'id' | 'name' | 'path' | 'tags'>
  onClose: () => void
}) {
  const api = useApp((state) => state.api)
  const refresh = useApp((state) => state.refresh)
  const [name, setName] = useState(workspace.name)
  const [tags, setTags] = useState(workspace.tags.join(', '))
  const { busy, problem, submit } = useSubmit()
  const listed = tagsOf(tags)
  const nameProblem = name.trim().length <= MAX_NAME_LENGTH ? null : `At most ${MAX_NAME_LENGTH} characters.`
  const areTagsRight = listed.length <= MAX_TAGS && listed.every(({ length }) => length <= MAX_TAG_LENGTH)
  const tagsProblem = areTagsRight
    ? null
    : `At most ${MAX_TAGS}, of at most ${MAX_TAG_LENGTH} characters each.`
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (nameProblem !== null || tagsProblem !== null) return
    void submit(async () => {
      await api.workspaces.label({ id: workspace.id, name: name.trim() === '' ? null : name, tags: listed })
      await refresh()
      onClose()
    })
  }
  return (
    <Dialog title={`Rename ${workspace.name}`} onClose={onClose}>
      <form className="stack gap-4" onSubmit={save}>
        <TextField
          label="Name"
          value={name}
          problem={nameProblem}
          hint="Only in Pulseward: the folder keeps its name. Left empty, the folder’s name is used."
          onChange={(event) => setName(event.target.value)}
        />
        <TextField
          label="Tags"
          value={tags}
          problem={tagsProblem}
          hint="Separated by commas, such as: work, night. The list of workspaces can be grouped by tag."
          onChange={(event) => setTags(event.target.value)}
        />
        <ProblemNote text={problem} />
        <div className={styles.buttons}>
          <Button type="submit" look="primary" aria-disabled={busy}>
            Save
          </Button>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function tagsOf(text: string): string[] {
  const tags = text.split(',').map((tag) => tag.trim())
  return [...new Set(tags.filter((tag) => tag !== ''))]
}
