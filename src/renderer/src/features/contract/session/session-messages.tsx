import { CircleAlert, FileWarning, History, Info } from 'lucide-react'
import { exactTime } from '../../../format/moments.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import type { ContractSession } from './contract-session.ts'
import type { SessionState } from './session-state.ts'

/** Messages about the text and its file; usually none. */
export function SessionMessages({
  session,
  state,
  isRunning,
}: {
  session: ContractSession
  state: SessionState
  isRunning: boolean
}) {
  const { problem, restoredAtMs, isDirty, isDraftUnkept, isReadOnly } = state
  return (
    <>
      {problem !== null && (
        <Banner
          tone="problem"
          icon={<CircleAlert size={16} />}
          action={
            <Button look="quiet" onClick={() => void session.saveAgain()}>
              Write the file again
            </Button>
          }
        >
          <strong>The file could not be read or written.</strong> {problem} Your text is kept here.
        </Banner>
      )}
      {isReadOnly && (
        <Banner tone="warning" icon={<FileWarning size={16} />}>
          The file is not UTF-8, so it is only shown: saving it from here would lose bytes. Convert it to
          UTF-8 first.
        </Banner>
      )}
      {restoredAtMs !== null && isDirty && (
        <Banner
          tone="plain"
          icon={<History size={16} />}
          action={
            <Button look="quiet" onClick={() => session.discard()}>
              Discard the draft
            </Button>
          }
        >
          Your unsaved changes of {exactTime(restoredAtMs)} are back.
        </Banner>
      )}
      {isDraftUnkept && isDirty && (
        <Banner tone="warning" icon={<Info size={16} />}>
          This text is too long to be kept as a draft: save it before you close the page.
        </Banner>
      )}
      {isRunning && isDirty && (
        <Banner tone="plain" icon={<Info size={16} />}>
          A heartbeat is running with the contract that it started with. Your changes apply from the next one.
        </Banner>
      )}
    </>
  )
}
