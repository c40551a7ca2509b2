import { execFileSync } from 'node:child_process'
import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RunReport } from '../core/read-model/attempt.ts'
import type { LandingView } from '../core/read-model/landing.ts'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'

/* Isolated attempts through the command: what lands, what doesn't, and which of the operator's files stay untouched. */

let cli: CliFixture

const IDENTITY = ['-c', 'user.name=Operator', '-c', 'user.email=o@example.org']

function git(...args: readonly string[]): string {
  return execFileSync('git', [...IDENTITY, ...args], { cwd: join(cli.root, 'p'), encoding: 'utf8' }).trim()
}

async function json(...words: string[]): Promise<unknown> {
  const { stdout, stderr } = await cli.run([...words, '--json', '--workspace', 'p'])
  try {
    return JSON.parse(stdout)
  } catch {
    throw new Error(`${words.join(' ')}: ${stdout}${stderr}`)
  }
}

const run = () => json('run', '--once', '--trust') as Promise<RunReport>
const landing = async () => ((await json('landing')) as { landing: LandingView[] }).landing

/** Returns the configuration of an isolated workspace whose agent is a script outside it. */
function configuration(landingLines = '', workspaceLines = '', rest = ''): string {
  return `[agent]\ncommand = ["sh", "../agent.sh"]\n[workspace]\nisolation = "worktree"\n${workspaceLines}\n[landing]\n${landingLines}\n${rest}`
}

const TASK =
  '## Tasks\n- [ ] greet | Write a greeting | required | verify: contains("greeting.txt", "hello")\n'
const DONE = `echo 'EXIT_SIGNAL: true'\n`

async function begin(files: Readonly<Record<string, string>>): Promise<void> {
  await cli.write(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, text])))
  git('init', '--quiet', '--initial-branch=main')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'Begin')
}

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

describe('an isolated attempt', () => {
  test('lands automatically in mode auto: one commit with trailers, and the checked-out tree is updated', async () => {
    await begin({
      'p/HEARTBEAT.md': TASK,
      'p/pulseward.toml': configuration('mode = "auto"'),
      'p/notes.txt': 'mine\n',
      'agent.sh': `echo hello > greeting.txt; ${DONE}`,
    })
    const before = git('rev-parse', 'HEAD')
    const report = await run()
    expect(report.attempts[0]).toMatchObject({ verdict: 'verified' })
    const [entry] = await landing()
    expect(entry).toMatchObject({ taskId: 'greet', state: 'landed', target: 'main' })
    expect(git('rev-parse', 'main')).toBe(entry?.commit)
    expect(git('rev-parse', 'main^{tree}')).toBe(entry?.tree)
    expect(git('rev-parse', 'main^')).toBe(before)
    expect(git('show', '-s', '--format=%(trailers:key=Pulseward-Attempt,valueonly)', 'main')).toBe(
      entry?.attemptId,
    )
    expect(git('status', '--porcelain')).toBe('')
    expect(await readFile(join(cli.root, 'p/greeting.txt'), 'utf8')).toBe('hello\n')
    expect(git('worktree', 'list').split('\n')).toHaveLength(1)
  })

  test('lands by default on the branch that was checked out when the folder was added', async () => {
    await begin({
      'p/HEARTBEAT.md': TASK,
      'p/pulseward.toml': configuration('mode = "auto"'),
      'agent.sh': `echo hello > greeting.txt; ${DONE}`,
    })
    await cli.run(['add', 'p', '--trust'])
    git('checkout', '--quiet', '-b', 'side')
    await run()
    expect(await landing()).toMatchObject([{ state: 'landed', target: 'main' }])
    expect(git('show', 'main:greeting.txt')).toBe('hello')
    expect(git('ls-tree', '--name-only', 'side')).not.toContain('greeting')
  })

  test('has dependencies, copied files and ports in its tree, and lands none of them', async () => {
    await begin({
      'p/.gitignore': 'node_modules/\n.env*\n',
      'p/HEARTBEAT.md': TASK,
      'p/pulseward.toml': configuration('mode = "auto"', 'copy = [".env.test"]\nports = 2'),
      'p/node_modules/one/index.js': 'module.exports = 1\n',
      'p/.env.test': 'A=1\n',
      'p/.env': 'SECRET=1\n',
      'agent.sh': `{ cat node_modules/one/index.js .env.test; ls -A; echo "hello $PULSEWARD_PORT_1 $PULSEWARD_PORT_2"; } > greeting.txt; rm -r node_modules; ${DONE}`,
    })
    await run()
    const said = git('show', 'main:greeting.txt')
    expect(said).toContain('module.exports = 1\nA=1\n')
    expect(said).toMatch(/hello 42\d{3} 42\d{3}/)
    expect(said).not.toMatch(/^\.env$/m)
    expect(git('ls-tree', '-r', '--name-only', 'main').split('\n')).toEqual([
      '.gitignore',
      'HEARTBEAT.md',
      'greeting.txt',
      'pulseward.toml',
    ])
    // The second heartbeat reuses the tree, with its dependencies restored.
    expect((await run()).attempts[0]).toMatchObject({ verdict: 'verified' })
    expect(await readdir(join(cli.root, 'p/node_modules'))).toEqual(['one'])
  })

  test('changes none of your files, whatever it does with git and absolute paths', async () => {
    await begin({
      'p/HEARTBEAT.md': TASK,
      'p/pulseward.toml': configuration('mode = "auto"'),
      'p/mine.txt': 'committed\n',
      'agent.sh': `
        for path in mine.txt .git/hooks/post-commit HEARTBEAT.md; do echo evil > "${'$'}(dirname "${'$'}0")/p/${'$'}path"; done
        git config core.hooksPath /tmp
        echo x > draft.txt; git add -A; git stash; git branch evil; git tag evil; git update-ref refs/heads/main HEAD~0
        echo 'exit 1' > .git/hooks/pre-commit
        echo hello > greeting.txt; git add -A; git -c user.name=Agent -c user.email=agent@example.org commit --quiet --no-verify --message mine; git worktree prune
        ${DONE}`,
    })
    await cli.write({
      'p/mine.txt': 'edited by you\n',
      'p/.git/hooks/post-checkout': '#!/bin/sh\ntouch ../hook-ran\n',
    })
    execFileSync('chmod', ['+x', join(cli.root, 'p/.git/hooks/post-checkout')])
    const state = () => [
      git('status', '--porcelain'),
      git('stash', 'list'),
      git('branch', '--list'),
      git('tag'),
      git('config', '--local', '--list'),
      git('rev-parse', 'main'),
    ]
    const before = state()
    expect((await run()).attempts[0]).toMatchObject({ verdict: 'verified' })
    expect(state()).toEqual(before)
    expect(await readFile(join(cli.root, 'p/mine.txt'), 'utf8')).toBe('edited by you\n')
    expect(await readdir(join(cli.root, 'p/.git/hooks'))).not.toContain('post-commit')
    // The checked-out tree is dirty, so the work waits and says why.
    expect(await landing()).toMatchObject([
      { state: 'waiting', because: expect.stringContaining('uncommitted changes (mine.txt)') },
    ])
    // Without your hook, which would leave a trace.
    git('-c', 'core.hooksPath=/dev/null', 'checkout', '--quiet', '--', 'mine.txt')
    const [entry] = await landing()
    // Once the tree is clean, it lands with the next heartbeat at the latest.
    await run()
    expect(await landing()).toContainEqual(
      expect.objectContaining({ attemptId: entry?.attemptId, state: 'landed' }),
    )
    expect(git('show', '--no-patch', '--format=%an <%ae>', 'main')).toBe('Agent <agent@example.org>')
    expect(git('status', '--porcelain')).toBe('')
    expect(await readdir(cli.root)).not.toContain('hook-ran')
  })

  test('never lands unverified work, but keeps it for review', async () => {
    await begin({
      'p/HEARTBEAT.md': TASK,
      'p/pulseward.toml': configuration('mode = "auto"'),
      'agent.sh': `echo nothing > greeting.txt; ${DONE}`,
    })
    const { attempts } = await run()
    const id = attempts[0]?.attemptId ?? ''
    expect(attempts[0]).toMatchObject({ verdict: 'not_verified' })
    expect(await landing()).toEqual([])
    expect(git('ls-tree', '--name-only', 'main')).not.toContain('greeting')
    expect(await json('landing', 'show', id)).toMatchObject({
      landing: [{ attemptId: id, state: 'dropped' }],
      patch: expect.stringContaining('+nothing'),
    })
    const refused = await cli.run(['landing', 'land', id, '--workspace', 'p'])
    expect(refused).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('only verified work lands'),
    })
    expect(git('rev-parse', `refs/pulseward/attempts/${id}`)).not.toBe('')
    const shown = await cli.run(['landing', 'show', id, '--workspace', 'p'])
    expect(shown.stdout.split('\n')).toContain('+nothing')
    git('update-ref', '-d', `refs/pulseward/attempts/${id}`)
    git('gc', '--quiet', '--prune=now')
    expect(await json('landing', 'show', id)).toMatchObject({ patch: null })
    const gone = await cli.run(['landing', 'show', id, '--workspace', 'p'])
    expect(gone.stdout).toContain('Git no longer has this work')
  })

  test('whose check passes only because of a file that git ignores is held', async () => {
    await begin({
      'p/.gitignore': 'build/\n',
      'p/HEARTBEAT.md':
        '## Tasks\n- [ ] greet | Write a greeting | required | verify: exists("greeting.txt") && exists("build/out.txt")\n',
      'p/pulseward.toml': configuration('mode = "auto"'),
      'agent.sh': `mkdir build; touch build/out.txt greeting.txt; ${DONE}`,
    })
    expect((await run()).attempts[0]).toMatchObject({ verdict: 'verified' })
    expect(await landing()).toMatchObject([
      { state: 'held', because: expect.stringMatching(/^Git ignores the files it made/) },
    ])
    expect(git('ls-tree', '--name-only', 'main')).not.toContain('greeting')
  })

  test.each([
    [
      'caches of the tests it ran',
      'mkdir -p .pytest_cache/v pkg/__pycache__; touch .pytest_cache/v/a pkg/__pycache__/a.pyc',
      0,
    ],
    ['other files that git ignores', 'mkdir build; touch build/out.txt', 1],
  ])('that leaves %s is judged again only if that could change the verdict', async (_what, leave, again) => {
    const runs = join(cli.root, 'runs')
    await begin({
      'p/.gitignore': 'build/\n.pytest_cache/\n__pycache__/\n',
      'p/HEARTBEAT.md':
        '## Tasks\n- [ ] greet | Write a greeting | required | verify: succeeds("sh check.sh")\n',
      'p/check.sh': `echo >> '${runs}'; test -f greeting.txt\n`,
      'p/pkg/cart.py': 'total = 1\n',
      'p/pulseward.toml': configuration(
        'mode = "auto"',
        '',
        '[verification]\ncommands = ["sh check.sh"]',
      ).replace('[agent]\n', '[agent]\nsandbox = "off"\n'),
      'agent.sh': `${leave}; echo hello > greeting.txt; : > '${runs}'; ${DONE}`,
    })
    await run()
    expect(await landing()).toMatchObject([{ state: 'landed' }])
    expect((await readFile(runs, 'utf8')).length - 1).toBe(again)
  })

  test('whose files git cannot store is paid in no heartbeat, and lands once they can be stored', async () => {
    await begin({
      'p/HEARTBEAT.md': TASK,
      'p/pulseward.toml': configuration('mode = "auto"'),
      'agent.sh': `echo hello > greeting.txt; [ -f "${'$'}(dirname "${'$'}0")/knows-better" ] || echo '*.txt working-tree-encoding=UTF-16' > .gitattributes; ${DONE}`,
    })
    for (const _heartbeat of [1, 2]) {
      const { attempts } = await run()
      expect(attempts).toMatchObject([
        {
          verdict: 'unclear',
          points: 0,
          reasons: [expect.stringMatching(/nothing of it can land: .*BOM/), expect.anything()],
        },
      ])
    }
    expect(await landing()).toEqual([])
    await cli.write({ 'knows-better': '' })
    expect((await run()).attempts).toMatchObject([{ verdict: 'verified' }])
    expect(await landing()).toMatchObject([{ state: 'landed' }])
  })

  test('that changes your git settings without a sandbox is held, and lands once you say so', async () => {
    await begin({
      'p/HEARTBEAT.md': TASK,
      'p/pulseward.toml': configuration('mode = "auto"').replace('[agent]\n', '[agent]\nsandbox = "off"\n'),
      'agent.sh': `git -C "${'$'}(dirname "${'$'}0")/p" config merge.mine.driver 'touch %A'; echo hello > greeting.txt; ${DONE}`,
    })
    await run()
    const [entry] = await landing()
    expect(entry).toMatchObject({ state: 'held', because: expect.stringContaining('settings or hooks') })
    expect(await json('landing', 'land', entry?.attemptId ?? '')).toMatchObject({
      landing: [{ state: 'landed' }],
    })
  })

  test('that changes them is held under its own name even if its work could not be handed in at first', async () => {
    await begin({
      'p/HEARTBEAT.md': TASK,
      'p/pulseward.toml': configuration('mode = "auto"').replace('[agent]\n', '[agent]\nsandbox = "off"\n'),
      'agent.sh': `
        there="${'$'}(dirname "${'$'}0")/p"; git -C "${'$'}there" config merge.mine.driver 'touch %A'; echo x > "${'$'}there/.git/refs/pulseward"
        echo hello > greeting.txt; git add -A; git -c user.name=Agent -c user.email=agent@example.org commit --quiet --message mine
        ${DONE}`,
    })
    await run()
    expect(await landing()).toEqual([])
    await rm(join(cli.root, 'p/.git/refs/pulseward'))
    await run()
    const [entry] = await landing()
    expect(entry).toMatchObject({ state: 'held', because: expect.stringContaining('settings or hooks') })
    expect(git('log', '-1', '--format=%an', `refs/pulseward/attempts/${entry?.attemptId}`)).toBe('Agent')
  })

  test('cannot tick the box of another task, which would then need no attempt', async () => {
    await begin({
      'p/HEARTBEAT.md': `${TASK}- [ ] later | Write the rest | required | verify: changed("rest.txt")\n`,
      'p/pulseward.toml': configuration('mode = "auto"'),
      'agent.sh': `
        if grep -q '^## Task later' -; then echo 'STATUS: failed'; exit; fi
        echo hello > greeting.txt; sed -i 's/\\[ \\]/[x]/' HEARTBEAT.md; ${DONE}`,
    })
    expect((await run()).attempts[0]).toMatchObject({ taskId: 'greet', verdict: 'verified' })
    expect(await landing()).toMatchObject([{ taskId: 'greet', state: 'landed' }])
    expect(git('show', 'main:HEARTBEAT.md')).not.toContain('[x]')
    expect((await run()).attempts.map(({ taskId }) => taskId)).toContain('later')
  })

  test('can tick its own box, and those of verified tasks', async () => {
    await begin({
      'p/HEARTBEAT.md': `${TASK}- [ ] later | Write the rest | required | verify: exists("rest.txt")\n`,
      'p/pulseward.toml': configuration('mode = "auto"'),
      'agent.sh': `
        if grep -q '^## Task later' -; then echo rest > rest.txt; sed -i 's/\\[ \\]/[x]/' HEARTBEAT.md; ${DONE} exit; fi
        echo hello > greeting.txt; ${DONE}`,
    })
    expect((await run()).attempts).toMatchObject([{ verdict: 'verified' }, { verdict: 'verified' }])
    expect((await landing()).map(({ state }) => state)).toEqual(['landed', 'landed'])
    expect(git('show', 'main:HEARTBEAT.md').match(/\[x\]/g)).toHaveLength(2)
  })

  test('without a sandbox cannot hide from git what it changed', async () => {
    await begin({
      'p/HEARTBEAT.md': '## Tasks\n- [ ] fix | Fix the sum | required | verify: succeeds("node check.js")\n',
      'p/pulseward.toml': configuration(
        'mode = "auto"',
        '[verification]\ncommands = ["node check.js"]\n',
      ).replace('[agent]\n', '[agent]\nsandbox = "off"\n'),
      'p/check.js': "require('node:assert').equal(require('./sum.js').sum(1, 2), 3)\n",
      'p/sum.js': 'exports.sum = (a, b) => a - b\n',
      'agent.sh': `
        echo 'exports.sum = (a, b) => a + b' > sum.js; echo more > more.txt
        GIT_DIR=$PWD/../../git GIT_INDEX_FILE=$PWD/../../index git update-index --assume-unchanged sum.js; ${DONE}`,
    })
    await run()
    expect((await landing()).map(({ state }) => state)).not.toContain('landed')
    expect(git('show', 'main:sum.js')).toContain('a - b')
  })

  // A tree is made from the folder, so an attempt would find there what the one before it made of it.
  describe.each([
    ['an installed package', 'node_modules/plus/index.js', 'exports.plus = (a, b) => a + b'],
    ['a file that trees get', '.env.test', 'STRICT='],
  ])('without a sandbox, %s in your folder', (_what, path, text) => {
    const beginWith = async (first: string, second: string): Promise<void> => {
      await begin({
        'p/.gitignore': 'node_modules/\n.env.test\n',
        'p/HEARTBEAT.md':
          '## Tasks\n- [ ] fix | Fix the sum | required | verify: succeeds("node check.js")\n',
        'p/pulseward.toml': configuration(
          'mode = "auto"',
          'copy = [".env.test"]',
          '[verification]\ncommands = ["node check.js"]\n',
        ).replace('[agent]\n', '[agent]\nsandbox = "off"\n'),
        'p/check.js':
          "process.loadEnvFile('.env.test')\nif (process.env.STRICT) require('node:assert').equal(require('./sum.js').sum(1, 2), 3)\n",
        'p/sum.js': "exports.sum = (a, b) => require('plus').plus(a, b)\n",
        'p/.env.test': 'STRICT=1\n',
        'p/node_modules/plus/index.js': 'exports.plus = (a, b) => a - b\n',
        'agent.sh': `there=$(dirname "$0"); if [ -f "$there/ran" ]; then ${second}; else touch "$there/ran"; ${first}; fi; ${DONE}`,
      })
      expect((await run()).attempts[0]).toMatchObject({ verdict: 'not_verified' })
    }

    test('changed by an attempt holds the next one, until you accept it', async () => {
      await beginWith(`echo '${text}' > "$there/p/${path}"`, 'echo // >> sum.js')
      const [attempt] = (await run()).attempts
      expect(attempt).toMatchObject({ verdict: 'unclear', points: 0, held: { files: [path] } })
      expect((await landing()).map(({ state }) => state)).not.toContain('landed')
      await cli.run(['review', 'accept', attempt?.attemptId ?? '', '--workspace', 'p'])
      await run()
      expect((await landing())[0]).toMatchObject({ taskId: 'fix', state: 'landed' })
    })

    test('changed by you between two attempts holds nothing', async () => {
      await beginWith('echo // >> sum.js', 'echo // >> sum.js')
      await cli.write({ [`p/${path}`]: `${text}\n` })
      expect((await run()).attempts[0]).toMatchObject({ verdict: 'verified', held: null })
      expect(await landing()).toMatchObject([{ state: 'landed' }])
    })
  })

  test('cannot weaken the contract: its edits in its worktree are reverted, but a ticked box stays', async () => {
    await begin({
      'p/HEARTBEAT.md': `${TASK}- [ ] other | Something else | required | verify: exists("other.txt")\n`,
      'p/pulseward.toml': configuration('mode = "auto"'),
      'agent.sh': `sed -i 's/exists("other.txt")/true/' HEARTBEAT.md; echo hello > greeting.txt; ${DONE}`,
    })
    await run()
    expect(git('show', 'main:HEARTBEAT.md')).toContain('exists("other.txt")')
    expect(git('show', 'main:greeting.txt')).toBe('hello')
  })
})

describe('mode ask', () => {
  test('waits for you, and can be dropped, retried and landed', async () => {
    await begin({
      'p/HEARTBEAT.md': TASK,
      'p/pulseward.toml': configuration(),
      'agent.sh': `echo hello > greeting.txt; ${DONE}`,
    })
    const { attempts } = await run()
    const id = attempts[0]?.attemptId ?? ''
    expect(await landing()).toMatchObject([
      { attemptId: id, state: 'waiting', because: expect.stringContaining('waits for you') },
    ])
    expect(await json('status')).toMatchObject({ needs: [{ kind: 'landing', id }] })
    // Its task does not run again while it waits to land.
    expect((await run()).attempts).toEqual([])
    expect(await json('landing', 'drop', id)).toMatchObject({ landing: [{ state: 'dropped' }] })
    const refused = await cli.run(['landing', 'land', id, '--workspace', 'p'])
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('was dropped') })
    expect(await json('landing', 'retry', id)).toMatchObject({ landing: [{ state: 'waiting' }] })
    expect(await json('landing', 'land', id)).toMatchObject({ landing: [{ state: 'landed' }] })
    expect(git('show', 'main:greeting.txt')).toBe('hello')
    expect((await cli.run(['landing', 'land', id, '--workspace', 'p'])).exitCode).toBe(2)
  })
})

describe('a target that moved', () => {
  const edit = (text: string) =>
    `printf '${text}' > "${'$'}ROOT/p/shared.txt"; git -C "${'$'}ROOT/p" -c user.name=O -c user.email=o@x commit --quiet --all --message Moved`

  test('sends a conflict back once with both sides, and the next attempt lands', async () => {
    await begin({
      'p/HEARTBEAT.md':
        '## Tasks\n- [ ] greet | Say hello in shared.txt | required | verify: contains("shared.txt", "hello")\n',
      'p/pulseward.toml': `${configuration('mode = "auto"')}`.replace(
        '[agent]\n',
        '[agent]\nsandbox = "off"\n',
      ),
      'p/shared.txt': 'one\n',
      'agent.sh': `cat > "${'$'}(dirname "${'$'}0")/prompt.txt"; ROOT=${'$'}(dirname "${'$'}0")
        if grep -q one shared.txt; then echo hello > shared.txt; ${edit('two\\n')}; else sed -i 's/${'$'}/ hello/' shared.txt; fi
        ${DONE}`,
    })
    await run()
    const [conflict] = await landing()
    expect(conflict).toMatchObject({
      state: 'conflict',
      conflict: { kind: 'textual', paths: ['shared.txt'] },
    })
    expect(git('show', 'main:shared.txt')).toBe('two')
    await run()
    const prompt = await readFile(join(cli.root, 'prompt.txt'), 'utf8')
    expect(prompt).toContain('shared.txt')
    expect(prompt).toMatch(/<<<<<<<[\s\S]*two[\s\S]*=======[\s\S]*hello[\s\S]*>>>>>>>/)
    expect(await landing()).toMatchObject([{ state: 'landed' }, { state: 'conflict' }])
    expect(git('show', 'main:shared.txt')).toBe('two hello')
  })

  test('holds a second conflict', async () => {
    await begin({
      'p/HEARTBEAT.md':
        '## Tasks\n- [ ] greet | Say hello in shared.txt | required | verify: contains("shared.txt", "hello")\n',
      'p/pulseward.toml': `${configuration('mode = "auto"')}`.replace(
        '[agent]\n',
        '[agent]\nsandbox = "off"\n',
      ),
      'p/shared.txt': 'one\n',
      'agent.sh': `cat > /dev/null; ROOT=${'$'}(dirname "${'$'}0"); echo hello > shared.txt; ${edit('$(date +%N)\\n').replaceAll("'", '"')}; ${DONE}`,
    })
    await run()
    await run()
    expect(await landing()).toMatchObject([{ state: 'held' }, { state: 'conflict' }])
    expect(await json('status')).toMatchObject({ needs: [{ kind: 'landing' }] })
    expect((await run()).attempts).toEqual([])
  })

  test('sends back work that merges cleanly but fails together, and never lands it', async () => {
    const gate = 'if [ -f a.txt ] && [ -f b.txt ]; then echo both; exit 1; fi'
    await begin({
      'p/HEARTBEAT.md': '## Tasks\n- [ ] make_a | Make a.txt | required | verify: exists("a.txt")\n',
      'p/pulseward.toml': configuration(
        'mode = "auto"',
        '',
        '[gates]\ncommands = [["sh", "gate.sh"]]\n',
      ).replace('[agent]\n', '[agent]\nsandbox = "off"\n'),
      'p/gate.sh': gate,
      'agent.sh': `cat > "${'$'}(dirname "${'$'}0")/prompt.txt"; ROOT=${'$'}(dirname "${'$'}0"); touch a.txt; touch "${'$'}ROOT/p/b.txt"; git -C "${'$'}ROOT/p" add b.txt; git -C "${'$'}ROOT/p" -c user.name=O -c user.email=o@x commit --quiet --message b; ${DONE}`,
    })
    await run()
    expect(await landing()).toMatchObject([
      { state: 'conflict', conflict: { kind: 'semantic', paths: ['a.txt'] } },
    ])
    expect(git('ls-tree', '--name-only', 'main')).not.toContain('a.txt')
    await run()
    expect(await readFile(join(cli.root, 'prompt.txt'), 'utf8')).toContain('gate.sh')
  })
})

describe('a remote target', () => {
  async function beginRemote(): Promise<void> {
    await begin({
      'p/HEARTBEAT.md': TASK,
      'p/pulseward.toml': configuration('mode = "auto"\ntarget = "origin/main"'),
      'agent.sh': `echo hello > greeting.txt; ${DONE}`,
    })
    execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', 'remote.git'], {
      cwd: cli.root,
    })
    git('remote', 'add', 'origin', '../remote.git')
    git('push', '--quiet', 'origin', 'main')
  }

  test('gets the commit by a push, and your branch does not move', async () => {
    await beginRemote()
    const mine = git('rev-parse', 'main')
    await run()
    const [entry] = await landing()
    expect(entry).toMatchObject({ state: 'landed', target: 'origin/main' })
    expect(git('ls-remote', 'origin', 'refs/heads/main').split('\t')[0]).toBe(entry?.commit)
    expect(git('rev-parse', 'main')).toBe(mine)
    expect(git('status', '--porcelain')).toBe('')
  })

  test('that refuses the push is reported, and the work waits until it accepts', async () => {
    await beginRemote()
    await cli.write({ 'remote.git/hooks/pre-receive': '#!/bin/sh\necho "main is frozen"; exit 1\n' })
    execFileSync('chmod', ['+x', join(cli.root, 'remote.git/hooks/pre-receive')])
    await run()
    const [entry] = await landing()
    expect(entry).toMatchObject({ state: 'waiting', commit: null })
    expect(entry?.because).toMatch(/origin refused the push .*main is frozen/)
    await cli.write({ 'remote.git/hooks/pre-receive': '#!/bin/sh\nexit 0\n' })
    await run()
    expect(await landing()).toMatchObject([{ attemptId: entry?.attemptId, state: 'landed' }])
    expect(git('rev-list', '--count', 'main..origin/main')).toBe('1')
  })
})

describe('mode branch', () => {
  test('creates a branch, and notices who merges it and what was merged', async () => {
    await begin({
      'p/HEARTBEAT.md': TASK,
      'p/pulseward.toml': configuration('mode = "branch"'),
      'agent.sh': `echo hello > greeting.txt; ${DONE}`,
    })
    await run()
    const [entry] = await landing()
    expect(entry).toMatchObject({ state: 'waiting', branch: `pulseward/${entry?.attemptId}` })
    expect(git('rev-parse', entry?.branch ?? '')).toBe(entry?.commit)
    git('merge', '--quiet', '--squash', entry?.branch ?? '')
    await cli.write({ 'p/greeting.txt': 'something else\n' })
    git('commit', '--quiet', '--all', '--message', `Merge\n\nPulseward-Attempt: ${entry?.attemptId}`)
    await run()
    expect((await landing()).find(({ attemptId }) => attemptId === entry?.attemptId)).toMatchObject({
      state: 'landed',
    })
    expect(await json('status')).toMatchObject({
      needs: expect.arrayContaining([expect.objectContaining({ kind: 'landed-differs' })]),
    })
  })
})

describe('parallel', () => {
  test('runs independent tasks of one heartbeat at the same time, and lands them all', async () => {
    await begin({
      'p/HEARTBEAT.md': `## Tasks\n${['a', 'b', 'c'].map((id) => `- [ ] make_${id} | Make ${id}.txt | required | verify: exists("${id}.txt")\n`).join('')}`,
      'p/pulseward.toml': configuration('mode = "auto"', 'parallel = 3').replace(
        '[agent]\n',
        '[agent]\nsandbox = "off"\n',
      ),
      'agent.sh': `id=${'$'}(sed -n 's/^## Task make_//p' | head -1); cd_to=${'$'}(dirname "${'$'}0"); touch "${'$'}cd_to/begun-${'$'}id"
        until [ -f "${'$'}cd_to/begun-a" ] && [ -f "${'$'}cd_to/begun-b" ] && [ -f "${'$'}cd_to/begun-c" ]; do sleep 0.05; done
        touch ${'$'}id.txt; ${DONE}`,
    })
    const { attempts } = await run()
    expect(attempts.map(({ verdict }) => verdict)).toEqual(['verified', 'verified', 'verified'])
    expect((await landing()).map(({ state }) => state)).toEqual(['landed', 'landed', 'landed'])
    expect(git('ls-tree', '--name-only', 'main').split('\n')).toEqual([
      'HEARTBEAT.md',
      'a.txt',
      'b.txt',
      'c.txt',
      'pulseward.toml',
    ])
    expect(git('rev-list', '--count', 'main')).toBe('4')
  })
})

describe('moving to a worktree and back', () => {
  test('keeps score, attempts and landings', async () => {
    const inPlace = `[agent]\ncommand = ["sh", "../agent.sh"]\n`
    await begin({
      'p/HEARTBEAT.md': TASK,
      'p/pulseward.toml': inPlace,
      'agent.sh': `cat > /dev/null; echo hello >> greeting.txt; ${DONE}`,
    })
    const known = async () => (await json('score')) as { readonly score: number; readonly verified: number }
    const inRecord = async (id = '') => (await json('attempt', id)) as { readonly attemptId: string }
    const first = (await run()).attempts[0]
    expect(await readFile(join(cli.root, 'p/greeting.txt'), 'utf8')).toBe('hello\n')
    const { score } = await known()
    expect(await landing()).toEqual([])

    await cli.write({ 'p/pulseward.toml': configuration('mode = "auto"') })
    git('add', '--all')
    git('commit', '--quiet', '--message', 'Keep it')
    const second = (await run()).attempts[0]
    expect(second).toMatchObject({ verdict: 'verified' })
    expect((await known()).score).toBe(2 * score)
    expect(git('show', 'main:greeting.txt')).toBe('hello\nhello')

    await cli.write({ 'p/pulseward.toml': inPlace })
    const third = (await run()).attempts[0]
    expect((await known()).score).toBe(3 * score)
    expect(await readFile(join(cli.root, 'p/greeting.txt'), 'utf8')).toBe('hello\n'.repeat(3))
    for (const each of [first, second, third])
      expect(await inRecord(each?.attemptId)).toMatchObject({ verdict: 'verified' })
    expect(await landing()).toMatchObject([{ attemptId: second?.attemptId, state: 'landed' }])
  })
})

describe('a moved folder', () => {
  test.each([
    ['the repository itself', 'p'],
    ['a work tree of another repository', 'elsewhere'],
  ])('%s lands from its new place', async (_name, repository) => {
    const files = {
      'HEARTBEAT.md': TASK,
      'pulseward.toml': configuration('mode = "auto"'),
      '.gitignore': 'node_modules/\n',
      'node_modules/one/index.js': 'one\n',
    }
    const below = (folder: string) =>
      Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]))
    await cli.write({
      ...below(repository),
      'agent.sh': `cat node_modules/one/index.js; echo hello >> greeting.txt; ${DONE}`,
    })
    const there = (folder: string, ...words: string[]): string =>
      execFileSync('git', [...IDENTITY, ...words], { cwd: join(cli.root, folder), encoding: 'utf8' }).trim()
    there(repository, 'init', '--quiet', '--initial-branch=main')
    there(repository, 'add', '--all')
    there(repository, 'commit', '--quiet', '--message', 'Begin')
    if (repository !== 'p') {
      there(repository, 'checkout', '--quiet', '--detach')
      there(repository, 'worktree', 'add', '--quiet', '../p', 'main')
      await cli.write({ 'p/node_modules/one/index.js': 'one\n' })
    }
    expect((await run()).attempts[0]).toMatchObject({ verdict: 'verified' })
    await rename(join(cli.root, 'p'), join(cli.root, 'moved'))
    expect(await cli.run(['locate', 'moved', '--workspace', 'p'])).toMatchObject({ exitCode: 0 })
    const { stdout } = await cli.run(['run', '--once', '--json', '--workspace', 'moved'])
    expect(JSON.parse(stdout)).toMatchObject({ attempts: [{ verdict: 'verified' }] })
    expect(there('moved', 'show', 'main:greeting.txt')).toBe('hello\nhello')
    expect(there('moved', 'status', '--porcelain')).toBe('')
    expect(await readFile(join(cli.root, 'moved/greeting.txt'), 'utf8')).toBe('hello\nhello\n')
  })
})

describe('an unusual repository layout', () => {
  const FILES = {
    'HEARTBEAT.md': TASK,
    'pulseward.toml': configuration('mode = "auto"'),
    'app/one.txt': 'one\n',
    'lib/two.txt': 'two\n',
  }
  const laidOut = (folder: string) =>
    cli.write({
      ...Object.fromEntries(Object.entries(FILES).map(([path, text]) => [`${folder}/${path}`, text])),
      'agent.sh': `cat app/one.txt lib/two.txt && echo hello > greeting.txt; ${DONE}`,
    })
  const commit = (...init: string[]): void => {
    git('init', '--quiet', '--initial-branch=main', ...init)
    git('add', '--all')
    git('commit', '--quiet', '--message', 'Begin')
  }

  test.each<[string, () => Promise<void>, () => void]>([
    [
      'a sparse checkout: the tree has all files, yours stays sparse',
      async () => {
        await laidOut('p')
        commit()
        git('sparse-checkout', 'set', '--no-cone', '/*', '!/lib/')
      },
      () => expect(git('ls-files', '-t', 'lib')).toBe('S lib/two.txt'),
    ],
    [
      'a shallow clone: it stays shallow',
      async () => {
        await laidOut('p')
        commit()
        git('commit', '--quiet', '--allow-empty', '--message', 'More')
        execFileSync('sh', ['-c', 'mv p whole && git clone --quiet --depth 1 "file://$PWD/whole" p'], {
          cwd: cli.root,
        })
      },
      () => {
        expect(git('rev-parse', '--is-shallow-repository')).toBe('true')
        expect(git('rev-list', '--count', 'main')).toBe('2')
      },
    ],
    [
      'a repository using SHA-256',
      async () => {
        await laidOut('p')
        commit('--object-format=sha256')
      },
      () => expect(git('rev-parse', 'main')).toHaveLength(64),
    ],
    [
      'a repository with other work trees: they stay',
      async () => {
        await laidOut('p')
        commit()
        git('worktree', 'add', '--quiet', '-b', 'side', '../side')
      },
      () => expect(git('worktree', 'list').split('\n')).toHaveLength(2),
    ],
  ])('%s', async (_name, lay, stays) => {
    await lay()
    expect((await run()).attempts[0]).toMatchObject({ verdict: 'verified' })
    expect(await landing()).toMatchObject([{ state: 'landed' }])
    expect(git('show', 'main:greeting.txt')).toBe('hello')
    expect(git('status', '--porcelain')).toBe('')
    stays()
  })

  test('with ssh signing turned on, signs what lands', async () => {
    await laidOut('p')
    commit()
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(cli.root, 'key')])
    const key = (await readFile(join(cli.root, 'key.pub'), 'utf8')).trim()
    await cli.write({ signers: `o@example.org ${key}\n` })
    for (const [name, value] of [
      ['user.name', 'Operator'],
      ['user.email', 'o@example.org'],
      ['gpg.format', 'ssh'],
      ['user.signingKey', join(cli.root, 'key')],
      ['gpg.ssh.allowedSignersFile', join(cli.root, 'signers')],
      ['commit.gpgSign', 'true'],
    ] as const)
      git('config', name, value)
    await run()
    expect(await landing()).toMatchObject([{ state: 'landed' }])
    expect(git('log', '-1', '--format=%G? %an <%ae>', 'main')).toBe('G Operator <o@example.org>')
  })
})

const ADD_SUBMODULE =
  'git init -q ../sub && git -C ../sub commit -q --allow-empty -m Sub && git -c protocol.file.allow=always submodule --quiet add ../sub sub && git commit -qm Sub'

describe('a repository that worktrees don’t support', () => {
  test.each([
    [
      'a Git LFS filter',
      'echo "*.bin filter=lfs diff=lfs merge=lfs -text" > .gitattributes && git add --all && git commit -qm LFS',
      /Git LFS/,
    ],
    ['a submodule', ADD_SUBMODULE, /has submodules \(sub\)/],
    [
      'a partial clone',
      'cd .. && mv p whole && git -C whole config uploadpack.allowFilter true && git clone -q --filter=blob:none "file://$PWD/whole" p',
      /is a partial clone/,
    ],
    ['a repository without a commit', 'rm -rf .git && git init -q -b main', /has no commit/],
  ])('%s: rejected with the reason, and nothing runs', async (_name, script, reason) => {
    await begin({
      'p/HEARTBEAT.md': TASK,
      'p/pulseward.toml': configuration(),
      'agent.sh': `touch "${'$'}(dirname "${'$'}0")/ran"; ${DONE}`,
    })
    const who = Object.fromEntries(
      ['AUTHOR', 'COMMITTER'].flatMap((each) => [
        [`GIT_${each}_NAME`, 'Operator'],
        [`GIT_${each}_EMAIL`, 'o@example.org'],
      ]),
    )
    execFileSync('sh', ['-ec', script], { cwd: join(cli.root, 'p'), env: { ...process.env, ...who } })
    const refused = await cli.run(['run', '--once', '--trust', '--workspace', 'p'])
    expect(refused.exitCode).toBe(2)
    expect(refused.stderr).toMatch(reason)
    expect(await readdir(cli.root)).not.toContain('ran')
  })

  test('one that becomes so during a heartbeat: no further attempt begins', async () => {
    await begin({
      'p/HEARTBEAT.md': `${TASK}- [ ] part | Write a parting | required | verify: contains("parting.txt", "bye")\n`,
      'p/pulseward.toml': configuration('mode = "ask"').replace('[agent]', '[agent]\nsandbox = "off"'),
      'agent.sh': `root=$(dirname "$0"); echo ran >> "$root/ran"; echo hello > greeting.txt; ${DONE}
export GIT_AUTHOR_NAME=O GIT_AUTHOR_EMAIL=o@example.org GIT_COMMITTER_NAME=O GIT_COMMITTER_EMAIL=o@example.org
cd "$root/p" && ${ADD_SUBMODULE}`,
    })
    const ended = await cli.run(['run', '--once', '--trust', '--workspace', 'p'])
    expect(ended).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/has submodules \(sub\)/) })
    expect(await readFile(join(cli.root, 'ran'), 'utf8')).toBe('ran\n')
  })

  test('no repository at all', async () => {
    await cli.write({ 'p/HEARTBEAT.md': TASK, 'p/pulseward.toml': configuration(), 'agent.sh': DONE })
    const refused = await cli.run(['run', '--once', '--trust', '--workspace', 'p'])
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('git init') })
  })
})
