import type { ReactNode } from 'react'
import type { Fetched } from '../../store/use-fetched.ts'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** What is shown of what was fetched; else that it comes, or why it does not. */
export function Missing<T>({
  of: { value, problem, retry },
  what,
  children,
}: {
  of: Fetched<T>
  what: string
  children: (value: T) => ReactNode
}) {
  return (
    <>
      {problem !== null && <NotLoaded what={what} problem={problem} retry={retry} />}
      {value === null && problem === null && <Skeleton width="100%" height={240} />}
      {value !== null && children(value)}
    </>
  )
}
