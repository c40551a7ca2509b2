import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'

/* One answer uses one clock: the time of the next heartbeat and the times in its reason are in the workspace's own time zone. */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

/** Runs the command's own entry point, on a machine in this time zone. */
function pulseward(zone: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'index.ts'), ...args],
    {
      cwd: join(cli.root, 'w'),
      encoding: 'utf8',
      env: { ...process.env, PULSEWARD_HOME: cli.dataDirectory, TZ: zone },
    },
  )
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout
}

async function workspaceIn(zone: string | null): Promise<void> {
  await cli.write({
    'w/HEARTBEAT.md': '## Tasks\n- [ ] a | A | optional | verify: exists("a.txt")\n',
    'w/pulseward.toml': `[agent]\ncommand = ["touch", "a.txt"]\n[heartbeat]\ninterval_minutes = 60\n${zone === null ? '' : `timezone = "${zone}"\n`}`,
  })
  expect((await cli.run(['run', '--once', '--trust'], { currentDirectory: 'w' })).exitCode).toBe(0)
}

/** Returns the hours between two times of day, across midnight if needed. */
function hoursBetween(from: string, to: string): number {
  const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
  return ((minutes(to) - minutes(from) + 1440) % 1440) / 60
}

const LINE =
  /^Next heartbeat (?:\d{4}-\d\d-\d\d )?(\d\d:\d\d)(?: \((UTC\S+); (?:\d{4}-\d\d-\d\d )?(\d\d:\d\d) here\))?: The last heartbeat ended at (\d\d:\d\d)\./m

it('names the next heartbeat in the zone of its reason, and also in the machine’s zone where that differs', async () => {
  await workspaceIn('Asia/Tokyo')
  const [, next = '', offset, here = '', ended = ''] =
    LINE.exec(pulseward('America/New_York', 'status')) ?? []
  expect(offset).toBe('UTC+09:00')
  // At most an hour after the last one ended, by the same clock; a minute may pass between the two.
  expect(hoursBetween(ended, next)).toBeLessThanOrEqual(61 / 60)
  expect([13, 14]).toContain(hoursBetween(here, next))
})

it.each([
  ['Asia/Tokyo', 'Asia/Tokyo'],
  // Another name for the same time.
  ['Asia/Tokyo', 'Asia/Seoul'],
  [null, 'America/New_York'],
])(
  'does not mention zones if the workspace’s (%s) shows the same time as the machine’s (%s)',
  async (own, machine) => {
    await workspaceIn(own)
    const found = LINE.exec(pulseward(machine, 'status'))
    expect(found?.slice(2, 4)).toEqual([undefined, undefined])
    expect(hoursBetween(found?.[4] ?? '', found?.[1] ?? '')).toBeLessThanOrEqual(61 / 60)
  },
)

it('names the end of a pause as it was given, in the workspace’s zone', async () => {
  await workspaceIn('Asia/Tokyo')
  expect(pulseward('UTC', 'pause', '--until', '2040-01-31T18:00')).toBe(
    'w is paused until 2040-01-31 18:00 (UTC+09:00; 2040-01-31 09:00 here).\n',
  )
  expect(pulseward('Asia/Tokyo', 'pause', '--until', '2040-01-31T18:00')).toBe(
    'w is paused until 2040-01-31 18:00.\n',
  )
})
