import { expect, type Page } from '@playwright/test'
import { expectNoSideScrolling, expectNothingForAxe, NARROW, open, test } from './gallery-test.ts'

/*
 * How the page shows interventions and pacing: a suspension and resuming, blocked tasks, and what attempts and the agent's profile say
 * about them.
 */

test.beforeEach(() => test.skip(test.info().project.name !== 'serve', 'the same page in either'))

const card = (page: Page, taskId: string) => page.locator(`li[data-task="${taskId}"]`)
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

test('axe finds nothing on the blocked tasks, all opened', async ({ gallery }) => {
  await open(gallery, 'blocked', 'blocked')
  await button(gallery, 'Unblock with options… for draw_sales_chart').click()
  await button(gallery, 'Unblock all…').click()
  await button(gallery, 'Check again').click()
  await expect(gallery.getByRole('status', { name: 'Result' })).toContainText('passes now')
  await button(gallery, 'View the last attempt for بريد_جديد').click()
  await expect(gallery.getByRole('article', { name: 'Attempt at بريد_جديد' })).toBeVisible()
  await expectNothingForAxe(gallery)
  await open(gallery, 'suspended', 'blocked')
  await expect(gallery.getByRole('heading', { name: 'No task is blocked' })).toBeVisible()
  await expectNothingForAxe(gallery)
})

test('blocked tasks and suspension do not scroll sideways at any width', async ({ gallery }) => {
  await gallery.setViewportSize(NARROW)
  await open(gallery, 'blocked', 'blocked')
  await button(gallery, 'Unblock with options… for draw_sales_chart').click()
  await button(gallery, 'Retry all…').click()
  await button(gallery, 'View the last attempt for بريد_جديد').click()
  await expect(gallery.getByRole('article', { name: 'Attempt at بريد_جديد' })).toBeVisible()
  await expectNoSideScrolling(gallery, 'blocked')
  await open(gallery, 'suspended')
  await expectNoSideScrolling(gallery, 'suspended')
})

test('a suspension says why, needs a reason to resume, and keeps the typed text when resuming fails', async ({
  gallery,
}) => {
  await open(gallery, 'suspended')
  const panel = gallery.getByRole('region', { name: 'Suspension' })
  await expect(panel).toContainText('3 attempts that changed no file within the last 5 heartbeats')
  // Shown once: the panel replaces the notice.
  await expect(gallery.getByRole('region', { name: 'Notices' }).getByText('changed no file')).toHaveCount(0)
  await expect(button(gallery, 'Run now')).toHaveAttribute('aria-disabled', 'true')
  await button(gallery, 'Run now').focus()
  await expect(gallery.getByRole('tooltip')).toHaveText('Suspended for review: resume first.')
  await gallery.keyboard.press('Escape')
  const lift = panel.getByRole('button', { name: 'Resume' })
  await expect(lift).toHaveAttribute('aria-disabled', 'true')
  const reason = panel.getByRole('textbox', { name: 'What you found' })
  await reason.fill('too soon')
  await gallery.keyboard.press('Enter')
  await expect(panel.getByRole('alert')).toHaveText('The disk is full. Make room, then try again.')
  await expect(reason).toHaveValue('too soon')
  await reason.fill('The report was written elsewhere')
  await lift.click()
  await expect(panel).toHaveCount(0)
  await expect(gallery.locator('main')).toBeFocused()
  await expect(button(gallery, 'Run now')).toHaveAttribute('aria-disabled', 'false')
})

test('the suggestion unblocks a task with its timeout, and the focus stays on the page', async ({
  gallery,
}) => {
  await open(gallery, 'blocked', 'blocked')
  await expect(gallery.getByRole('link', { name: /^Blocked/u })).toContainText('6')
  const chart = card(gallery, 'draw_sales_chart')
  await expect(chart).toContainText('the next planned timeout is 13 min 30 s.')
  await expect(chart.getByRole('list', { name: 'History of draw_sales_chart' })).toContainText(
    '6 min of 6 min',
  )
  await chart.getByRole('button', { name: 'Unblock with 13 min 30 s for draw_sales_chart' }).click()
  await expect(gallery.getByRole('status', { name: 'Messages' })).toContainText(
    'draw_sales_chart is open again; its next attempt may take 13 min 30 s.',
  )
  await expect(chart).toHaveCount(0)
  const heading = gallery.getByRole('heading', { name: '5 tasks with no attempts left' })
  await expect(heading).toBeFocused()
  await expect(gallery.getByRole('link', { name: /^Blocked/u })).toContainText('5')
})

test('a task is unblocked with a custom timeout, and an impossible one is rejected', async ({ gallery }) => {
  await open(gallery, 'blocked', 'blocked')
  const chart = card(gallery, 'draw_sales_chart')
  await chart.getByRole('button', { name: 'Unblock with options… for draw_sales_chart' }).click()
  const timeout = chart.getByRole('textbox', { name: 'Timeout of its next attempt' })
  await expect(timeout).toHaveAccessibleDescription(
    'Such as 20m, 1h or 20m15s. Left empty: 13 min 30 s (2 min × 3 for ui_heavy × 2.25 after 2 timeouts).',
  )
  const unblock = chart.getByRole('button', { name: 'Unblock', exact: true })
  await timeout.fill('0:00')
  await expect(unblock).toHaveAttribute('aria-disabled', 'true')
  await timeout.fill('1:06:40')
  await expect(unblock).toHaveAttribute('aria-disabled', 'true')
  await chart.getByRole('checkbox', { name: 'Allow more than the limit in Setup (1 h)' }).check()
  await expect(unblock).toHaveAttribute('aria-disabled', 'false')
  await timeout.fill('11:40')
  await chart.getByRole('textbox', { name: 'Reason' }).fill('Charts are slow')
  await unblock.click()
  await expect(gallery.getByRole('status', { name: 'Messages' })).toContainText(
    'its next attempt may take 11 min 40 s',
  )
})

test('a failure without a contradiction does not have the red sign of one, in its interventions either', async ({
  gallery,
}) => {
  const red = gallery.locator('[role="img"][data-agrees="false"][data-calm="false"]')
  const entry = gallery.getByRole('article').filter({ hasText: 'Claimed done, changed nothing' }).first()
  await open(gallery, 'blocked', 'timeline')
  await expect(entry.getByRole('img', { name: 'does not equal' })).toBeVisible()
  await expect(red).toHaveCount(0)
  await open(gallery, 'suspended', 'timeline')
  await expect(entry.getByRole('img', { name: 'does not equal' })).toBeVisible()
  await expect(red, 'of each verdict, not once more of each intervention').toHaveCount(
    await gallery.getByRole('list', { name: 'Claim and measurement' }).getByRole('listitem').count(),
  )
})

test('each suggestion leads where it says', async ({ gallery }) => {
  await open(gallery, 'blocked', 'blocked')
  for (const name of [
    'Unblock: its check passes now for run_tests',
    'Change it in the contract for write_release_notes',
    'Message to the agent… for write_release_notes',
    'Unblock: the gate runs again for tidy_types',
  ]) {
    await expect(button(gallery, name)).toBeVisible()
  }
  await button(gallery, 'Change it in the contract for write_release_notes').click()
  await expect(gallery.getByRole('link', { name: /^Contract/u })).toHaveAttribute('aria-current', 'page')
})

test('a task is unblocked with a message to the agent, and its check is measured when the form opens', async ({
  gallery,
}) => {
  await open(gallery, 'blocked', 'blocked')
  await expect(gallery.getByRole('status', { name: 'Checks' })).toContainText('measured now')
  const task = card(gallery, 'write_release_notes')
  await task.getByRole('button', { name: 'Message to the agent… for write_release_notes' }).click()
  const tell = task.getByRole('button', { name: 'Send and unblock' })
  await expect(tell).toHaveAttribute('aria-disabled', 'true')
  const words = task.getByRole('textbox', { name: 'Message to the agent' })
  await expect(words).toBeFocused()
  await words.fill('Only the two headings are missing')
  await gallery.keyboard.press('Escape')
  await expect(words).toBeHidden()
  await expect(task.getByRole('button', { name: 'Message to the agent…' })).toBeFocused()
  await gallery.keyboard.press('Enter')
  await expect(words).toHaveValue('Only the two headings are missing')
  await tell.click()
  await expect(gallery.getByRole('status', { name: 'Messages' })).toContainText(
    'write_release_notes is open again',
  )
})

test('attempts that ended alike are one expandable line under what they have in common', async ({
  gallery,
}) => {
  await open(gallery, 'stuck', 'blocked')
  const alike = gallery.getByRole('button', { name: /^and \d+ attempts? before it that ended alike/u })
  const first = gallery.locator('li[data-task]', { has: alike }).first()
  const rows = first.getByRole('list', { name: /^History of/u }).getByRole('listitem')
  await expect(rows).toHaveCount(1)
  await first.getByRole('button', { name: /^and \d+/u }).click()
  await expect(rows).not.toHaveCount(1)
})

test('an action on all blocked tasks is reported, with the reason for each refusal', async ({ gallery }) => {
  await open(gallery, 'blocked', 'blocked')
  const result = gallery.getByRole('status', { name: 'Result' })
  await button(gallery, 'Check again').click()
  await expect(result).toContainText(
    '6 tasks checked without running the agent: 1 passes now, 1 cannot be measured.',
  )
  await gallery.getByRole('combobox', { name: 'Kind of work' }).selectOption('simple')
  await button(gallery, 'Unblock these 1…').click()
  await gallery.getByRole('spinbutton', { name: 'Multiply planned timeout by' }).fill('2')
  await button(gallery, 'Unblock 1 task').click()
  await expect(result).toContainText('1 task unblocked.')
  await expect(result).toContainText('tidy_types Unblocked, the next attempt may take 4 min')
  await button(gallery, 'Retry all…').click()
  const attempts = gallery.getByRole('spinbutton', { name: 'Attempts each' })
  await attempts.fill('0')
  await expect(button(gallery, 'Retry 5 tasks')).toHaveAttribute('aria-disabled', 'true')
  await attempts.fill('2')
  await button(gallery, 'Retry 5 tasks').click()
  await expect(result).toContainText('4 tasks unblocked, 1 not.')
  await expect(result).toContainText('draw_sales_chart Not unblocked. It has been retried once already')
  await expect(gallery.getByRole('heading', { name: '1 task with no attempts left' })).toBeVisible()
})

test('an unblock of one task or many is undone from its message', async ({ gallery }) => {
  await open(gallery, 'blocked', 'blocked')
  const messages = gallery.getByRole('status', { name: 'Messages' })
  await button(gallery, 'Unblock with 13 min 30 s for draw_sales_chart').click()
  await expect(gallery.getByRole('heading', { name: '5 tasks with no attempts left' })).toBeVisible()
  await messages.getByRole('button', { name: 'Undo' }).click()
  await expect(messages).toContainText('draw_sales_chart is blocked again.')
  await expect(gallery.getByRole('heading', { name: '6 tasks with no attempts left' })).toBeVisible()
  await button(gallery, 'Unblock all…').click()
  await button(gallery, 'Unblock 6 tasks').click()
  await expect(gallery.getByRole('heading', { name: 'No task is blocked' })).toBeVisible()
  await expect(messages).toContainText('6 tasks unblocked.')
  await gallery.keyboard.press('Control+z')
  await expect(messages).toContainText('6 tasks are blocked again.')
  await expect(gallery.getByRole('listitem').filter({ hasText: 'run_tests' }).first()).toBeVisible()
})

test('sixty blocked tasks can be filtered, and are shown fifty at a time', async ({ gallery }) => {
  await open(gallery, 'stuck', 'blocked')
  const cards = gallery.locator('li[data-task]')
  await expect(cards).toHaveCount(50)
  await button(gallery, 'Show 10 more, 50 of 60 are shown').click()
  await expect(cards).toHaveCount(60)
  await gallery.getByRole('combobox', { name: 'What would help' }).selectOption({ label: 'more time (10)' })
  await expect(cards).toHaveCount(10)
  await gallery.getByRole('searchbox', { name: 'Filter' }).fill('nothing like this')
  await button(gallery, 'Show all 60').click()
  await expect(cards).toHaveCount(60)
})

test('durations against timeouts are drawn, and described in text', async ({ gallery }) => {
  await open(gallery, 'blocked', 'blocked')
  await expect(
    card(gallery, 'draw_sales_chart').getByRole('img', {
      name: /^4 attempts, the oldest first: ran to its end after 1 min 24 s of 3 min; timed out after 2 min of 2 min/u,
    }),
  ).toBeVisible()
})

test('an attempt shows its interventions, how its timeout was chosen, and that the agent got feedback', async ({
  gallery,
}) => {
  await open(gallery, 'usual')
  await gallery.getByRole('button', { name: 'write_report', exact: true }).click()
  const attempt = gallery.getByRole('article', { name: 'Attempt at write_report' })
  await expect(attempt.getByRole('list', { name: 'Interventions' })).toContainText(
    'Claimed done, changed nothing',
  )
  await expect(attempt).toContainText('3 min: 2 min × 1.5 for medium')
  await expect(attempt.getByRole('button', { name: 'feedback shown' })).toBeVisible()
})

test('the running task explains its time limit on focus', async ({ gallery }) => {
  await open(gallery, 'usual')
  // Parts that load after the first screen are inserted above, and the page scrolls along.
  await expect(gallery.getByRole('button', { name: 'Message to the agent…' })).toBeVisible()
  await expect(gallery.locator('.recharts-surface').first()).toBeVisible()
  const time = card(gallery, 'tidy_inbox').getByRole('button', { name: '3 min' })
  // Scrolling closes the explanation, and the page gets the scroll event with the next frame.
  await time.evaluate(async (element: HTMLElement) => {
    element.scrollIntoView({ block: 'center' })
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    element.focus({ preventScroll: true })
  })
  await expect(gallery.getByRole('tooltip')).toHaveText('3 min because: 2 min × 1.5 for medium')
})

test('the agent’s profile says when its circuit breaker has tripped', async ({ gallery }) => {
  await open(gallery, 'blocked')
  const header = gallery.locator('main header').first()
  await expect(header).toContainText('4 heartbeats')
  await expect(header).toContainText('2 false claims')
  await expect(header).toContainText('circuit breaker warning')
})
