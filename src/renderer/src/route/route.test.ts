import { expect, test } from 'vitest'
import { parseRoute, routeTo } from './route.ts'

test.each(['ws-1', 'a/b', 'Ünïcode نص', '%'])('the address of workspace %s leads back to it', (id) => {
  expect(parseRoute(routeTo(id))).toEqual({ workspaceId: id, tab: 'today' })
  expect(parseRoute(routeTo(id, 'contract'))).toEqual({ workspaceId: id, tab: 'contract' })
  expect(parseRoute(routeTo(id, 'timeline'))).toEqual({ workspaceId: id, tab: 'timeline' })
  expect(parseRoute(routeTo(id, 'blocked'))).toEqual({ workspaceId: id, tab: 'blocked' })
})

test('a screen that does not exist is the first one', () => {
  expect(parseRoute('#/w/ws-1/elsewhere')).toEqual({ workspaceId: 'ws-1', tab: 'today' })
})

test.each(['', '#', '#/w/', '#/elsewhere', '#/w/%E0%A4%A'])('the address %s is the start', (hash) => {
  expect(parseRoute(hash).workspaceId).toBeNull()
})
