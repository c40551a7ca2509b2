import { Check, Copy } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { copyText } from './copy-text.ts'
import { VisuallyHidden } from './visually-hidden.tsx'

/** Copies `text`, and shows next to it that it was copied, or that it failed and what to do. */
export function CopyButton({
  text,
  children = 'Copy',
  icon = <Copy size={14} aria-hidden />,
  className,
}: {
  text: string | (() => string)
  children?: ReactNode
  icon?: ReactNode
  className?: string | undefined
}) {
  const [copied, setCopied] = useState<boolean | null>(null)
  const copy = async () => setCopied(await copyText(typeof text === 'string' ? text : text()))
  return (
    <>
      <Button look="quiet" className={className} onClick={() => void copy()} onBlur={() => setCopied(null)}>
        {copied === true ? <Check size={14} aria-hidden /> : icon}
        {copied === null && children}
        {copied === true && 'Copied'}
        {copied === false && 'Not copied: select it and copy it by hand'}
      </Button>
      <VisuallyHidden>
        <span role="status">
          {copied === true && 'Copied.'}
          {copied === false && 'It could not be copied: select it and copy it by hand.'}
        </span>
      </VisuallyHidden>
    </>
  )
}
