import { describe, expect, it } from 'vitest'
import { initialState } from '../record/fold.ts'
import { dailyReport, type ReportedWorkspace } from './day-report.ts'

const YESTERDAY = '2026-11-24'
const { score, days } = initialState()
const day = {
  ...score.today,
  date: YESTERDAY,
  score: 82,
  target: 75,
  verifiedCount: 6,
  failedCount: 1,
  judgedCount: 7,
}

function workspace(over: Partial<ReportedWorkspace> & { worked?: boolean } = {}): ReportedWorkspace {
  const { worked = true, ...rest } = over
  return {
    name: 'inbox',
    state: { score: { ...score, history: worked ? [day] : [] }, days, suspended: null },
    needs: [],
    ...rest,
  }
}

const suspended = workspace({
  name: 'liar',
  state: { score, days, suspended: { since: YESTERDAY, reason: '3 false claims' } },
  needs: [{ reason: 'It is suspended.' }],
})

describe('the daily report', () => {
  it('covers all workspaces, with each one’s result', () => {
    expect(dailyReport([workspace(), workspace({ name: 'two' })], YESTERDAY)).toEqual({
      title: `Daily report, ${YESTERDAY}: nothing needs your attention`,
      body: 'inbox: 82 of 75 points; 6 verified, 1 not verified, 0 unclear.\ntwo: 82 of 75 points; 6 verified, 1 not verified, 0 unclear.',
    })
  })

  it('names each decision as long as it is open, also in a workspace where nothing runs any more', () => {
    for (const date of [YESTERDAY, '2026-11-25', '2026-12-24']) {
      const report = dailyReport([workspace(), suspended], date)
      expect(report?.title).toBe(`Daily report, ${date}: 1 decision`)
      expect(report?.body).toContain(
        'liar: Suspended: nothing runs until you resume it. 1 decision: It is suspended.',
      )
    }
  })

  it('counts a day that is not archived yet', () => {
    const late = workspace({ state: { score: { ...score, today: day }, days, suspended: null } })
    expect(dailyReport([late], YESTERDAY)?.body).toContain('82 of 75 points')
  })

  it('is not sent if nothing was judged and nothing needs attention', () => {
    expect(dailyReport([workspace({ worked: false }), workspace()], '2026-11-23')).toBeNull()
    expect(dailyReport([], YESTERDAY)).toBeNull()
  })
})
