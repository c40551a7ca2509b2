import type { ComponentProps } from 'react'
import type { TrustAnswer } from '../../../core/read-model/trust-answer.ts'
import { Answer } from './answer.tsx'
import { WithHelp } from './help-link.tsx'

/** The header of a screen of several workspaces: its name, a help link, and its main statement once known. */
export function ScreenHead({
  title,
  answer,
  ...help
}: { title: string; answer: TrustAnswer | null } & Omit<ComponentProps<typeof WithHelp>, 'children'>) {
  return (
    <header className="stack">
      <WithHelp {...help}>
        <h1 className="small faint medium">{title}</h1>
      </WithHelp>
      {answer !== null && <Answer answer={answer} />}
    </header>
  )
}
