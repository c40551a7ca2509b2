import { expect, it } from 'vitest'
import type { LiveEvent } from '../../api/schemas/live-event.ts'
import type { Notification } from '../ports/notifier.ts'
import type { OperatorQuestion } from '../ports/operator.ts'
import { createSimulatedClock } from '../testing/simulated-clock.ts'
import { createPermissions } from './permissions.ts'

const question: OperatorQuestion = {
  workspaceId: 'one',
  workspaceName: 'One',
  attemptId: '1-0-abcd',
  taskId: 'check_email',
  agentId: 'claude',
  allow: ['edit'],
  tool: 'execute',
  target: 'npm test "all of it"',
  title: 'Run the tests',
  grant: 'execute:npm test "all of it"',
}
const never = new AbortController().signal

function setUp(isAttended = true) {
  const clock = createSimulatedClock(Date.parse('2026-11-21T10:00:00Z'))
  const events: LiveEvent[] = []
  const notifications: Notification[] = []
  const permissions = createPermissions({
    clock,
    emit: (event) => events.push(event),
    notifier: { notify: (notification) => notifications.push(notification) },
    isAttended: () => isAttended,
  })
  return { clock, events, notifications, permissions }
}

it('shows the request, with the line that would always allow it, and notifies the operator', async () => {
  const { permissions, events, notifications } = setUp()
  const answer = permissions.ask(question, 60_000, never)
  const [request] = permissions.waiting(undefined)
  expect(request).toMatchObject({
    workspace: 'one',
    target: 'npm test "all of it"',
    allowLine: 'allow = ["edit", "execute:npm test \\"all of it\\""]',
  })
  expect(Date.parse(request?.expiresAt ?? '')).toBe(Date.parse('2026-11-21T10:01:00Z'))
  expect(events).toEqual([{ type: 'permissions-changed', workspace: 'one' }])
  expect(notifications).toEqual([
    expect.objectContaining({
      about: 'permission',
      permissionId: request?.id,
      title: 'One: claude asks for permission',
      body: '“execute”: “npm test "all of it"”',
    }),
  ])
  permissions.answer(request?.id ?? '', 'allowed')
  expect(await answer).toBe('allowed')
  expect(permissions.waiting(undefined)).toEqual([])
  expect(events).toHaveLength(2)
})

it('takes the first answer, and shows it to a second window', async () => {
  const { permissions } = setUp()
  const answer = permissions.ask(question, 60_000, never)
  const id = permissions.waiting('one')[0]?.id ?? ''
  expect(permissions.waiting('two')).toEqual([])
  permissions.answer(id, 'denied')
  expect(() => permissions.answer(id, 'allowed')).toThrow('denied already, in another window')
  expect(await answer).toBe('denied')
  expect(() => permissions.answer('no-such', 'allowed')).toThrow('no permission request "no-such"')
})

it('expires when its time is over, or when the attempt ends', async () => {
  const { permissions, clock } = setUp()
  // Keeps one sleeper, because the clock only advances while someone sleeps.
  void clock.sleep(600_000)
  const late = permissions.ask(question, 60_000, never)
  const id = permissions.waiting('one')[0]?.id ?? ''
  await clock.advance(60_000)
  expect(await late).toBe('expired')
  expect(() => permissions.answer(id, 'allowed')).toThrow('Its time is over')
  const ended = new AbortController()
  const cut = permissions.ask(question, 60_000, ended.signal)
  ended.abort()
  expect(await cut).toBe('expired')
  expect(await permissions.ask(question, 60_000, AbortSignal.abort())).toBe('expired')
  expect(permissions.waiting(undefined)).toEqual([])
})

it('drops waiting requests and accepts no new ones once the host stops', async () => {
  const { permissions, notifications } = setUp()
  const waiting = [permissions.ask(question, 60_000, never), permissions.ask(question, 60_000, never)]
  permissions.stop()
  expect(await Promise.all(waiting)).toEqual(['expired', 'expired'])
  expect(await permissions.ask(question, 60_000, never)).toBe('expired')
  expect(notifications).toHaveLength(2)
  expect(permissions.waiting(undefined)).toEqual([])
})

it('asks nothing without a viewer', async () => {
  const { permissions, notifications } = setUp(false)
  expect(await permissions.ask(question, 60_000, never)).toBe('unattended')
  expect(notifications).toEqual([])
})

it('refuses an agent that floods the operator', async () => {
  const { permissions } = setUp()
  const asked = Array.from({ length: 25 }, () => permissions.ask(question, 60_000, never))
  expect(await asked[24]).toBe('denied')
  expect(permissions.waiting(undefined)).toHaveLength(20)
  for (const { id } of permissions.waiting(undefined)) permissions.answer(id, 'denied')
  await Promise.all(asked)
})
