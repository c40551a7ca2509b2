import { join } from 'node:path'
import { expect, test } from '../support/app.ts'
import { pulseward } from '../support/cli.ts'
import { expectHeartbeatsDone, expectNothingForAxe } from '../support/page.ts'
import { writeWorkspace } from '../support/workspaces.ts'

test('the palette finds workspaces, tasks, screens and actions with the keyboard alone', {
  tag: '@page',
}, async ({ app, folder }) => {
  const { page } = app
  const { keyboard } = page
  const palette = page.getByRole('dialog', { name: 'Find anything' })
  const field = palette.getByRole('combobox', { name: 'Find anything' })
  const chosen = palette.getByRole('option', { selected: true })
  const find = async (words: string): Promise<void> => {
    await keyboard.press('ControlOrMeta+k')
    await expect(field).toBeFocused()
    await keyboard.type(words)
  }
  await pulseward(folder, ['add', await writeWorkspace(join(folder, 'backend'), 'write', 'tidy'), '--trust'])
  await pulseward(folder, ['add', await writeWorkspace(join(folder, 'inbox'), 'sort'), '--trust'])
  await expect(page.getByRole('navigation', { name: 'Workspaces' }).getByRole('link')).toHaveCount(4)

  await test.step('finds a workspace by some of its letters', async () => {
    await find('bknd')
    await expect(chosen).toContainText('backend')
    await expectNothingForAxe(app)
    await keyboard.press('Enter')
    await expect(palette).toBeHidden()
    await expect(page.getByRole('heading', { level: 1, name: 'backend' })).toBeVisible()
    await expectHeartbeatsDone(page, 1)
  })

  await test.step('finds a task of the workspace on screen, which leads to its last attempt', async () => {
    await find('tidy')
    await expect(chosen).toContainText('tidy')
    await keyboard.press('Enter')
    await expect(page).toHaveURL(/#\/w\/backend[^/]*\/attempt\/1-2-/u)
  })

  await test.step('a screen', async () => {
    await find('timel')
    await expect(chosen).toContainText('Timeline')
    await keyboard.press('Enter')
    await expect(page).toHaveURL(/\/timeline$/u)
  })

  await test.step('runs an action', async () => {
    await find('pause resume')
    await expect(chosen).toContainText('Pause until I resume')
    await keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible()
    await find('resume')
    await expect(chosen).toContainText('Resume')
    await keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
  })

  await test.step('the last choice comes first, also after a reload', async () => {
    await page.reload()
    await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
    await find('')
    const recent = palette.getByRole('group', { name: 'Recent' }).getByRole('option')
    await expect(recent.first()).toContainText('Pause until I resume')
    await expect(recent).toContainText(['Pause', 'Timeline', 'tidy', 'backend'])
    await keyboard.press('ArrowDown')
    await expect(chosen).toContainText('Timeline')
    await keyboard.press('Escape')
    await expect(palette).toBeHidden()
  })

  await test.step('closing it returns the focus to where it was, as every dialog does', async () => {
    const more = page.getByRole('main').getByRole('button', { name: 'More about backend' })
    await more.focus()
    await find('')
    await keyboard.press('Escape')
    await expect(more).toBeFocused()
    await keyboard.press('Enter')
    await expect(page.getByRole('menuitem', { name: 'Rename and tags…' })).toBeFocused()
    await keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Rename backend' })
    await expect(dialog.getByRole('textbox', { name: 'Name' }), 'where one begins to write').toBeFocused()
    // Escape belongs to the menu until it has faded out.
    await expect(page.getByRole('menu')).toHaveCount(0)
    await keyboard.press('Escape')
    await expect(more).toBeFocused()
  })

  await test.step('says so when nothing matches', async () => {
    await find('zzzz')
    await expect(palette.getByText('Nothing found. Try fewer words.')).toBeVisible()
    await expect(palette.getByRole('option')).toHaveCount(0)
    await keyboard.press('Escape')
    await expect(palette).toBeHidden()
  })

  await test.step('the shortcuts are listed, but not while typing', async () => {
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await keyboard.press('?')
    await expect(keys).toContainText('Find anything')
    await expectNothingForAxe(app)
    await keyboard.press('Escape')
    await expect(keys).toBeHidden()
    await find('?')
    await expect(keys).toBeHidden()
    await expect(field).toHaveValue('?')
  })
})

test('keys pressed while the palette is being fetched for the first time count', {
  tag: '@page',
}, async ({ app, folder }) => {
  const { page } = app
  const { keyboard } = page
  const palette = page.getByRole('dialog', { name: 'Find anything' })
  await pulseward(folder, ['add', await writeWorkspace(join(folder, 'backend'), 'write'), '--trust'])
  await expectHeartbeatsDone(page, 1)

  /** Reloads the page, opens the palette, presses the keys before it has loaded, and then lets it load. */
  const pressEarly = async (...keys: readonly string[]): Promise<void> => {
    let letIt = () => {}
    const arrival = new Promise<void>((resolve) => {
      letIt = resolve
    })
    let askedFor = 0
    await page.route(/\/palette-[^/]*\.js$/u, async (route) => {
      askedFor += 1
      await arrival
      await route.continue()
    })
    await page.reload()
    await expect(page.getByRole('button', { name: 'Run now' })).toBeVisible()
    await keyboard.press('ControlOrMeta+k')
    await expect.poll(() => askedFor).toBe(1)
    for (const key of keys) await keyboard.press(key)
    await expect(palette).toHaveCount(0)
    letIt()
    await page.unrouteAll({ behavior: 'wait' })
  }

  await test.step('Enter chooses what is found by what was typed', async () => {
    await pressEarly('t', 'i', 'm', 'x', 'Backspace', 'e', 'l', 'Enter')
    await expect(page).toHaveURL(/\/timeline$/u)
    await expect(palette).toHaveCount(0)
  })

  await test.step('Escape asks for it no longer', async () => {
    await pressEarly('t', 'Escape')
    await expect(page).toHaveURL(/\/timeline$/u)
    await expect(palette).toHaveCount(0)
    await keyboard.press('ControlOrMeta+k')
    await expect(palette.getByRole('combobox')).toHaveValue('')
    await keyboard.press('Escape')
    await expect(palette).toBeHidden()
  })
})
