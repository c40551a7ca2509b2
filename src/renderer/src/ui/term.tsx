import type { ReactNode } from 'react'
import { meaningOf, type TermName } from '../format/terms.ts'
import { Explained } from './explained.tsx'

/** A Pulseward term with its explanation on hover and focus. */
export function Term({ name, children }: { name: TermName; children: ReactNode }) {
  return <Explained text={meaningOf(name)}>{children}</Explained>
}
