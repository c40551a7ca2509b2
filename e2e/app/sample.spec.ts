import { expect, test } from '../support/app.ts'
import {
  expectComparison,
  expectHeartbeatsDone,
  expectNothingForAxe,
  score,
  shield,
  taskRow,
  verdictOf,
} from '../support/page.ts'

/* The first minute, from the welcome screen through the sample's first two heartbeats: one app, one story. */
test('the sample shows what an agent claimed beside what was measured, and the score follows', async ({
  app,
}) => {
  const { page } = app

  await test.step('the first run shows the welcome screen', async () => {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Know what your agent really did.')
    await expect(page.getByRole('button', { name: 'Add a folder' })).toBeVisible()
    await expectNothingForAxe(app)
  })

  await test.step('the first heartbeat can be watched live', async () => {
    await page.getByRole('button', { name: 'Open the sample' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'sample' })).toBeVisible()
    const slow = taskRow(page, 'pack_attachments')
    await slow.getByRole('button', { name: 'pack_attachments', exact: true }).click()
    // It runs for three seconds. Everything is looked for at once, because it would be gone if checked in turn.
    await Promise.all([
      expect(slow.getByRole('img', { name: 'Running' })).toBeVisible(),
      expect(slow.getByText(/^running \d s of 3 s$/)).toBeVisible(),
      expect(slow.getByRole('log', { name: 'Output of the agent' })).toContainText('This takes a while.'),
      expect(page.getByRole('button', { name: 'Stop now' })).toBeVisible(),
    ])
    await expectHeartbeatsDone(page, 1)
  })

  await test.step('claim and measurement are side by side', async () => {
    await expect(verdictOf(page, 'fetch_mail')).toHaveAccessibleName('Verified')
    await expectComparison(page, 'fetch_mail', ['unread_mail', '3', 'equals', '3'])

    await expect(verdictOf(page, 'answer_urgent')).toHaveAccessibleName('Contradiction')
    await expectComparison(page, 'answer_urgent', ['drafts_written', '3', 'does not equal', '0'])
    await expect(taskRow(page, 'answer_urgent').getByText('−45 points')).toBeVisible()

    await expect(verdictOf(page, 'weekly_report')).toHaveAccessibleName('Contradiction')
    await expectComparison(page, 'weekly_report', [
      'reports/week.md',
      'written',
      'does not equal',
      'not written',
    ])

    await expect(verdictOf(page, 'check_calendar')).toHaveAccessibleName('Unclear')
    await expect(verdictOf(page, 'pack_attachments')).toHaveAccessibleName('Not verified')
    await expect(
      taskRow(page, 'pack_attachments')
        .getByText(/timeout/)
        .first(),
    ).toBeVisible()
  })

  await test.step('score and shield have changed', async () => {
    await expect(score(page)).toHaveText('−87')
    await expect(shield(page)).toHaveText('Lockdown')
    await expect(page).toHaveTitle('−87 sample – Pulseward')
    await expect(page.getByRole('list', { name: 'Verdicts of today' })).toContainText('2 contradictions')
    await expectNothingForAxe(app)
  })

  await test.step('thumbs change the score at once and permanently', async () => {
    const up = page.getByRole('button', { name: 'Thumbs up for fetch_mail' }).first()
    const down = page.getByRole('button', { name: 'Thumbs down for write_summary' }).first()
    await up.click()
    await expect(score(page)).toHaveText('−84')
    await down.click()
    await expect(score(page)).toHaveText('−94')
    // The page changed it before the host had answered; a reload drops a request that is still on its way.
    for (const thumb of [up, down]) await expect(thumb).not.toHaveAttribute('aria-busy')
    await page.reload()
    await expect(score(page)).toHaveText('−94')
    await expect(up).toHaveAttribute('aria-pressed', 'true')
    await expect(down).toHaveAttribute('aria-pressed', 'true')
  })

  await test.step('an attempt shows its reasons and what the agent printed', async () => {
    await page.getByRole('button', { name: 'answer_urgent', exact: true }).click()
    const attempt = page.getByRole('article', { name: 'Attempt at answer_urgent' })
    await expect(attempt.getByRole('list', { name: 'Reasons' })).toContainText(
      'laimed drafts_written = 3, measured 0',
    )
    await expect(attempt.getByText('completed, exit code 0')).toBeVisible()
    await attempt.getByText('Output', { exact: true }).click()
    await expect(attempt.getByRole('log')).toContainText('All three answers are drafted.')
    await expectNothingForAxe(app)
    await page.getByRole('button', { name: 'answer_urgent', exact: true }).click()
  })

  await test.step('the operator has the last word, and the first verdict stays visible', async () => {
    await page.getByRole('button', { name: 'weekly_report', exact: true }).click()
    const attempt = page.getByRole('article', { name: 'Attempt at weekly_report' })
    await attempt.getByRole('button', { name: 'Overrule…' }).click()
    await attempt.getByRole('radio', { name: 'Verified', exact: true }).check()
    await attempt.getByRole('textbox', { name: 'Reason' }).fill('I have the report on paper')
    await attempt.getByRole('button', { name: 'Overrule the verdict' }).click()
    await expect(
      attempt.getByText(/Overruled .*before: not verified, −45 points\. .*I have the report on paper/),
    ).toBeVisible()
    // −45 was wrong and +5 is right: 50 more.
    await expect(score(page)).toHaveText('−44')
    await expect(verdictOf(page, 'weekly_report')).toHaveAccessibleName('Verified')
  })

  await test.step('Run now runs the next heartbeat, in which the agent is honest', async () => {
    await page.getByRole('button', { name: 'Run now' }).click()
    await expectHeartbeatsDone(page, 2)
    await expect(verdictOf(page, 'answer_urgent')).toHaveAccessibleName('Verified')
    // In lockdown every task counts as required: five verified, one unclear.
    await expect(score(page)).toHaveText('4')
  })

  await test.step('a pause is shown, and ends', async () => {
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('menuitem', { name: 'Until I resume' }).click()
    await expect(shield(page)).toHaveText('Paused')
    await page.getByRole('button', { name: 'Resume' }).click()
    await expect(shield(page)).not.toHaveText('Paused')
  })
})
