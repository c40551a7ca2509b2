import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { meansHere } from '../main/sandbox/testing/contained-world.ts'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'

/*
 * An agent fills the disk on which its own verdict is recorded, to the last block. It can do so even in a sandbox, because it may write to
 * its workspace.
 */

const LONG_MS = 120_000

let cli: CliFixture
let refused = ''

beforeEach(async () => {
  cli = await createCliFixture()
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', cli.root])
  refused = status === 0 ? '' : `needs the permission to mount a tmpfs: ${stderr}`
})
afterEach(async () => {
  if (refused === '') spawnSync('umount', ['--lazy', cli.root])
  await cli.close()
})

const FILL = `cat /dev/zero > w/big; i=0; while [ $i -lt 50 ] && head -c 4000 /dev/zero > w/f$i; do i=$((i+1)); done`
const claim = JSON.stringify({ task_id: 'fix', status: 'done' })

async function id(): Promise<string> {
  const { stdout } = await cli.run(['list', '--json'])
  return (JSON.parse(stdout) as { workspaces: { id: string }[] }).workspaces[0]?.id ?? ''
}

async function workspace(sandbox: string): Promise<void> {
  await cli.write({
    'w/HEARTBEAT.md': '## Tasks\n- [ ] fix | Fix it | required | verify: lines("fixed.txt") == 1\n',
    'w/pulseward.toml': `[agent]\ncommand = ["sh", "agent.sh"]\nsandbox = "${sandbox}"\n`,
    'w/agent.sh': `cat > /dev/null\n(cd .. && ${FILL}) 2>/dev/null\nprintf '\\n\`\`\`heartbeat-report\\n%s\\n\`\`\`\\n' '${claim}'\n`,
  })
  await cli.run(['trust', 'w'])
}

describe.each([...((await meansHere()).length > 0 ? ['auto'] : []), 'off'])(
  'with sandbox = "%s"',
  (sandbox) => {
    it('each lie costs its usual points, however full the disk is', { timeout: LONG_MS }, async (context) => {
      if (refused !== '') return context.skip(refused)
      await workspace(sandbox)
      for (const score of [-15, -30]) {
        await cli.run(['run', '--once', '--workspace', 'w'])
        spawnSync('sh', ['-c', 'rm -f w/big w/f*'], { cwd: cli.root })
        const { stdout } = await cli.run(['score', '--json', '--workspace', 'w'])
        expect(JSON.parse(stdout)).toMatchObject({ score })
      }
      expect((await cli.run(['doctor'])).stdout).toContain('unbroken')
    })
  },
)

it('no agent starts where the end of its attempt could not be recorded', {
  timeout: LONG_MS,
}, async (context) => {
  if (refused !== '') return context.skip(refused)
  await workspace('off')
  await cli.run(['run', '--once', '--workspace', 'w'])
  const place = join(cli.dataDirectory, 'workspaces', await id())
  await rm(join(place, 'reserve'), { force: true })
  // Leaves enough room to start a heartbeat, but not to end it.
  spawnSync('sh', ['-c', `rm -f w/f*; head -c 40000 /dev/zero > w/keep; ${FILL}; rm -f w/keep`], {
    cwd: cli.root,
  })
  const { exitCode, stderr } = await cli.run(['run', '--once', '--workspace', 'w'])
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining('Cannot reserve space'),
  })
  spawnSync('sh', ['-c', 'rm -f w/big w/f*'], { cwd: cli.root })
  const { stdout } = await cli.run(['score', '--json', '--workspace', 'w'])
  expect(JSON.parse(stdout)).toMatchObject({ score: -15, failed: 1 })
  expect((await cli.run(['run', '--once', '--workspace', 'w'])).exitCode, 'and then it goes on').toBe(1)
})

describe('if the repository of isolated work has no room', () => {
  const git = (...args: string[]): string => {
    const identity = ['-c', 'user.name=Operator', '-c', 'user.email=o@example.org']
    const { stdout } = spawnSync('git', [...identity, ...args], {
      cwd: join(cli.root, 'w'),
      encoding: 'utf8',
    })
    return stdout.trim()
  }

  const landing = async (): Promise<readonly unknown[]> =>
    JSON.parse((await cli.run(['landing', '--json', '--workspace', 'w'])).stdout).landing

  it('the target stays unchanged, and the work is repeated and lands once there is room', {
    timeout: LONG_MS,
  }, async (context) => {
    if (refused !== '') return context.skip(refused)
    const repository = join(cli.root, 'w/.git')
    await cli.write({
      'w/HEARTBEAT.md': '## Tasks\n- [ ] fix | Fix it | required | verify: exists("fixed.txt")\n',
      'w/pulseward.toml':
        '[agent]\ncommand = ["sh", "../agent.sh"]\nsandbox = "off"\n[workspace]\nisolation = "worktree"\n[landing]\nmode = "auto"\n',
      'agent.sh': `cat > /dev/null; here=$(dirname "$0"); [ -f "$here/freed" ] || cat /dev/zero > "$here/w/.git/big" 2> /dev/null\nhead -c 50000 /dev/urandom > fixed.txt; echo 'EXIT_SIGNAL: true'\n`,
      'w/.git/placeholder': '',
    })
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', repository])
    try {
      git('init', '--quiet', '--initial-branch=main')
      git('add', '--all')
      git('commit', '--quiet', '--message', 'Begin')
      const tip = git('rev-parse', 'main')
      await cli.run(['run', '--once', '--trust', '--workspace', 'w'])
      expect(await landing()).toEqual([])
      expect(git('rev-parse', 'main')).toBe(tip)
      expect(git('status', '--porcelain')).toBe('')
      spawnSync('rm', [join(repository, 'big')])
      await cli.write({ freed: '' })
      await cli.run(['run', '--once', '--workspace', 'w'])
      expect(await landing()).toMatchObject([{ taskId: 'fix', state: 'landed' }])
      expect(git('ls-tree', '--name-only', 'main')).toContain('fixed.txt')
      expect(git('status', '--porcelain')).toBe('')
      expect(git('fsck', '--strict')).toBe('')
    } finally {
      spawnSync('umount', ['--lazy', repository])
    }
  })
})

it('a heartbeat says that there is no room for a tree, and the next one has its tree once there is', {
  timeout: LONG_MS,
}, async (context) => {
  if (refused !== '') return context.skip(refused)
  const trees = join(cli.dataDirectory, 'trees')
  await cli.write({
    'w/HEARTBEAT.md': '## Tasks\n- [ ] fix | Fix it | required | verify: exists("fixed.txt")\n',
    'w/pulseward.toml':
      '[agent]\ncommand = ["sh", "../agent.sh"]\nsandbox = "off"\n[workspace]\nisolation = "worktree"\n[landing]\nmode = "auto"\n',
    'agent.sh': `touch fixed.txt; echo 'EXIT_SIGNAL: true'\n`,
    'w/large': randomBytes(1_500_000).toString('latin1'),
    'data/trees/.placeholder': '',
  })
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', trees])
  const git = (...args: string[]) => {
    const identity = ['-c', 'user.name=Operator', '-c', 'user.email=o@example.org']
    return spawnSync('git', [...identity, ...args], { cwd: join(cli.root, 'w'), encoding: 'utf8' }).stdout
  }
  try {
    git('init', '--quiet', '--initial-branch=main')
    git('add', '--all')
    git('commit', '--quiet', '--message', 'Begin')
    expect(await cli.run(['run', '--once', '--trust', '--workspace', 'w'])).toMatchObject({
      exitCode: 3,
      stderr: expect.stringMatching(
        /Cannot prepare a tree in \S+: the disk is full \(ENOSPC\): free some space/,
      ),
    })
    spawnSync('mount', ['-o', 'remount,size=16m', trees])
    expect((await cli.run(['run', '--once', '--workspace', 'w'])).exitCode).toBe(0)
    expect(git('ls-tree', '--name-only', 'main')).toContain('fixed.txt')
    expect(git('status', '--porcelain')).toBe('')
  } finally {
    spawnSync('umount', ['--lazy', trees])
  }
})
