import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DateTime } from 'luxon'
import { expect, it, onTestFinished } from 'vitest'
import { reportIfDue } from './daily-report.ts'

const at = (text: string): number => DateTime.fromISO(text).toMillis()

/** Starts a host whose channels are asked for reports at given times, over one data folder. */
async function host() {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'pulseward-report-'))
  onTestFinished(() => rm(dataDirectory, { recursive: true, force: true }))
  let nowMs = 0
  let reports = 0
  return async (
    moment: string,
    hour: string | null = '08:00',
  ): Promise<{ reports: number; next: string }> => {
    nowMs = at(moment)
    const nextMs = await reportIfDue({
      dataDirectory,
      clock: { nowMs: () => nowMs, sleep: async () => {} },
      log: { info: () => {}, warn: () => {}, error: () => {} },
      at: () => hour,
      channels: {
        report: () => {
          reports += 1
        },
      },
      workspaces: async () => [],
    })
    return { reports, next: DateTime.fromMillis(nextMs).toFormat("yyyy-MM-dd'T'HH:mm") }
  }
}

it('comes once a day at its hour, late if the host was down then, and not twice after a restart', async () => {
  const look = await host()
  // No report is due for the time before the first start.
  expect(await look('2026-11-20T15:00')).toEqual({ reports: 0, next: '2026-11-21T08:00' })
  expect(await look('2026-11-21T07:59')).toEqual({ reports: 0, next: '2026-11-21T08:00' })
  expect(await look('2026-11-21T08:00')).toEqual({ reports: 1, next: '2026-11-22T08:00' })
  expect(await look('2026-11-21T08:05')).toEqual({ reports: 1, next: '2026-11-22T08:00' })
  expect(await look('2026-11-22T11:00')).toEqual({ reports: 2, next: '2026-11-23T08:00' })
  expect((await look('2026-11-23T09:00', null)).reports).toBe(2)
})
