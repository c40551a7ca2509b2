import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../core/activity/types.ts'
import { systemClock } from '../../host/system-clock.ts'
import type { AgentRun } from '../../ports/agent-runner.ts'
import type { SandboxConfig } from '../../ports/containment.ts'
import { type ContainedWorld, containedWorld, meansHere } from '../../sandbox/testing/contained-world.ts'
import { agentConfig } from '../testing/agent-config.ts'
import { createAcpRunner } from './acp-runner.ts'

/*
 * An agent tries to have its client read, write and run what it could not do by itself. A client outside the agent's sandbox that
 * checks a path before opening it (`naive`) can be exploited: each attack is first run against such a client.
 */

const AGENT = fileURLToPath(new URL('./testing/door-agent.mjs', import.meta.url))
const silent = { info: () => {}, warn: () => {}, error: () => {} }
const means = [...(await meansHere()), ['nothing', null] as const]
const hasCompiler = spawnSync('cc', ['--version']).status === 0

interface Step {
  readonly act: 'read' | 'write' | 'run'
  readonly path?: string
  readonly content?: string
  readonly command?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly times?: number
  readonly swap?: readonly [string, string]
}

describe.each(means)('an agent sandboxed by %s, through its client', (_, found) => {
  let world: ContainedWorld
  let evil: string
  let events: AgentEvent[]

  /** Without a sandbox, the agent could run the command anyway. */
  const itContained = (title: string, run: () => Promise<void>): void => {
    if (found !== null) it(title, run)
  }

  beforeEach(() => {
    world = containedWorld(found)
    evil = join(world.home, 'ran')
    events = []
    writeFileSync(join(world.workspace, '.git/hooks/post-commit'), '#!/bin/sh\n', { mode: 0o755 })
    mkdirSync(join(world.workspace, 'd'))
    symlinkSync(join(world.home, '.ssh'), join(world.workspace, 'l'))
    writeFileSync(join(world.workspace, 'd/id_ed25519'), 'harmless')
  })
  afterEach(() => world.remove())

  const inWork = (path: string): string => join(world.workspace, path)
  const ask = async (steps: readonly Step[], config: Partial<SandboxConfig> = {}): Promise<AgentRun> =>
    createAcpRunner(
      agentConfig({
        kind: 'acp',
        command: [process.execPath, AGENT, JSON.stringify(steps)],
        env: { HOME: world.home },
        allow: ['edit', 'execute'],
      }),
      { clock: systemClock, log: silent, version: '0', killGraceMs: 300, contain: world.containing(config) },
    ).run({
      attemptId: 'a',
      prompt: 'Do it.',
      directory: world.workspace,
      timeoutMs: 60_000,
      logFile: join(world.data, 'a.log'),
      signal: new AbortController().signal,
      onOutput: () => {},
      onEvent: (event) => events.push(event),
    })
  const refused = (): boolean =>
    events.some((event) => event.kind === 'permission' && event.decision === 'denied')
  /** A client that checks a path before it opens it. */
  const naive = {
    admitted: (path: string): boolean => {
      const real = existsSync(path) ? realpathSync(path) : join(realpathSync(dirname(path)), 'new')
      return real.startsWith(world.workspace)
    },
    read: (path: string): string => (naive.admitted(path) ? readFileSync(path, 'utf8') : ''),
    write: (path: string, content: string): void => {
      if (naive.admitted(path)) writeFileSync(path, content)
    },
  }
  /** Swaps a folder and a link repeatedly until the race is won. */
  const raced = async (act: () => boolean): Promise<boolean> => {
    const swap = /const SWAP = `(.*?)`/s.exec(readFileSync(AGENT, 'utf8'))?.[1] ?? ''
    const child = spawn(process.execPath, ['-e', swap, inWork('d'), inWork('l')], { stdio: 'ignore' })
    try {
      const until = performance.now() + 20_000
      while (performance.now() < until) {
        try {
          if (act()) return true
        } catch {
          // Neither name existed.
        }
        await new Promise((resolve) => setImmediate(resolve))
      }
      return false
    } finally {
      child.kill('SIGKILL')
      await new Promise((resolve) => child.once('exit', resolve))
    }
  }
  const git = (...words: string[]): unknown =>
    spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], { cwd: world.workspace })

  it.each([
    ['.git/config', () => `[core]\n\tfsmonitor = "touch ${evil}; false"\n`, ['status', '--short']],
    ['.git/hooks/post-commit', () => `#!/bin/sh\ntouch ${evil}\n`, ['commit', '--allow-empty', '-m', 'x']],
    ['.git/hooks/pre-commit', () => `#!/bin/sh\ntouch ${evil}\n`, ['commit', '--allow-empty', '-m', 'x']],
  ])('does not write %s', async (path, content, words) => {
    await ask([{ act: 'write', path: inWork(path), content: content() }])
    git(...words)
    expect(existsSync(evil)).toBe(false)
    expect(refused()).toBe(true)
    naive.write(inWork(path), content())
    execFileSync('chmod', ['755', inWork(path)])
    git(...words)
    expect(existsSync(evil)).toBe(true)
  })

  it('does not write its configuration through a second name', async () => {
    const before = readFileSync(inWork('.git/config'), 'utf8')
    linkSync(inWork('.git/config'), inWork('notes.txt'))
    const write = { act: 'write', path: inWork('notes.txt'), content: '[core]\n' } as const
    if (found === null) {
      await ask([write])
      expect(refused()).toBe(true)
      expect(readFileSync(inWork('.git/config'), 'utf8')).toBe(before)
    } else {
      // A sandboxed agent cannot create such a name, and one that the operator created is part of the work.
      await ask([
        { act: 'run', command: 'ln', args: ['.git/config', 'other.txt'] },
        { ...write, path: inWork('other.txt') },
      ])
      expect(readFileSync(inWork('.git/config'), 'utf8')).toBe(before)
    }
    naive.write(inWork('notes.txt'), '[core]\n')
    expect(readFileSync(inWork('.git/config'), 'utf8')).not.toBe(before)
  })

  it('reads nothing outside through a folder that becomes a link', async () => {
    const path = inWork('d/id_ed25519')
    const { said = '' } = await ask([{ act: 'read', path, times: 500, swap: [inWork('d'), inWork('l')] }])
    expect(said).toContain('harmless')
    expect(said).not.toContain('KEY')
    restore()
    expect(await raced(() => naive.read(path) === 'KEY')).toBe(true)
  })

  it('writes nothing outside through a folder that becomes a link', async () => {
    const path = inWork('d/authorized_keys')
    const outside = join(world.home, '.ssh/authorized_keys')
    await ask([{ act: 'write', path, content: 'MINE', times: 500, swap: [inWork('d'), inWork('l')] }])
    expect(existsSync(outside)).toBe(false)
    restore()
    const won = await raced(() => {
      naive.write(path, 'MINE')
      return existsSync(outside)
    })
    expect(won).toBe(true)
  })

  const restore = (): void => {
    execFileSync('rm', ['-rf', ...['d', 'l', 'd.away'].map(inWork)])
    mkdirSync(inWork('d'))
    symlinkSync(join(world.home, '.ssh'), inWork('l'))
    writeFileSync(inWork('d/id_ed25519'), 'harmless')
  }

  it('writes nothing into its home folder or above its workspace that other programs would run', async () => {
    const places = [
      ...[
        '.bashrc',
        '.npmrc',
        '.cargo/config.toml',
        '.config/go/env',
        '.local/bin/git',
        '.ssh/authorized_keys',
      ],
      ...['.config/systemd/user/x.service', '.vscode/extensions/e.js', '.claude/settings.json'],
    ].map((path) => join(world.home, path))
    const above = ['node_modules/.bin/node', 'conftest.py', 'go.work', '.mocharc.json'].map((path) =>
      join(dirname(world.workspace), path),
    )
    const paths = [...places, ...above]
    const armed = (): readonly string[] =>
      paths.filter((path) => existsSync(path) && readFileSync(path, 'utf8') === 'ARMED')
    await ask(paths.map((path) => ({ act: 'write', path, content: 'ARMED' })))
    expect(armed()).toEqual([])
    for (const path of paths) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, 'ARMED')
    }
    expect(armed()).toEqual(paths)
  })

  it('reads nothing that is hidden from it', async () => {
    mkdirSync(inWork('private'))
    writeFileSync(inWork('private/token'), 'HIDDEN')
    const { said = '' } = await ask([{ act: 'read', path: inWork('private/token') }], {
      hide: [inWork('private')],
    })
    expect(said).not.toContain('HIDDEN')
    expect(naive.read(inWork('private/token'))).toBe('HIDDEN')
  })

  itContained('runs no command that sees more than itself', async () => {
    const script = `cat ${join(world.home, '.ssh/id_ed25519')}; cat ${join(world.data, 'server.json')}; echo over`
    const { said = '' } = await ask([{ act: 'run', command: 'sh', args: ['-c', script] }])
    expect(said).toContain('over')
    expect(said).not.toMatch(/KEY|HOST-TOKEN/)
    expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' })).toMatch(/KEYHOST-TOKEN/)
  })

  if (found === null || hasCompiler)
    itContained('cannot affect the sandbox of a command', async () => {
      const source = `#include <stdlib.h>\n__attribute__((constructor)) void run(void) { fclose(fopen("${evil}", "w")); }\n`
      writeFileSync(inWork('evil.c'), `#include <stdio.h>\n${source}`)
      execFileSync('cc', ['-shared', '-fPIC', '-o', 'evil.so', 'evil.c'], { cwd: world.workspace })
      const env = { LD_PRELOAD: inWork('evil.so') }
      await ask([{ act: 'run', command: 'true', env }])
      expect(existsSync(evil)).toBe(false)
      execFileSync('true', { env })
      expect(existsSync(evil)).toBe(true)
    })

  it('and lets an honest one write, read, change and run what belongs to its work', async () => {
    const { said = '', outcome } = await ask([
      { act: 'write', path: inWork('src/deep/new.txt'), content: 'one' },
      { act: 'write', path: inWork('src/deep/new.txt'), content: 'two' },
      { act: 'read', path: inWork('src/deep/new.txt') },
      {
        act: 'run',
        command: 'sh',
        args: ['-c', 'echo $COLOUR > colour.txt; cat src/deep/new.txt; exit 3'],
        env: { COLOUR: 'blue' },
      },
      { act: 'run', command: 'pwd', cwd: inWork('src') },
    ])
    expect(outcome).toBe('completed')
    expect(readFileSync(inWork('colour.txt'), 'utf8')).toBe('blue\n')
    expect(JSON.parse(said)).toEqual([
      expect.stringContaining('"result":{}'),
      expect.stringContaining('"content":"two"'),
      expect.stringMatching(/"output":"two".*"exitCode":3/),
      expect.stringContaining(`"output":"${inWork('src')}\\n"`),
    ])
    expect(events.flatMap((event) => (event.kind === 'edit' ? event.change : []))).toEqual([
      'created',
      'modified',
    ])
    expect(refused()).toBe(false)
  })

  itContained('finds its temporary files in a command', async () => {
    const put = `const { writeFileSync } = require('fs'); writeFileSync('/tmp/of-the-agent', 'shared')`
    const { said = '' } = await ask([
      { act: 'run', command: process.execPath, args: ['-e', put] },
      { act: 'run', command: 'cat', args: ['/tmp/of-the-agent'] },
    ])
    expect(said).toContain('shared')
    expect(existsSync('/tmp/of-the-agent')).toBe(false)
  })
})
