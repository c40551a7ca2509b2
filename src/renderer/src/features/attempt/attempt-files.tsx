import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import type { AttemptDetail, AttemptFiles } from '../../../../core/read-model/attempt.ts'
import { type Problem, toProblem } from '../../api-client/problem.ts'
import { counted } from '../../format/counted.ts'
import { linesOf, plainText } from '../../store/output-buffer.ts'
import { useApp } from '../../store/use-app.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { lazyNamed } from '../../ui/lazy-named.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import styles from './attempt-panel.module.css'
import { OutputView } from './output-view.tsx'

const DifferenceView = lazyNamed(() => import('../../ui/difference-view.tsx'), 'DifferenceView')
const ReplayView = lazyNamed(() => import('./replay-view.tsx'), 'ReplayView')

/** The long parts of an attempt, each loaded and drawn only when opened: the prompt, what changed in the files, the output. */
export function AttemptFilesView({
  workspaceId,
  detail,
  isWhole,
}: {
  workspaceId: string
  detail: AttemptDetail
  /** Whether the attempt is the whole screen: then the replay starts open. */
  isWhole: boolean
}) {
  const api = useApp((state) => state.api)
  const [files, setFiles] = useState<AttemptFiles | Problem | null>(null)
  const load = () => {
    if (files !== null && 'prompt' in files) return
    api.attempts
      .files({ workspace: workspaceId, id: detail.attemptId })
      .then(setFiles, (error) => setFiles(toProblem(error)))
  }
  return (
    <div className="stack">
      <Section title="Replay" onOpen={load} startsOpen={isWhole}>
        <Loaded files={files}>
          {({ replay }) =>
            replay === null ? (
              <p className="faint">The times of its steps were not recorded for this attempt.</p>
            ) : (
              <Suspense fallback={<Skeleton width="60%" />}>
                <ReplayView replay={replay} comparisons={detail.comparisons} />
              </Suspense>
            )
          }
        </Loaded>
      </Section>
      <Section title="Prompt" onOpen={load}>
        <Loaded files={files}>
          {({ prompt }) =>
            prompt === null ? (
              <p className="faint">The prompt of this attempt was not kept.</p>
            ) : (
              <>
                <CopyButton text={prompt}>Copy the prompt</CopyButton>
                <figure
                  className={styles.log}
                  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
                  tabIndex={0}
                  aria-label="Prompt of the agent"
                >
                  <pre>{prompt}</pre>
                </figure>
              </>
            )
          }
        </Loaded>
      </Section>
      {detail.filesChangedCount > 0 && (
        <Section title={`What changed in ${counted(detail.filesChangedCount, 'file')}`} onOpen={load}>
          <Loaded files={files}>
            {({ difference }) => <Difference workspaceId={workspaceId} difference={difference} />}
          </Loaded>
        </Section>
      )}
      <Output workspaceId={workspaceId} text={detail.output} />
    </div>
  )
}

function Difference({ workspaceId, difference }: { workspaceId: string; difference: string | null }) {
  if (difference === null) {
    return (
      <p className="faint">
        Only the names of the files are known. Their lines are recorded where the folder is a git repository.
      </p>
    )
  }
  return difference === '' ? (
    <p className="faint">No text changed.</p>
  ) : (
    <Suspense fallback={<Skeleton width="60%" />}>
      <DifferenceView workspaceId={workspaceId} patch={difference} label="Difference of the files" />
    </Suspense>
  )
}

function Output({ workspaceId, text }: { workspaceId: string; text: string | null }) {
  if (text === null) return <p className="faint">The output is no longer kept.</p>
  if (text.trim() === '') return <p className="faint">The agent printed nothing.</p>
  return (
    <Section title="Output">
      <WholeOutput workspaceId={workspaceId} text={text} />
    </Section>
  )
}

function WholeOutput({ workspaceId, text }: { workspaceId: string; text: string }) {
  const [lines] = useState(() => linesOf(text))
  return (
    <>
      <CopyButton text={() => lines.map(plainText).join('\n')}>Copy the output</CopyButton>
      <OutputView workspaceId={workspaceId} lines={lines} />
    </>
  )
}

/** A section that opens; its content is only created then. */
function Section({
  title,
  onOpen,
  startsOpen = false,
  children,
}: {
  title: string
  onOpen?: () => void
  startsOpen?: boolean
  children: ReactNode
}) {
  const [open, setOpen] = useState(startsOpen)
  const opened = useRef(onOpen)
  // An element rendered open does not report being opened.
  useEffect(() => {
    if (startsOpen) opened.current?.()
  }, [startsOpen])
  return (
    <details
      className={styles.output}
      open={open}
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open)
        if (currentTarget.open) onOpen?.()
      }}
    >
      <summary>{title}</summary>
      {open && <div className={styles.opened}>{children}</div>}
    </details>
  )
}

function Loaded({
  files,
  children,
}: {
  files: AttemptFiles | Problem | null
  children: (files: AttemptFiles) => ReactNode
}) {
  if (files === null) return <Skeleton width="60%" />
  if ('prompt' in files) return children(files)
  return <p role="alert">{files.message} Close this part and open it again to try once more.</p>
}
