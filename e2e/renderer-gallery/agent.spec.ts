import { expect } from '@playwright/test'
import { expectNoSideScrolling, expectNothingForAxe, NARROW, open, test } from './gallery-test.ts'

/*
 * What Pulseward knows about a workspace's agents: profile, circuit breaker, thirty days, tokens and cost.
 */

test.beforeEach(() => test.skip(test.info().project.name !== 'serve', 'the same page in either'))

for (const scenario of ['usual', 'suspended', 'fresh']) {
  test(`axe finds nothing on the agent of ${scenario}`, async ({ gallery }) => {
    await open(gallery, scenario, 'agent')
    await expectNothingForAxe(gallery)
    if (scenario !== 'usual') return
    await gallery.getByRole('button', { name: 'Table' }).click()
    await gallery.getByRole('button', { name: 'Reset…' }).click()
    await expectNothingForAxe(gallery)
  })
}

test('the agent does not scroll sideways at any width', async ({ gallery }) => {
  await gallery.setViewportSize(NARROW)
  await open(gallery, 'usual', 'agent')
  await expect(gallery.getByRole('region', { name: '30 days', exact: true })).toBeVisible()
  await expectNoSideScrolling(gallery, 'charts')
  await gallery.getByRole('button', { name: 'Table' }).click()
  await expectNoSideScrolling(gallery, 'table')
})

test('explains each figure of the profile in a sentence, for each agent that ran', async ({ gallery }) => {
  await open(gallery, 'usual', 'agent')
  const profile = gallery.getByRole('region', { name: 'Profile' })
  await expect(profile.getByRole('term')).toHaveCount(8)
  await expect(profile).toContainText('Heartbeats47')
  await expect(gallery.getByRole('region', { name: 'Circuit breaker' })).toContainText(
    'It warns the agent after 3 more attempts that change no file within 5 heartbeats, or 1 more false claim.',
  )
  await gallery
    .getByRole('combobox', { name: 'Agent' })
    .selectOption({ label: 'codex (no longer configured)' })
  await expect(profile).toContainText('Heartbeats8')
})

test('shows thirty days by type and, as a table, by day; shows a dash if nothing was reported', async ({
  gallery,
}) => {
  await open(gallery, 'usual', 'agent')
  const days = gallery.getByRole('region', { name: '30 days', exact: true })
  const types = days.getByRole('listitem')
  await expect(types.first()).toContainText('Feedback in the prompt')
  await expect(types.filter({ hasText: 'Claimed done, changed nothing' })).toContainText('1')
  await gallery.getByRole('button', { name: 'Table' }).click()
  const rows = gallery.getByRole('region', { name: 'Figures by day' }).getByRole('row')
  await expect(rows).toHaveCount(28)
  await expect(rows.nth(1)).toContainText(', today')
  await expect(rows.nth(1)).toContainText('$')
  await expect(rows.last().getByRole('cell').last()).toHaveText('–')
})

test('shows tokens and cost by agent and by task', async ({ gallery }) => {
  await open(gallery, 'usual', 'agent')
  const byTask = gallery.getByRole('region', { name: 'By task, as long as it is in the contract' })
  await expect(byTask.getByRole('row', { name: /write_report/u })).toContainText('$3.30')
  await expect(gallery.getByRole('region', { name: 'By agent, 30 days' })).toContainText('claude')
})

test('names a tripped breaker as such, and asks before resetting it', async ({ gallery }) => {
  await open(gallery, 'suspended', 'agent')
  await expect(gallery.locator('main header').first()).toContainText('circuit breaker tripped')
  await expect(gallery.getByRole('region', { name: 'Circuit breaker' })).toContainText('Tripped')
  await gallery.getByRole('button', { name: 'Reset…' }).click()
  const dialog = gallery.getByRole('dialog', { name: 'Reset profiles and circuit breakers?' })
  await dialog.getByRole('button', { name: 'Keep them' }).click()
  await expect(gallery.getByRole('region', { name: 'Suspension' })).toBeVisible()
  await gallery.getByRole('button', { name: 'Reset…' }).click()
  await dialog.getByRole('button', { name: 'Reset', exact: true }).click()
  await expect(gallery.getByRole('region', { name: 'Suspension' })).toHaveCount(0)
  await expect(gallery.getByRole('status', { name: 'Messages' })).toContainText('nothing is suspended')
})

test('says what will appear here for an agent that has never run', async ({ gallery }) => {
  await open(gallery, 'fresh', 'agent')
  await expect(gallery.getByText('No agent has run here')).toBeVisible()
})
