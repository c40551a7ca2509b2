import type { MenuItemConstructorOptions } from 'electron'
import { expect, test } from 'vitest'
import type { PermissionRequest } from '../../core/read-model/permission.ts'
import type { Workspace } from '../../core/read-model/workspace.ts'
import { nameLabel } from './label.ts'
import { trayMenu } from './tray-menu.ts'
import { trayState } from './tray-state.ts'

const workspace = (over: Partial<Workspace> = {}): Workspace =>
  ({
    id: 'w',
    name: 'backend',
    shield: 'good',
    trust: 'approved',
    paused: null,
    suspended: null,
    running: null,
    notices: [],
    needs: [],
    unreviewed: 0,
    counts: { blocked: 0 },
    score: { score: 5, target: 50, failed: 0 },
    ...over,
  }) as unknown as Workspace

const request = (target: string): PermissionRequest =>
  ({
    id: 'p',
    workspace: 'w',
    workspaceName: 'backend',
    agentId: 'claude',
    tool: 'execute',
    target,
  }) as unknown as PermissionRequest

function ids(items: readonly MenuItemConstructorOptions[]): string[] {
  return items.flatMap(({ id, submenu }) => [
    ...(id === undefined ? [] : [id]),
    ...(Array.isArray(submenu) ? ids(submenu) : []),
  ])
}

const told: unknown[] = []
const actions = {
  show: () => {},
  run: () => {},
  stop: (id: string) => told.push(id),
  unblock: (...args: unknown[]) => told.push(args),
  pause: (...args: unknown[]) => told.push(args),
  resume: () => {},
  answer: () => {},
  nowMs: () => Date.UTC(2026, 10, 21, 12),
  quit: () => {},
}
const menuOf = (view: Partial<Parameters<typeof trayMenu>[0]>) =>
  trayMenu({ workspaces: [], permissions: [], ...view }, actions)

test("a request that a menu can't show whole can be denied there, but not allowed", () => {
  expect(ids(menuOf({ permissions: [request('npm test')] }))).toContain('allow:p')
  for (const target of [`npm test ${'x'.repeat(60)} && rm -rf /`, 'npm test\nrm -rf /', 'a\u202etxt.exe']) {
    const all = ids(menuOf({ permissions: [request(target)] }))
    expect(all).toContain('deny:p')
    expect(all).not.toContain('allow:p')
  }
})

test('offers to stop only what is running', () => {
  const running = { cycle: 1, startedAt: '2026-11-21T12:00:00Z', attempt: null }
  expect(ids(menuOf({ workspaces: [workspace()] }))).not.toContain('stop:w')
  expect(ids(menuOf({ workspaces: [{ ...workspace(), running }] }))).toContain('stop:w')
})

test('counts the hour of a pause from now', () => {
  const [item] = menuOf({ workspaces: [workspace()] }).flatMap(({ submenu }) =>
    Array.isArray(submenu) ? submenu.filter(({ id }) => id === 'pause:w') : [],
  )
  const pauses = Array.isArray(item?.submenu) ? item.submenu : []
  const hour = pauses.find(({ id }) => id === 'pause-hour:w')
  hour?.click?.(undefined as never, undefined, undefined as never)
  expect(told).toEqual([[['w'], '2026-11-21T13:00:00.000Z']])
})

test('lists twenty of thirty workspaces, and links to the rest', () => {
  const workspaces = Array.from({ length: 30 }, (_, index) => workspace({ id: `w${index}` }))
  const menu = menuOf({ workspaces })
  expect(menu.filter(({ id }) => id?.startsWith('workspace:'))).toHaveLength(20)
  expect(menu.map(({ label }) => label)).toContain('10 more in the overview')
})

test.each([
  ['R&D', 'R&&D'],
  ['a\n\tb', 'a b'],
  ['x'.repeat(60), `${'x'.repeat(43)}…`],
  ['بريد', '\u200e\u2068بريد\u2069'],
  ['a\u202eb', 'a b'],
])('the name %j is shown as %j', (name, label) => {
  expect(nameLabel(name)).toBe(label)
})

test('lists the worst workspace first, and unblocks a blocked task in its menu', () => {
  const menu = menuOf({
    workspaces: [
      workspace(),
      workspace({ id: 'worse', shield: 'lockdown', needs: [{ kind: 'blocked', id: 'report' }] as never }),
    ],
  })
  expect(ids(menu).filter((id) => id.startsWith('workspace:'))).toEqual(['workspace:worse', 'workspace:w'])
  expect(ids(menu)).toContain('unblock:worse:report')
})

test('starts the tooltip with the score, and isolates a right-to-left name', () => {
  const { tooltip, title } = trayState({ workspaces: [workspace({ name: 'דוא״ל & co' })] })
  expect(tooltip).toBe('+5 of 50 \u200e\u2068דוא״ל & co\u2069 · Good')
  expect(title).toBe('+5')
})

test('starts the tooltip with the unreviewed contradictions, and offers them first in the menu', () => {
  const workspaces = [
    workspace({ unreviewed: 1 }),
    workspace({ id: 'x', unreviewed: 1 }),
    workspace({ id: 'y' }),
  ]
  expect(trayState({ workspaces }).tooltip).toMatch(/^2 contradictions, not reviewed\n\+5 of 50/u)
  expect(trayState({ workspaces })).toMatchObject({ shield: 'good', unreviewed: 2 })
  expect(ids(menuOf({ workspaces }))).toContain('unreviewed')
  expect(ids(menuOf({ workspaces: [workspace()] }))).not.toContain('unreviewed')
})

test('does not call a workspace steady that may not run yet, in the tooltip and in the menu', () => {
  const workspaces = [
    workspace({ shield: 'none' }),
    workspace({ id: 'new', shield: 'none', trust: 'unapproved' }),
    workspace({ id: 'bare', shield: 'none', trust: 'missing' }),
  ]
  const words = ['Steady', 'Waits for your approval', 'Not set up yet']
  expect(trayState({ workspaces }).tooltip.split('\n').map(afterDot)).toEqual(words)
  const labels = menuOf({ workspaces }).flatMap(({ id, label }) =>
    id?.startsWith('workspace:') === true ? [afterDot(label ?? '')] : [],
  )
  expect(labels).toEqual(words)
})

function afterDot(text: string): string {
  return text.slice(text.lastIndexOf(' · ') + 3)
}
