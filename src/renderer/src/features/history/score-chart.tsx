import { type ComponentProps, Suspense } from 'react'
import { lazyNamed } from '../../ui/lazy-named.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CHART_HEIGHT, COMPACT_HEIGHT } from './days.ts'

/** The library that draws is larger than all else on the page: it comes after the figures, into a place that is kept for it. */
const ScoreBars = lazyNamed(() => import('./score-bars.tsx'), 'ScoreBars')

/** The days as bars, once what draws them is there. */
export function ScoreChart(props: ComponentProps<typeof ScoreBars>) {
  return (
    <Suspense
      fallback={<Skeleton width="100%" height={props.compact === true ? COMPACT_HEIGHT : CHART_HEIGHT} />}
    >
      <ScoreBars {...props} />
    </Suspense>
  )
}
