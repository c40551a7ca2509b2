import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { configKey } from './git-config-key.ts'
import { readConfigured } from './git-filters.ts'
import { createScratchFolder, type ScratchFolder } from './testing/scratch-folder.ts'

let folder: ScratchFolder
beforeEach(() => {
  folder = createScratchFolder()
  folder.makeRepository({ 'a.txt': 'one\n' })
})
afterEach(() => folder.dispose())

async function filters(): Promise<readonly string[]> {
  const configured = await readConfigured(folder.path, configKey(folder.path))
  return configured?.withoutFilters.map(([name]) => name) ?? []
}

describe.runIf(process.platform === 'linux')("git's answer about the configuration", () => {
  it('is cached while no byte of it changes, and requested again when one changes', async () => {
    const key = configKey(folder.path)
    expect(configKey(folder.path)).toBe(key)
    expect(await filters()).toEqual([])
    folder.git('config', 'filter.x.clean', 'sed s/a/b/')
    expect(await filters()).toEqual(['filter.x.clean'])
    folder.git('config', '--unset', 'filter.x.clean')
    expect(await filters()).toEqual([])
  })

  it("is requested again when a work tree's own configuration changes", () => {
    const key = configKey(folder.path)
    folder.git('config', 'extensions.worktreeConfig', 'true')
    folder.git('config', '--worktree', 'core.sparseCheckout', 'true')
    expect(configKey(folder.path)).not.toBe(key)
  })

  it('is requested every time if it includes other files', async () => {
    folder.write('more', '[filter "x"]\n\tclean = sed s/a/b/\n')
    folder.git('config', 'include.path', '../more')
    expect(configKey(folder.path)).toBeNull()
    expect(await filters()).toEqual(['filter.x.clean'])
    folder.write('more', '[filter "y"]\n\tclean = sed s/a/b/\n')
    expect(await filters()).toEqual(['filter.y.clean'])
  })

  it('is missing for a folder outside repositories', () => {
    folder.remove('.git')
    expect(configKey(folder.path)).toBeNull()
  })
})
