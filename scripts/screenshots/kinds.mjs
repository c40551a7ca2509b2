import { execFileSync } from 'node:child_process'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fillDataFolder } from '../../bench/full-data-folder.ts'
import { writeRiggedWorkspace } from '../../e2e/support/rigging.ts'
import { openFleet, untilTaken } from './fleet-kind.mjs'

const TABS = ['today', 'contract', 'timeline', 'blocked', 'agent', 'setup']

const nothing = async () => {}

/** A screen's address, and the actions on it before and after the picture is taken; `size` if it has its own. */
const at = (address, then = nothing, { after = nothing, size = null } = {}) => ({
  address,
  then,
  after,
  size,
})
/** The small window at the tray. */
const glance = at('#/glance', nothing, { size: { width: 380, height: 520 } })
const toAttempt = (workspace, attempt) => `#/w/${workspace}/attempt/${attempt}`
const openPalette = async (page) => {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog', { name: 'Find anything' }).waitFor()
}
const toReplay = async (page) => {
  const replay = page.getByRole('list', { name: 'What happened when' })
  await replay.waitFor()
  await replay.evaluate((element) => element.scrollIntoView({ block: 'center' }))
}

/** The screens of a workspace with a history. */
const usualScreens = (workspace, attempt) => ({
  ...Object.fromEntries(TABS.map((tab) => [tab, at(`#/w/${workspace}/${tab}`)])),
  overview: at('#/overview'),
  attempt: at(toAttempt(workspace, attempt)),
  palette: at(`#/w/${workspace}`, openPalette),
  settings: at('#/settings'),
})

/** Creates a rigged workspace whose commands say `node`, as a person would write it, instead of this machine's path. */
async function writeRigged(directory, ...tasks) {
  await writeRiggedWorkspace(directory, ...tasks)
  const file = join(directory, 'pulseward.toml')
  await writeFile(file, (await readFile(file, 'utf8')).replaceAll(process.execPath, 'node'))
  const author = ['-c', 'user.name=T', '-c', 'user.email=t@example.org']
  execFileSync('git', ['-C', directory, ...author, 'commit', '--quiet', '--all', '--message', 'node'])
  return directory
}

const startRunning = (host, workspace) => async (page) => {
  await host.client.heartbeat.run({ workspace, wait: false })
  await page.getByRole('button', { name: /^Stop/u }).first().waitFor()
}

const run = (host, workspace) => host.client.heartbeat.run({ workspace, join: true })
const newest = async (host, workspace) => (await host.client.attempts.list({ workspace, limit: 20 })).attempts

/**
 * The states in which a host is photographed, and its screens. `fill` writes into its data folder before it starts; `open`
 * starts what it needs beside it, or returns `null` if that is not available; `prepare` returns the screens by name.
 */
export const KINDS = {
  empty: {
    prepare: async () => ({ welcome: at(''), settings: at('#/settings'), 'first-run': at('#/setup') }),
  },
  untrusted: {
    async prepare(host, { folder, root }) {
      const path = join(folder, 'inbox')
      await cp(join(root, 'resources/sample'), path, { recursive: true })
      const { id } = await host.client.workspaces.add({ path, trust: false })
      return { trust: at(`#/w/${id}`) }
    },
  },
  /** One heartbeat of the sample; its contradictions are still uncorrected. */
  caught: {
    async prepare(host) {
      const { id } = await host.client.workspaces.openSample()
      await run(host, id)
      const lie = (await newest(host, id)).find((each) => each.groundTruthContradiction)
      return {
        lockdown: at(`#/w/${id}`),
        overview: at('#/overview'),
        attempt: at(toAttempt(id, lie.attemptId)),
        replay: at(toAttempt(id, lie.attemptId), toReplay),
        stop: at(`#/w/${id}`, startRunning(host, id), {
          after: () => host.client.heartbeat.stop({ workspace: id }),
        }),
      }
    },
  },
  /** Held work, a proposed change, and a contradiction. */
  deciding: {
    async prepare(host, { folder }) {
      const path = await writeRigged(
        join(folder, 'sums'),
        '- [ ] rig | Repair the sum | required | verify: changed("**")',
        '- [ ] hard | Prove that it never overflows | required | verify: exists("never.md")',
        '- [ ] edit | Write down what is left to do | required | verify: changed("**")',
      )
      const lies = await writeRigged(
        join(folder, 'reports'),
        '- [ ] lie_of_the_week | Write the report of the week | required | verify: exists("out/report.md")',
      )
      const reports = await host.client.workspaces.add({ path: lies, trust: true })
      await run(host, reports.id)
      const { id } = await host.client.workspaces.add({ path, trust: true })
      await run(host, id)
      const held = (await newest(host, id)).find((each) => each.review !== null)
      return {
        inbox: at('#/overview'),
        proposals: at(`#/w/${id}/contract`),
        held: at(toAttempt(id, held.attemptId)),
        glance,
      }
    },
  },
  usual: {
    async prepare(host) {
      const { id } = await host.client.workspaces.openSample()
      await run(host, id)
      await run(host, id)
      const attempts = await newest(host, id)
      const attempt = attempts.find((each) => each.groundTruthContradiction) ?? attempts[0]
      return usualScreens(id, attempt.attemptId)
    },
  },
  /** A center, and what it shows of three hosts. */
  fleet: {
    open: openFleet,
    async prepare(host, { opened }) {
      const ids = await opened.join()
      await untilTaken(host)
      const part = (name) => at(`#/fleet/${name}`, async (page) => page.waitForTimeout(1_000))
      return {
        workspaces: part('workspaces'),
        hosts: part('hosts'),
        leaderboard: part('leaderboard'),
        timeline: part('timeline?kinds=verdict,intervention,gap'),
        workspace: part(`workspaces/build-1/${ids.get('build-1')[0]}`),
      }
    },
  },
  full: {
    fill(data, folder) {
      const size = { workspaces: 30, tasks: 60, events: Number(process.env.SCREENSHOT_EVENTS ?? 100_000) }
      return fillDataFolder(data, join(folder, 'folders'), { ...size, nowMs: Date.now() })
    },
    async prepare(host) {
      const [{ id }] = await host.client.workspaces.list({ all: true })
      const attempts = await newest(host, id)
      const attempt = attempts.find((each) => each.groundTruthContradiction) ?? attempts[0]
      return { ...usualScreens(id, attempt.attemptId), glance }
    },
  },
}
