import { type ComponentProps, Suspense } from 'react'
import { lazyNamed } from '../../ui/lazy-named.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CHART_HEIGHT, COMPACT_HEIGHT } from './days.ts'

/** The chart library is larger than everything else on the page: it loads after the figures, into space reserved for it. */
const ScoreBars = lazyNamed(() => import('./score-bars.tsx'), 'ScoreBars')

/** The days as bars, once the chart library has loaded. */
export function ScoreChart(props: ComponentProps<typeof ScoreBars>) {
  return (
    <Suspense
      fallback={<Skeleton width="100%" height={props.compact === true ? COMPACT_HEIGHT : CHART_HEIGHT} />}
    >
      <ScoreBars {...props} />
    </Suspense>
  )
}
