import { execFileSync, spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { endProcess, expect, openBrowser, serve, test } from '../support/app.ts'
import { pulseward } from '../support/cli.ts'
import { writeFiles } from '../support/files.ts'
import { expectNoSideScroll, expectNothingForAxe } from '../support/page.ts'

const SETTINGS = '{\n    // Theirs.\n    "model": "opus",\n\t"permissions": { "allow": [ "Bash(ls)" ] }\n}\n'
const settingsSchema = z.object({
  hooks: z.record(z.string(), z.array(z.object({ hooks: z.array(z.object({ command: z.string() })) }))),
})

test('the hook is installed, gates a session that shows what it was told, and is removed again', async ({
  folder,
}) => {
  const directory = join(folder, 'shop')
  const home = join(folder, 'home')
  const settings = join(home, '.claude/settings.json')
  await writeFiles(home, { '.claude/settings.json': SETTINGS })
  await writeFiles(directory, {
    'HEARTBEAT.md': '# Shop\n\n## Tasks\n',
    'pulseward.toml': '[agent]\ncommand = ["true"]\n\n[gates]\ncommands = [["sh", "check.sh"]]\n',
    'check.sh': 'grep -q right answer.txt\n',
    'answer.txt': 'right\n',
  })
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', directory, '-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args])
  git('init', '--quiet')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'Begin')
  await pulseward(folder, ['add', directory, '--trust'])
  const { page, close } = await openBrowser()
  const { child, url } = await serve(folder, [], { HOME: home })
  try {
    await page.goto(url)
    await page.getByRole('navigation', { name: 'Workspaces' }).getByRole('link', { name: /shop/ }).click()
    const screens = page.getByRole('navigation', { name: 'Workspace screens' })
    await screens.getByRole('link', { name: 'Setup' }).click()
    await page
      .getByRole('navigation', { name: 'Sections of the setup' })
      .getByRole('button', { name: 'Sessions' })
      .click()
    const programs = page.getByRole('region', { name: 'Programs' })
    await programs.getByRole('button', { name: 'Install… the hook in Claude Code' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Install in shadow mode' }).click()
    const mode = programs.getByRole('combobox', { name: 'Mode of Claude Code' })
    await expect(mode).toHaveValue('shadow')
    await mode.selectOption('gate')
    await expect(mode).toBeEnabled()
    await expect(mode).toHaveValue('gate')
    await expectNothingForAxe({ page })

    // Runs it as Claude Code would, with the settings that it finds.
    const installed = await readFile(settings, 'utf8')
    expect(installed).toContain('// Theirs.')
    const { hooks } = settingsSchema.parse(JSON.parse(installed.replace('// Theirs.', '')))
    const call = (event: string, more: object = {}): string => {
      const command = hooks[event]?.[0]?.hooks[0]?.command ?? `echo no ${event}`
      const input = JSON.stringify({ session_id: 's1', cwd: directory, hook_event_name: event, ...more })
      const { stdout, stderr } = spawnSync('sh', ['-c', command], {
        ...{ cwd: directory, input, encoding: 'utf8' },
        env: { PATH: process.env.PATH, HOME: home },
      })
      return stdout + stderr
    }
    call('UserPromptSubmit', { prompt: 'Work.' })
    await writeFile(join(directory, 'answer.txt'), 'wrong\n')
    const lie = { stop_hook_active: false, last_assistant_message: 'Done. All tests pass.' }
    expect(call('Stop', lie)).toMatch(/sh check\.sh/)

    await screens.getByRole('link', { name: /^Today/ }).click()
    const sessions = page.getByRole('region', { name: 'Sessions' })
    await sessions.getByRole('link', { name: 'Claude Code' }).click()
    await expect(page.getByRole('main')).toContainText('sh check.sh')
    const turn = page.getByRole('main').getByRole('listitem').first()
    await expect(turn.getByRole('list', { name: 'Claim and measurement' })).toContainText('a check fails')
    await expect(turn.getByRole('list', { name: 'Reasons' })).toHaveCount(0)
    await expectNothingForAxe({ page })
    for (const width of [1280, 480]) {
      await page.setViewportSize({ width, height: 800 })
      await expectNoSideScroll(page)
    }

    await screens.getByRole('link', { name: 'Setup' }).click()
    await programs.getByRole('button', { name: 'Uninstall the hook from Claude Code' }).click()
    await expect(programs.getByRole('button', { name: 'Install… the hook in Claude Code' })).toBeVisible()
    expect(await readFile(settings, 'utf8')).toBe(SETTINGS)
  } finally {
    await close()
    await endProcess(child)
  }
})
