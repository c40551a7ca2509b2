import { Skeleton } from '../../ui/skeleton.tsx'

/** Placeholder while the editor or the file is loading. */
export function EditorSkeleton() {
  return (
    <div className="stack gap-3" role="status" aria-label="Loading the contract">
      <Skeleton width="100%" height={32} />
      <Skeleton width="100%" height={420} />
    </div>
  )
}
