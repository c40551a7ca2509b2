import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { finishedAttempt } from '../ledger/testing/sample-events.ts'
import { type TemporaryHost, temporaryHost } from '../testing/temporary-host.ts'

const AGENT = '[agent]\ncommand = ["true"]\n'

let host: TemporaryHost | null = null

afterEach(async () => host?.remove())

async function approve(running: TemporaryHost, workspace: string, configuration: string): Promise<void> {
  const { text, hash } = await running.client.configuration.get({ workspace })
  expect(text).not.toBe(configuration)
  await running.client.configuration.put({ workspace, text: configuration, hash, approve: true })
}

test('scoring rules apply from the moment they are approved, and a restart does not change the past', async () => {
  host = await temporaryHost({ work: { configuration: AGENT, events: [finishedAttempt('one')] } })
  const workspace = host.id('work')
  const score = (running: TemporaryHost) => running.client.score.get({ workspace })
  expect(await score(host)).toMatchObject({ target: 50, lifetime: { targetFloor: 50 } })

  // An edit alone changes nothing: it has to be approved.
  const changed = `${AGENT}[scoring]\nminimum_target = 200\nthumbs_up = 9\n`
  const path = join(host.folder('work'), 'pulseward.toml')
  await writeFile(path, changed)
  expect((await score(host)).target).toBe(50)
  await writeFile(path, AGENT)

  await approve(host, workspace, changed)
  const approved = await score(host)
  expect(approved).toMatchObject({ target: 200 })
  const { delta } = await host.client.score.feedback({ workspace, feedback: 'up' })
  expect(delta).toBe(9)
  const history = await host.client.score.history({ workspace })

  await host.stop()
  const again = await temporaryHost({}, { root: host.root })
  host = again
  expect(await score(again)).toMatchObject({ target: 200, score: approved.score + 9 })
  expect(await again.client.score.history({ workspace })).toEqual(history)

  // After reverting the rules, only the points given under them remain.
  await approve(again, workspace, AGENT)
  expect(await score(again)).toMatchObject({ target: 50, score: approved.score + 9 })
  const { entries } = await again.client.timeline.list({ workspace, kinds: ['trust'] })
  expect(entries.filter(({ type }) => type === 'scoring-changed').map(({ text }) => text)).toEqual([
    ['thumbs_up = 3', 'minimum_target = 50'],
    ['thumbs_up = 9', 'minimum_target = 200'],
  ])
})

test('an agent that edits [scoring] in its own favor changes no rule', async () => {
  host = await temporaryHost({ work: { configuration: AGENT } })
  await writeFile(
    join(host.folder('work'), 'pulseward.toml'),
    `${AGENT}[scoring]\nminimum_target = 1\nnot_verified = 0\n`,
  )
  await host.client.heartbeat.run({ workspace: host.id('work') }).catch(() => undefined)
  expect(await readFile(join(host.folder('work'), 'pulseward.toml'), 'utf8')).toContain('minimum_target = 1')
  expect(await host.client.score.get({ workspace: host.id('work') })).toMatchObject({ target: 50 })
})
