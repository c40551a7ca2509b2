import { expect } from '@playwright/test'
import { expectNoSideScrolling, expectNothingForAxe, NARROW, open, test } from './gallery-test.ts'

test.beforeEach(() => test.skip(test.info().project.name !== 'serve', 'the same page in either'))

test('reports of the agent, its program, the snapshot and the gates are shown side by side', async ({
  gallery,
}) => {
  await open(gallery, 'usual', 'attempt/write_report-22')
  const table = gallery.getByRole('table', { name: 'The sources side by side' })
  const run = table.getByRole('row', { name: /^tests/ })
  await expect(run.getByRole('cell')).toHaveText([
    'All 12 tests pass',
    'npm test: exit code 1',
    '–',
    'gate npm test failed with exit code 1',
    '',
  ])
  await expect(run.getByRole('img', { name: 'does not equal' })).toBeVisible()
  await expectNothingForAxe(gallery)
})

test('the sources do not make the page scroll sideways at any width', async ({ gallery }) => {
  await gallery.setViewportSize(NARROW)
  await open(gallery, 'usual', 'attempt/write_report-22')
  const box = gallery.getByRole('region', { name: 'The sources side by side' })
  await box.scrollIntoViewIfNeeded()
  await expectNoSideScrolling(gallery, 'an attempt')
  await expectNothingForAxe(gallery)
})
