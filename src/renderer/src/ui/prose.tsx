import { Fragment } from 'react'
import { harmlessText } from '../../../core/text/harmless.ts'

/** A sentence; text in backticks is shown as code. */
export function Prose({ text }: { text: string }) {
  return harmlessText(text)
    .split(/(`[^`]+`)/u)
    .map((part, index) => {
      const isCode = part.length > 2 && part.startsWith('`') && part.endsWith('`')
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence have no other identity
      return isCode ? <code key={index}>{part.slice(1, -1)}</code> : <Fragment key={index}>{part}</Fragment>
    })
}
