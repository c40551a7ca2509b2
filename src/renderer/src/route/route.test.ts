import { expect, test } from 'vitest'
import {
  approvalAddress,
  asksForApproval,
  contractLineAddress,
  fleetAddress,
  GLANCE_ADDRESS,
  lineOf,
  OVERVIEW_ADDRESS,
  parseRoute,
  routeTo,
  SETUP_ADDRESS,
  settingsAddress,
  type WorkspaceRoute,
  workspaceRoute,
} from './route.ts'

const IDS = ['ws-1', 'a/b', 'Ünïcode نص', '%', 'what?']

test.each(IDS)('the address of workspace %s leads back to it', (id) => {
  const route = { screen: 'workspace', workspaceId: id, tab: 'today', item: null, query: {} }
  expect(parseRoute(routeTo(id))).toEqual(route)
  for (const tab of ['contract', 'timeline', 'blocked', 'agent', 'setup'] as const)
    expect(parseRoute(routeTo(id, tab))).toEqual({ ...route, tab })
})

test.each(IDS)('the address of item %s leads back to it, with the filter of its tab', (item) => {
  const query = { severity: 'critical', text: 'a&b=c #d' }
  expect(parseRoute(routeTo('ws-1', 'timeline', item, query))).toEqual({
    screen: 'workspace',
    workspaceId: 'ws-1',
    tab: 'timeline',
    item,
    query,
  })
})

test.each(IDS)('the address for approving %s leads to its first screen, and asks for approval', (id) => {
  const route = parseRoute(approvalAddress(id))
  expect(route).toMatchObject({ screen: 'workspace', workspaceId: id, tab: 'today' })
  expect(asksForApproval(route as WorkspaceRoute)).toBe(true)
  expect(asksForApproval(workspaceRoute(id))).toBe(false)
})

test('parses the address of a contract line, and rejects what is not a line number', () => {
  expect(lineOf(parseRoute(contractLineAddress('ws-1', 7)) as WorkspaceRoute)).toBe(7)
  for (const line of ['0', '-1', '1.5', 'x', ''])
    expect(lineOf({ ...workspaceRoute('ws-1'), query: { line } })).toBeNull()
})

test('gives each of the other screens its own address', () => {
  expect(parseRoute(OVERVIEW_ADDRESS)).toEqual({ screen: 'overview' })
  expect(parseRoute(GLANCE_ADDRESS)).toEqual({ screen: 'glance' })
  expect(parseRoute(SETUP_ADDRESS)).toEqual({ screen: 'setup' })
  expect(parseRoute(settingsAddress())).toEqual({ screen: 'settings', section: null })
  expect(parseRoute(settingsAddress('notifications'))).toEqual({
    screen: 'settings',
    section: 'notifications',
  })
})

test.each(IDS)('the address of workspace %s of a host leads back to it, with the filter', (workspace) => {
  const route = {
    screen: 'fleet',
    part: 'workspaces',
    item: { host: 'build-1', workspace },
    query: { tag: 'a&b=c #d' },
  } as const
  expect(parseRoute(fleetAddress(route.part, route.item, route.query))).toEqual(route)
})

test('gives each part of the fleet an address; an unknown one leads to its workspaces', () => {
  for (const part of ['workspaces', 'hosts', 'leaderboard', 'timeline'] as const)
    expect(parseRoute(fleetAddress(part))).toEqual({ screen: 'fleet', part, item: null, query: {} })
  for (const hash of ['#/fleet/elsewhere', '#/fleet/workspaces/build-1', '#/fleet/hosts/a/b'])
    expect(parseRoute(hash)).toMatchObject({ screen: 'fleet', item: null })
})

test('treats an unknown tab, and an attempt without an id, as the first tab', () => {
  expect(parseRoute('#/w/ws-1/elsewhere')).toMatchObject({ workspaceId: 'ws-1', tab: 'today' })
  expect(parseRoute('#/w/ws-1/attempt')).toMatchObject({ workspaceId: 'ws-1', tab: 'today' })
})

test.each(['', '#', '#/', '#/w/', '#/elsewhere', '#/w/%E0%A4%A'])(
  'the address %s leads to the start',
  (hash) => {
    expect(parseRoute(hash)).toEqual({ screen: 'start' })
  },
)
