import { rename } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createMachine } from '../../cli/machine.ts'
import { runCli } from '../../cli/program.ts'
import { trayState } from '../desktop/tray-state.ts'
import { SEEDED } from '../testing/seeded-workspaces.ts'
import { type TemporaryHost, temporaryHost } from '../testing/temporary-host.ts'

let host: TemporaryHost

beforeAll(async () => {
  // Suspended, with a blocked task, a finding, and a configuration that waits for approval.
  const finding = {
    type: 'diagnostic-raised',
    code: 'hollow-hint',
    taskId: 'check_email',
    message: 'It checks nothing.',
  } as const
  host = await temporaryHost({
    one: { ...SEEDED.held, trusted: false, events: [...SEEDED.held.events, finding] },
  })
})
afterAll(() => host.remove())

async function statusOnCommandLine(): Promise<{ needs: unknown[] }> {
  let stdout = ''
  await runCli({
    args: ['status', '--json'],
    version: '1.2.3',
    machine: createMachine({
      environment: { PULSEWARD_HOME: host.dataDirectory },
      homeDirectory: host.root,
      version: '1.2.3',
      sampleDirectory: host.root,
      pageDirectory: host.root,
    }),
    streams: { stdout: { write: (text) => (stdout += text) }, stderr: { write: () => {} } },
    environment: {},
    currentDirectory: host.root,
    signal: new AbortController().signal,
  })
  return JSON.parse(stdout)
}

it('"needs attention" is the same number in the list, the overview, the tray and on the command line', async () => {
  const [listed] = await host.client.workspaces.list()
  const whole = await host.client.workspaces.get({ id: host.id('one') })
  expect(listed?.needs.map(({ kind }) => kind)).toEqual(['suspension', 'approve', 'blocked', 'finding'])
  expect(whole.needs).toEqual(listed?.needs)
  expect(trayState({ workspaces: await host.client.workspaces.list() }).attention).toBe(4)
  expect((await statusOnCommandLine()).needs).toEqual(listed?.needs)
})

it('it stays the same when the folder disappears, and once it is back', async () => {
  const folder = (await host.client.workspaces.get({ id: host.id('one') })).path
  const kindsOf = async (): Promise<readonly string[][]> => {
    const whole = await host.client.workspaces.get({ id: host.id('one') })
    const [listed] = await host.client.workspaces.list()
    return [whole.needs, listed?.needs ?? []].map((needs) => needs.map(({ kind }) => kind))
  }
  const before = await kindsOf()
  await rename(folder, `${folder}-away`)
  const [whole, listed] = await kindsOf()
  expect(whole).toContain('contract-unreadable')
  expect(whole).not.toContain('approve')
  expect(listed).toEqual(whole)
  await rename(`${folder}-away`, folder)
  expect(await kindsOf()).toEqual(before)
})
