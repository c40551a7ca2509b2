import { execFile } from 'node:child_process'
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const module = join(import.meta.dirname, 'ensure-built.mjs')

/** Replaces the real builder: records that it ran, takes a moment, and writes what the real one writes. */
const builder = `
import { appendFileSync, mkdirSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
appendFileSync('builds.log', 'build\\n')
await new Promise((resolve) => setTimeout(resolve, 300))
if (existsSync('broken')) { console.error('src/x.ts: wrong'); process.exit(1) }
const out = process.argv[process.argv.indexOf('--outDir') + 1]
for (const path of ['main/index.js', 'main/cli.js', 'main/status-at-once.js', 'main/hook.js', 'preload/index.cjs', 'renderer/index.html']) {
  mkdirSync(join(out, path, '..'), { recursive: true })
  writeFileSync(join(out, path), 'built')
}
`
let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pulseward-build-'))
  await write('node_modules/electron-vite/bin/electron-vite.js', builder)
  await write('node_modules/electron-vite/package.json', '{"type": "module"}')
  await write('src/cli/index.ts', 'one')
  await write('package.json', '{}')
})

afterEach(() => rm(root, { recursive: true, force: true }))

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}

/** Runs in a separate process, like a real start; returns what it printed on stderr. */
async function start(env: Readonly<Record<string, string>> = {}): Promise<string> {
  const code = `import(process.argv[1]).then(({ ensureBuilt }) => ensureBuilt(process.argv[2])).catch((error) => { console.error(error.message); process.exit(3) })`
  const { stderr } = await promisify(execFile)(process.execPath, ['-e', code, module, root], {
    env: { ...process.env, ...env },
  })
  return stderr
}

async function buildCount(): Promise<number> {
  const log = await readFile(join(root, 'builds.log'), 'utf8').catch(() => '')
  return log.split('\n').length - 1
}

/** Sets a file's time a minute ahead, because files with equal times can't be ordered by age. */
async function touchLater(path: string): Promise<void> {
  const later = new Date(Date.now() + 60_000)
  await utimes(join(root, path), later, later)
}

describe('the build at the start', () => {
  it('runs once, and again only if a source is newer', async () => {
    expect(await start()).toBe('Building once …\n')
    expect(await start()).toBe('')
    expect(await buildCount()).toBe(1)
    await touchLater('src/cli/index.ts')
    await start()
    expect(await buildCount()).toBe(2)
  })

  it('does not run where PULSEWARD_BUILT names this checkout, and does where it names another', async () => {
    await start({ PULSEWARD_BUILT: root })
    expect(await buildCount()).toBe(0)
    await start({ PULSEWARD_BUILT: dirname(root) })
    expect(await buildCount()).toBe(1)
  })

  it.each(['main/cli.js', 'main/status-at-once.js'])('runs again if %s is missing', async (path) => {
    await start()
    await rm(join(root, 'out', path))
    await start()
    expect(await buildCount()).toBe(2)
  })

  it('does not depend on tests', async () => {
    await write('src/cli/index.test.ts', 'test')
    await start()
    await touchLater('src/cli/index.test.ts')
    expect(await start()).toBe('')
  })

  it('runs once for several simultaneous starts, which all find it complete', async () => {
    await Promise.all([start(), start(), start()])
    expect(await buildCount()).toBe(1)
    expect((await readdir(root)).sort()).toEqual(['builds.log', 'node_modules', 'out', 'package.json', 'src'])
    expect(await readFile(join(root, 'out/main/cli.js'), 'utf8')).toBe('built')
  })

  it('takes over the lock of a build that was killed', async () => {
    const { pid } = await promisify(execFile)(process.execPath, ['-p', 'process.pid']).then(({ stdout }) => ({
      pid: Number(stdout),
    }))
    await write('node_modules/.pulseward-build.lock', String(pid))
    await start()
    expect(await buildCount()).toBe(1)
  })

  it('keeps the old output if it fails, says why, and tries again at the next start', async () => {
    await start()
    await write('broken', '')
    await touchLater('src/cli/index.ts')
    await expect(start()).rejects.toMatchObject({
      code: 3,
      stderr: expect.stringMatching(
        /src\/x\.ts: wrong\nThe build failed \(its output is above\)\. Run `npm run build`/,
      ),
    })
    expect(await readFile(join(root, 'out/main/cli.js'), 'utf8')).toBe('built')
    await rm(join(root, 'broken'))
    await start()
    expect(await buildCount()).toBe(3)
  })

  it('says how to get the packages it needs if they are missing', async () => {
    await rm(join(root, 'node_modules'), { recursive: true })
    await expect(start()).rejects.toMatchObject({ code: 3, stderr: expect.stringContaining('Run `npm ci`') })
  })

  it('does not run in an installed package, which has no sources', async () => {
    await rm(join(root, 'src'), { recursive: true })
    await appendFile(join(root, 'package.json'), '\n')
    expect(await start()).toBe('')
    expect(await buildCount()).toBe(0)
  })
})
