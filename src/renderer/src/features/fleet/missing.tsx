import type { ReactNode } from 'react'
import type { Fetched } from '../../store/use-fetched.ts'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** Shows the fetched value, or that it is loading, or why it could not be loaded. */
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
