import { Fragment, type ReactNode, useEffect, useState } from 'react'
import { counted } from '../../format/counted.ts'
import { sentence } from '../../format/sentence.ts'
import { routeTo } from '../../route/route.ts'
import { replaceAddress } from '../../route/use-route.ts'
import { useWorkspaceDetail } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { goToSection, type ListedSection, SectionList } from '../../ui/section-list.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { Programs } from '../sessions/programs.tsx'
import { ChecksList } from '../trust/checks-list.tsx'
import { ChangedOnDisk } from './changed-on-disk.tsx'
import { GatesTrial } from './checks/gates-trial.tsx'
import { JudgeTrial } from './checks/judge-trial.tsx'
import { Probes } from './checks/probes.tsx'
import { FIELD_GROUPS, type FieldGroup, fieldsWith } from './fields.ts'
import { NoFile } from './no-file.tsx'
import { RawFile } from './raw-file.tsx'
import { SaveDialog } from './save-dialog.tsx'
import { SettingInput } from './setting-input.tsx'
import { type Draft, useDraft } from './use-draft.ts'
import styles from './workspace-settings.module.css'

/** The settings of one workspace, which are in its `pulseward.toml`: as a form, next to the file itself. */
export function WorkspaceSettingsScreen({
  workspaceId,
  section,
  allow,
}: {
  workspaceId: string
  /** The section named in the address, in lower case. */
  section: string | null
  /** A path that the agent may write to once the operator saves it. */
  allow: string | null
}) {
  const detail = useWorkspaceDetail(workspaceId)
  const { draft, problem } = useDraft(
    workspaceId,
    `${detail?.marks.configuration} ${JSON.stringify(detail?.trustDetail)}`,
  )
  if (draft === null) {
    return problem === null ? (
      <Skeleton width="100%" height={240} />
    ) : (
      <p className={styles.failure} role="alert">
        {problem.message}
      </p>
    )
  }
  if (draft.base.unreadable !== null) {
    return (
      <p className={styles.failure} role="alert">
        {draft.base.unreadable}
      </p>
    )
  }
  if (draft.base.hash === null && draft.text === '' && draft.theirs === null) return <NoFile draft={draft} />
  return (
    <WholeForm key={workspaceId} workspaceId={workspaceId} section={section} allow={allow} draft={draft} />
  )
}

function WholeForm({
  workspaceId,
  section,
  allow,
  draft,
}: {
  workspaceId: string
  section: string | null
  allow: string | null
  draft: Draft
}) {
  useAllowed(workspaceId, allow, draft)
  const detail = useWorkspaceDetail(workspaceId)
  const [words, setWords] = useState('')
  useEffect(() => {
    if (section !== null) goToSection(idOf(section))
  }, [section])
  const isSearching = words.trim() !== ''
  const groups = FIELD_GROUPS.map((group) => ({ ...group, fields: fieldsWith(group, words) })).filter(
    ({ fields }) => fields.length > 0,
  )
  return (
    <div className="stack gap-4">
      <SaveBar draft={draft} />
      <ChangedOnDisk draft={draft} />
      <SectionList label="Sections of the setup" sections={listed(draft)} />
      <div className={styles.columns}>
        <div className={styles.form}>
          <TextField
            label="Find a setting"
            type="search"
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
          {groups.map((group) => (
            <Fragment key={group.title}>
              {group.title === 'Gates' && !isSearching && <Probes workspaceId={workspaceId} draft={draft} />}
              <Group
                group={group}
                draft={draft}
                isOpen={isSearching}
                trial={isSearching ? null : trialOf(group.title, workspaceId, draft)}
              />
            </Fragment>
          ))}
          {groups.length === 0 && (
            <p className={styles.note} role="status">
              No setting has “{words.trim()}” in its name. The file beside it may have more.
            </p>
          )}
          {detail !== undefined && !isSearching && (
            <div id={idOf('Checks')} tabIndex={-1}>
              <ChecksList workspaceId={workspaceId} checks={detail.trustDetail.checks} />
            </div>
          )}
        </div>
        <RawFile text={draft.text} problems={draft.report.problems} onChange={draft.write} />
      </div>
    </div>
  )
}

/** Puts a path into its field, once: the operator sees it there, and saves or discards it. */
function useAllowed(workspaceId: string, path: string | null, draft: Draft): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the draft of that moment
  useEffect(() => {
    if (path === null) return
    const before = draft.report.values[WRITABLE.join('.')]
    const paths = Array.isArray(before) ? before.filter((each) => typeof each === 'string') : []
    if (!paths.includes(path)) draft.edit(WRITABLE, [...paths, path])
    replaceAddress(routeTo(workspaceId, 'setup', 'sandbox'))
  }, [path])
}

const WRITABLE = ['agent', 'writable']

/** In the order of the form, including those that are more than fields. */
const SECTIONS = [
  ...FIELD_GROUPS.flatMap(({ title }) => (title === 'Gates' ? ['Probes', title] : [title])),
  'Checks',
]

const idOf = (title: string): string => `setup-${title.toLowerCase().replaceAll(' ', '-')}`

const listed = (draft: Draft): ListedSection[] =>
  SECTIONS.map((title) => ({
    id: idOf(title),
    title,
    isWrong: FIELD_GROUPS.some((group) => group.title === title && isWrong(group, draft)),
  }))

function isWrong(group: FieldGroup, draft: Draft): boolean {
  return draft.report.problems.some(({ path }) => group.fields.some(({ name }) => name === path))
}

/** The state of the draft, and the only action for it. */
function SaveBar({ draft }: { draft: Draft }) {
  const [saving, setSaving] = useState(false)
  const hindrance = hindranceToSave(draft)
  return (
    <div className={styles.bar}>
      <p className={styles.state} role="status" data-problem={draft.problem !== null}>
        {draft.problem ?? stateInWords(draft, hindrance)}
      </p>
      {draft.isDirty && <Button onClick={draft.discard}>Discard</Button>}
      <Button
        look="primary"
        aria-disabled={hindrance !== null}
        onClick={() => hindrance === null && setSaving(true)}
      >
        Save…
      </Button>
      {saving && <SaveDialog draft={draft} onClose={() => setSaving(false)} />}
    </div>
  )
}

function hindranceToSave(draft: Draft): string | null {
  const { problems } = draft.report
  if (draft.theirs !== null) return 'Choose first which version to keep.'
  if (!draft.isDirty) {
    const [first] = problems
    if (first !== undefined) return `pulseward.toml, line ${first.line}: ${sentence(first.message)}`
    return draft.report.trust.state === 'approved' ? 'Saved and approved.' : 'No changes here.'
  }
  if (problems.length > 0)
    return `Unsaved changes. Correct ${counted(problems.length, 'problem')} before saving.`
  return draft.isChecking ? 'Unsaved changes, being checked…' : null
}

function stateInWords(draft: Draft, hindrance: string | null): string {
  return hindrance ?? (draft.base.hash === null ? 'A new file, not written yet.' : 'Unsaved changes.')
}

/** Returns the trial shown below a section's fields. */
function trialOf(title: string, workspaceId: string, draft: Draft): ReactNode {
  switch (title) {
    case 'Gates':
      return <GatesTrial workspaceId={workspaceId} draft={draft} />
    case 'Sessions':
      return <Programs workspaceId={workspaceId} />
    case 'Judge':
      return <JudgeTrial workspaceId={workspaceId} draft={draft} />
    default:
      return null
  }
}

function Group({
  group,
  draft,
  isOpen,
  trial,
}: {
  group: FieldGroup
  draft: Draft
  /** Whether it is open even if usually folded. */
  isOpen: boolean
  trial: ReactNode
}) {
  const fields = (
    <div className={styles.fields}>
      {group.fields.map((field) => (
        <SettingInput key={field.name} field={field} draft={draft} />
      ))}
    </div>
  )
  const lead = group.lead !== undefined && <p className={styles.note}>{group.lead}</p>
  if (group.isFolded !== true) {
    return (
      <section className="stack shrinks" aria-label={group.title} id={idOf(group.title)} tabIndex={-1}>
        <h2 className={styles.groupTitle}>{group.title}</h2>
        {lead}
        {fields}
        {trial}
      </section>
    )
  }
  return (
    <details
      className="stack shrinks"
      id={idOf(group.title)}
      tabIndex={-1}
      open={isOpen || isWrong(group, draft) || undefined}
    >
      <summary className={styles.groupTitle}>{group.title}</summary>
      {lead}
      {fields}
    </details>
  )
}
