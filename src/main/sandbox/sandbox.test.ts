import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DEFAULT_SANDBOX, type SandboxConfig } from '../ports/containment.ts'
import { processStart } from '../process/process-identity.ts'
import { processesNamed, until } from '../process/testing/running-processes.ts'
import { tryMeans } from './find-means.ts'
import type { FoundMeans } from './means.ts'
import { createSandbox } from './sandbox.ts'
import { type ContainedWorld, containedWorld, meansHere } from './testing/contained-world.ts'

const LONG_MS = 60_000
const means = await meansHere()

it.skipIf(means.length > 1)('has bubblewrap and unshare to sandbox with', async ({ skip }) => {
  const { failed } = await tryMeans(process.env)
  // If one is installed but fails, that is a bug; a missing one cannot be tested.
  expect(failed.filter(({ problem }) => !problem.includes('not installed'))).toEqual([])
  skip(`only ${means.map(([name]) => name).join() || 'nothing'} holds here: the rest was not tested`)
})

describe.each(means)('sandboxed by %s', (_, found) => {
  let world: ContainedWorld

  beforeEach(() => {
    world = containedWorld(found)
  })

  afterEach(() => world.remove())

  async function say(script: string, options?: Parameters<ContainedWorld['run']>[1]): Promise<string> {
    const run = await world.run(script, options)
    expect(run.failure).toBeNull()
    return `${run.stdout.text}${run.stderr.text}`
  }

  const git = (...words: string[]): unknown => execFileSync('git', words, { cwd: world.workspace })

  describe('an honest agent', () => {
    it('edits, commits, branches and stashes in its workspace', { timeout: LONG_MS }, async () => {
      const said = await say(`set -e
        git config --get core.bare; echo one > a.txt; git add a.txt
        git -c user.name=a -c user.email=a@b.c commit -qm first; git checkout -qb topic
        echo two > a.txt; git -c user.name=a -c user.email=a@b.c stash -q; git stash drop -q; git status --short; git gc -q
        git log --oneline | wc -l; echo fine`)
      expect(said).toContain('fine')
      expect(readFileSync(join(world.workspace, 'a.txt'), 'utf8')).toBe('one\n')
    })

    it('can edit contract and configuration, whose changes are judged separately', async () => {
      for (const name of ['HEARTBEAT.md', 'pulseward.toml']) writeFileSync(join(world.workspace, name), 'old')
      expect(
        await say(
          'for f in HEARTBEAT.md pulseward.toml; do echo new > t && mv t $f; sed -i s/new/newer/ $f; done',
        ),
      ).toBe('')
      expect(readFileSync(join(world.workspace, 'HEARTBEAT.md'), 'utf8')).toBe('newer\n')
    })

    it("writes to temporary folders, its own configuration and package managers' caches", async () => {
      const said = await say(`set -e
        echo x > /tmp/x; echo x > /var/tmp/x; f=$(mktemp); echo x > $f; echo y > ~/.claude/history.jsonl
        mkdir -p ~/.npm/_cacache && echo z > ~/.npm/_cacache/index; echo shm > /dev/shm/x; cat ~/.claude/history.jsonl`)
      expect(said).toBe('y\n')
      expect(existsSync(join(world.home, '.claude/history.jsonl')), 'it goes with the attempt').toBe(false)
      expect(existsSync(join(world.home, '.npm/_cacache')), 'a cache is the operator’s').toBe(false)
    })

    it('installs from downloaded packages, and leaves the operator’s cache unchanged', async () => {
      mkdirSync(join(world.home, 'go/pkg/mod'), { recursive: true })
      writeFileSync(join(world.home, 'go/pkg/mod/a'), 'fetched\n')
      expect(await say('cat ~/go/pkg/mod/a; echo evil > ~/go/pkg/mod/a; cat ~/go/pkg/mod/a; id -u')).toBe(
        `fetched\nevil\n${process.getuid?.()}\n`,
      )
      expect(readFileSync(join(world.home, 'go/pkg/mod/a'), 'utf8')).toBe('fetched\n')
    })

    it.skipIf(found.means !== 'bubblewrap')(
      'has the same layers if there is no perl to mount them',
      async () => {
        const { guard: _, ...unguarded } = found as Extract<FoundMeans, { means: 'bubblewrap' }>
        const bare = containedWorld(unguarded)
        const kept = join(bare.home, '.cache/it is: 1,000 €')
        mkdirSync(kept, { recursive: true })
        writeFileSync(join(kept, 'a'), 'fetched\n')
        const run = await bare.run('cd ~/.cache/it*; cat a; echo evil > a; cat a')
        expect(run).toMatchObject({ failure: null, stdout: { text: 'fetched\nevil\n' } })
        expect(readFileSync(join(kept, 'a'), 'utf8')).toBe('fetched\n')
        bare.remove()
      },
    )

    it('builds with a compiler that was never run here and has no cache yet', async () => {
      const programs = join(world.home, 'bin')
      mkdirSync(programs)
      writeFileSync(
        join(programs, 'go'),
        '#!/bin/sh\nmkdir -p ~/.cache/go-build/ab && echo built > ~/.cache/go-build/ab/c && cat ~/.cache/go-build/ab/c\n',
        { mode: 0o755 },
      )
      vi.stubEnv('PATH', `${programs}:${process.env.PATH}`)
      const other = containedWorld(found)
      const run = await other.run(`PATH=${programs}:$PATH; go`)
      expect(run.stdout.text).toBe('built\n')
      expect(readdirSync(join(other.home, '.cache/go-build'))).toEqual([])
      other.remove()
    })

    it("can write to all of its program's folders, even if it was never run", async () => {
      const folders = ['.config', '.local/share', '.local/state', '.cache'].map((path) => `${path}/opencode`)
      const said = await say(
        `cd; for f in ${folders.join(' ')}; do mkdir -p $f/log && echo x > $f/log/x && cat $f/log/x; done`,
        {
          preset: 'opencode',
        },
      )
      expect(said).toBe(folders.map(() => 'x\n').join(''))
      for (const path of folders) expect(existsSync(join(world.home, path, 'log'))).toBe(false)
    })

    it('runs node, npm and child processes, reads its prompt, and passes on its exit code', {
      timeout: LONG_MS,
    }, async () => {
      const run = await world.run(`node -e "
        const { execSync } = require('child_process'); console.log(execSync('npm --version && id -u').toString())"; exit 7`)
      expect(run.stderr.text).toBe('')
      expect(run.stdout.text).toMatch(/\d+\.\d+\.\d+\n\d+/)
      expect(run.stdout.text).toContain(String(process.getuid?.()))
      expect(run.exitCode).toBe(7)
    })

    it('gets no output from the sandbox itself, even with an unknown locale', async () => {
      const env = { LC_ALL: 'xx_XX.UTF-8', LANG: 'xx_XX.UTF-8' }
      for (const network of ['all', 'none'] as const)
        expect(await say('/usr/bin/env | grep PERL', { env, config: { network } })).not.toMatch(/perl/i)
    })

    it('is asked to end before it is killed', async () => {
      const controller = new AbortController()
      const ready = join(world.workspace, 'ready')
      const run = world.run(`trap 'echo asked; exit 3' TERM; touch ready; while :; do sleep 0.05; done`, {
        signal: controller.signal,
      })
      await until(() => existsSync(ready))
      controller.abort()
      expect(await run).toMatchObject({ cancelled: true, stdout: { text: 'asked\n' } })
    })

    it("finds its package manager's settings without the token, unless the operator allows it", async () => {
      expect(await say('cat ~/.npmrc; npm config get fund 2>/dev/null')).toBe(
        '//npm.example.org/:_authToken=hidden-by-pulseward\nfund=false\nfalse\n',
      )
      expect(await say('cat ~/.npmrc', { config: { writable: ['~/.npmrc'] } })).toContain('NPM-TOKEN')
    })

    it('works in a subfolder of a repository', async () => {
      mkdirSync(join(world.workspace, 'packages/one'), { recursive: true })
      expect(
        await say(
          'echo x > x && git add x && git -c user.name=a -c user.email=a@b.c commit -qm x && git rev-parse --show-prefix',
          {
            directory: join(world.workspace, 'packages/one'),
          },
        ),
      ).toBe('packages/one/\n')
    })
  })

  describe('an agent that tries to escape', () => {
    it('finds neither secrets nor other agents’ logins, nor other workspaces, nor Pulseward’s data and environment', async () => {
      const said =
        await say(`cat ~/.ssh/id_ed25519 ~/.config/gh/hosts.yml ~/.codex/auth.json ${world.data}/server.json ${world.other}/HEARTBEAT.md
        ls -A ${world.data} ${world.other} ~/.ssh; env | grep PULSEWARD_HOME; cat /proc/*/environ | tr '\\0' '\\n' | grep PULSEWARD_HOME`)
      expect(said).not.toMatch(/KEY|GH-TOKEN|CODEX-LOGIN|HOST-TOKEN|^OTHER|^server.json|PULSEWARD_HOME=/m)
    })

    it('writes nowhere else', async () => {
      // In the home folder, writes go to a layer.
      const ownHome = ['.bashrc', '.claude/settings.json'].map((path) => join(world.home, path))
      const outside = [
        ...ownHome,
        `${world.data}/x`,
        `${world.home}/.ssh/x`,
        '/usr/local/bin/x',
        `${process.cwd()}/x`,
      ]
      const said = await say(
        outside.map((path) => `echo evil 2>/dev/null > ${path} && echo wrote ${path}`).join('\n'),
      )
      expect(said).toBe(ownHome.map((path) => `wrote ${path}\n`).join(''))
      expect(existsSync(join(world.home, '.bashrc'))).toBe(false)
      expect(readFileSync(join(world.home, '.claude/settings.json'), 'utf8')).toBe('{}')
      expect(existsSync(join(process.cwd(), 'x'))).toBe(false)
    })

    it('neither moves the repository away nor plants hooks or filters in it', async () => {
      const said =
        await say(`mv .git .gone && echo moved; rm -rf .git/hooks && echo hooks; echo x > .git/hooks/pre-commit && echo planted
        git config core.fsmonitor ./evil && echo configured; mv .git/hooks .git/h && echo renamed; true`)
      expect(said).not.toMatch(/^(moved|hooks|planted|configured|renamed)$/m)
      expect(readFileSync(join(world.workspace, '.git/config'), 'utf8')).not.toContain('evil')
    })

    it('cannot make git obey any settings other than the repository’s own, even in its work trees', async () => {
      git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-q', '--allow-empty', '-m', 'first')
      git('worktree', 'add', '-q', join(world.home, 'tree'))
      const evil = join(world.home, 'ran')
      const said =
        await say(`cp -r .git evil; git config --file evil/config core.fsmonitor "touch ${evil}; false"; rm -rf evil/worktrees
        echo "$PWD/evil" > .git/commondir && echo made; echo "$PWD/evil" 2>/dev/null > .git/worktrees/tree/commondir && echo changed; true`)
      expect(said).toBe('made\n')
      git('status', '--short')
      execFileSync('git', ['status', '--short'], { cwd: join(world.home, 'tree') })
      expect(existsSync(evil)).toBe(false)
      expect(readFileSync(join(world.workspace, '.git/commondir.set-aside'), 'utf8')).toContain('/evil')
    })

    it('sees no other processes, and kills none', async () => {
      const said = await say(
        `kill -0 ${process.pid} && echo reached; kill -9 -1; ls /proc | grep -c '^[0-9]*$'`,
      )
      expect(said).not.toContain('reached')
      expect(processStart(process.pid)).not.toBeNull()
    })

    it('has no capabilities, and cannot remove what hides files', async () => {
      const said =
        await say(`grep -E 'CapEff|CapBnd|NoNewPrivs' /proc/self/status; umount ${world.data} && echo unmounted
        unshare --user --map-root-user --mount sh -c 'umount ${world.data}; umount ~/.ssh; cat ${world.data}/server.json ~/.ssh/id_ed25519'
        echo core 2>/dev/null > /proc/sys/kernel/core_pattern && echo wrote-kernel; head -c1 /dev/vda /dev/sda >/dev/null 2>&1 && echo disk`)
      expect(said).toMatch(/CapEff:\s0+\n/)
      expect(said).toMatch(/NoNewPrivs:\s1/)
      expect(said).not.toMatch(/^unmounted|HOST-TOKEN|^KEY|wrote-kernel|^disk/m)
    })

    it('reaches no socket through which others would act for it', async () => {
      const server = createServer((socket) => socket.end('COMMANDED'))
      await new Promise<void>((resolve) => server.listen(join(world.runtime, 'bus'), resolve))
      try {
        const said = await say(`echo "runtime=$XDG_RUNTIME_DIR display=$DISPLAY bus=$DBUS_SESSION_BUS_ADDRESS"
          node -e "require('net').connect('${world.runtime}/bus').on('data', (d) => console.log(String(d))).on('error', (e) => console.log(e.code))"
          ls /run/user /run/dbus 2>/dev/null`)
        expect(said).toContain('runtime= display= bus=\n')
        expect(said).not.toContain('COMMANDED')
      } finally {
        server.close()
      }
    })

    it('reaches nothing else that listens in the file system: a key agent, an editor, a container engine', async () => {
      const place = join(world.home, '.1password')
      mkdirSync(place)
      const [theirs, own] = [join(place, 'agent.sock'), join(world.workspace, 'own.sock')]
      const servers = [theirs, own].map((path) =>
        createServer((socket) => socket.end(path === own ? 'OWN' : 'COMMANDED')).listen(path),
      )
      await Promise.all(servers.map((server) => once(server, 'listening')))
      const ask = (path: string) =>
        `node -e "require('net').connect('${path}').on('data', (d) => console.log(String(d))).on('error', (e) => console.log(e.code))"`
      try {
        expect(await say(`${ask(theirs)}; ${ask(own)}`)).toMatch(/^(ECONNREFUSED|ENOENT|ENOTSOCK)\nOWN\n$/)
        expect(await say(ask(theirs), { config: { writable: [place] } })).toBe('COMMANDED\n')
      } finally {
        for (const server of servers) server.close()
      }
    })

    it('reaches a socket whose variable was passed on by name, and no other', async () => {
      const [keys, bus] = [join(world.runtime, 'ssh-agent'), join(world.runtime, 'bus')]
      const servers = [keys, bus].map((path) =>
        createServer((socket) => socket.end(path === keys ? 'KEYS' : 'BUS')).listen(path),
      )
      await Promise.all(servers.map((server) => once(server, 'listening')))
      const ask = (path: string) =>
        `node -e "require('net').connect('${path}').on('data', (d) => console.log(String(d))).on('error', () => console.log('none'))"`
      const both = `${ask(keys)}; ${ask(bus)}`
      try {
        expect(await say(both)).toBe('none\nnone\n')
        expect(await say(both, { passed: ['SSH_AUTH_SOCK'] })).toBe('KEYS\nnone\n')
        expect(await say(both, { passed: ['DBUS_SESSION_BUS_ADDRESS'] })).toBe('none\nBUS\n')
        const role = { kind: 'check', program: 'npm' } as const
        expect(await say(both, { role, passed: ['SSH_AUTH_SOCK'] })).toBe('none\nnone\n')
      } finally {
        for (const server of servers) server.close()
      }
    })

    it('leaves nothing running, not even a daemon without parent, session and environment', async () => {
      const name = `daemon-${process.hrtime.bigint()}`
      await say(`(env -i setsid bash -c 'exec -a ${name} sleep 600' >/dev/null 2>&1 &); sleep 0.2; true`)
      await until(() => processesNamed(name).length === 0)
    })

    it('has no network if it is configured without', async () => {
      const server = createServer((socket) => socket.end('REACHED'))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const address = server.address()
      const port = typeof address === 'object' ? address?.port : 0
      const ask = `node -e "require('net').connect(${port}, '127.0.0.1').on('data', (d) => console.log(String(d))).on('error', (e) => console.log(e.code))"`
      try {
        expect(await say(ask)).toBe('REACHED\n')
        expect(await say(ask, { config: { network: 'none' } })).not.toContain('REACHED')
      } finally {
        server.close()
      }
    })
  })

  describe('a process with a list of allowed hosts', () => {
    const said = `import { once } from 'node:events'
      import { connect } from 'node:net'
      import { request } from 'node:http'
      const proxy = new URL(process.env.HTTPS_PROXY)
      const tunnel = async (host) => {
        const socket = connect(proxy.port, proxy.hostname)
        socket.write('CONNECT ' + host + ' HTTP/1.1\\r\\n\\r\\n')
        const [answer] = await once(socket, 'data')
        if (!String(answer).includes(' 200 ')) return String(answer).split(' ')[1]
        socket.write('hello')
        return String((await once(socket, 'data'))[0])
      }
      const plain = (url) => new Promise((done) => request({ port: proxy.port, host: proxy.hostname, path: url })
        .on('response', (answer) => { answer.resume(); done(answer.statusCode) }).end())
      const straight = (port) => new Promise((done) => connect(port, '127.0.0.1').on('connect', () => done('open')).on('error', (e) => done(e.code)))`

    it('allows these hosts, but no others and not the local machine', { timeout: LONG_MS }, async () => {
      const server = createServer((socket) => socket.once('data', () => socket.end('REACHED')))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const address = server.address()
      const port = typeof address === 'object' ? address?.port : 0
      writeFileSync(
        join(world.workspace, 'ask.mjs'),
        `${said.replaceAll('\\\\', '\\')}
        console.log(JSON.stringify([process.env.NO_PROXY, await tunnel('localhost:${port}'), await tunnel('example.org:443'), await tunnel('localhost:22'), await plain('http://example.net/'), await straight(${port})]))
        process.exit(3)`,
      )
      try {
        const run = await world.run('node ask.mjs', { config: { network: [`localhost:${port}`] } })
        expect(run.stderr.text).toBe('')
        expect(JSON.parse(run.stdout.text)).toEqual([
          '127.0.0.1,::1',
          'REACHED',
          '403',
          '403',
          403,
          'ECONNREFUSED',
        ])
        expect(run.exitCode).toBe(3)
      } finally {
        server.close()
      }
    })

    it('is asked to end before it is killed, and passes on its prompt and its exit code', async () => {
      const controller = new AbortController()
      const run = world.run(`trap 'echo asked; exit 3' TERM; touch ready; while :; do sleep 0.05; done`, {
        signal: controller.signal,
        config: { network: ['example.org'] },
      })
      await until(() => existsSync(join(world.workspace, 'ready')))
      controller.abort()
      expect(await run).toMatchObject({ cancelled: true, stdout: { text: 'asked\n' } })
    })
  })

  it.skipIf(found.means === 'seatbelt' || found.guard?.isScoped !== true)(
    'cannot use others’ abstract sockets, only its own',
    async () => {
      const name = `\0pulseward-${process.hrtime.bigint()}`
      const server = createServer((socket) => socket.end('COMMANDED'))
      await new Promise<void>((resolve) => server.listen({ path: name }, resolve))
      writeFileSync(
        join(world.workspace, 'ask.mjs'),
        `import { connect, createServer } from 'node:net'
        const ask = (path) => new Promise((done) => connect({ path }).on('data', (d) => done(String(d))).on('error', (e) => done(e.code)))
        console.log(await ask('\\0${name.slice(1)}'))
        const own = createServer((socket) => socket.end('OWN')).listen({ path: '\\0own-${name.slice(1)}' })
        own.once('listening', async () => { console.log(await ask('\\0own-${name.slice(1)}')); own.close() })`,
      )
      try {
        expect(await say('node ask.mjs')).toBe('EPERM\nOWN\n')
      } finally {
        server.close()
      }
    },
  )

  it('hides what the operator adds, and allows writing what the operator permits', async () => {
    for (const name of ['notes', 'shared']) mkdirSync(join(world.home, name))
    writeFileSync(join(world.home, 'notes/x'), 'PRIVATE')
    const said = await say('cat ~/notes/x; echo x > ~/shared/x', {
      config: { hide: ['~/notes'], writable: ['~/shared'] },
    })
    expect(said).not.toContain('PRIVATE')
    expect(readFileSync(join(world.home, 'shared/x'), 'utf8')).toBe('x\n')
  })

  it("gives a check no agent's login, but what its own program needs to read the outside world", async () => {
    const gate = await say('cat ~/.config/gh/hosts.yml ~/.codex/auth.json; echo built > out', {
      role: { kind: 'check', program: 'npm' },
    })
    expect(gate).not.toMatch(/GH-TOKEN|CODEX-LOGIN/)
    expect(readFileSync(join(world.workspace, 'out'), 'utf8')).toBe('built\n')
    expect(await say('cat ~/.config/gh/hosts.yml', { role: { kind: 'check', program: '/usr/bin/gh' } })).toBe(
      'GH-TOKEN',
    )
  })

  it('gives a workspace file no login for having the name of a program that has one', async () => {
    for (const program of ['./gh', `${world.workspace}/bin/gh`])
      expect(await say('cat ~/.config/gh/hosts.yml', { role: { kind: 'check', program } })).not.toContain(
        'GH-TOKEN',
      )
  })

  it('lets a check build, but change neither contract nor configuration', async () => {
    for (const name of ['HEARTBEAT.md', 'pulseward.toml']) writeFileSync(join(world.workspace, name), 'old')
    const said = await say(
      `mkdir -p dist .cache && echo built > dist/out && echo cached > .cache/x && git status --short >/dev/null && echo fine
      for f in HEARTBEAT.md pulseward.toml; do echo new 2>/dev/null > $f; rm -f $f 2>/dev/null; mv dist/out $f 2>/dev/null; done; true`,
      { role: { kind: 'check', program: 'sh' } },
    )
    expect(said).toBe('fine\n')
    for (const name of ['HEARTBEAT.md', 'pulseward.toml'])
      expect(readFileSync(join(world.workspace, name), 'utf8')).toBe('old')
  })

  it('gives a check no more network than the agent whose work it runs, unless configured', {
    timeout: LONG_MS,
  }, async () => {
    const server = createServer((socket) => socket.end('REACHED'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const ask = `node -e "require('net').connect(${port}, '127.0.0.1').on('data', (d) => console.log(String(d))).on('error', (e) => console.log(e.code))"`
    const own = `node -e "const s = require('net').createServer((c) => c.end('OWN')).listen(0, '127.0.0.1', () => require('net').connect(s.address().port, '127.0.0.1').on('data', (d) => { console.log(String(d)); s.close() }))"`
    const by = (program: string, config: Partial<SandboxConfig>) =>
      say(ask, { role: { kind: 'check', program }, config })
    try {
      expect(await by('npm', { network: 'none' })).toBe('ECONNREFUSED\n')
      expect(await by('npm', {})).toBe('REACHED\n')
      expect(await by('npm', { network: 'none', checksNetwork: 'all' })).toBe('REACHED\n')
      expect(await by('/usr/bin/curl', { network: 'none' })).toBe('REACHED\n')
      expect(await by(`${world.workspace}/curl`, { network: 'none' })).toBe('ECONNREFUSED\n')
      // A test that uses this machine's loopback does not need the outside world.
      expect(await say(own, { role: { kind: 'check', program: 'npm' }, config: { network: 'none' } })).toBe(
        'OWN\n',
      )
    } finally {
      server.close()
    }
  })

  it('lets a judge read but not write', async () => {
    writeFileSync(join(world.workspace, 'a'), 'seen')
    const said = await say('cat a; echo x 2>/dev/null > b || echo refused; cat ~/.codex/auth.json', {
      role: { kind: 'judge', program: 'codex' },
    })
    expect(said).toContain('seen')
    expect(said).toContain('refused')
    expect(said).toContain('CODEX-LOGIN')
  })

  it('reports a missing program in the same way as without a sandbox', async () => {
    const controller = new AbortController()
    const run = await world.run('exit 0', {
      directory: join(world.workspace, 'gone'),
      signal: controller.signal,
    })
    expect(run.failure?.kind).toBe('bad-directory')
  })
})

describe('a setting that cannot be enforced', () => {
  const ask = (config: Partial<SandboxConfig>, found: FoundMeans | null) =>
    createSandbox({
      surroundings: { home: '/home/a', environment: {}, ownData: [], installation: '/opt/pulseward' },
      workspaces: async () => [],
      containing: async () => ({ found, cutsNetwork: async () => found !== null, failed: [] }),
    }).of('/work', { preset: null, passEnvironment: [], containment: { ...DEFAULT_SANDBOX, ...config } })({
      kind: 'agent',
    })

  it('is refused with a fix: a required sandbox, no network or allowed hosts if no sandbox works', async () => {
    expect(await ask({ sandbox: 'required' }, null)).toMatchObject({
      kind: 'refused',
      remedy: expect.stringMatching(/\w/),
    })
    expect(await ask({ network: 'none' }, null)).toMatchObject({ kind: 'refused' })
    expect(await ask({ sandbox: 'off', network: 'none' }, { means: 'seatbelt' })).toMatchObject({
      kind: 'refused',
    })
    expect(await ask({ network: ['example.org'] }, null)).toMatchObject({ kind: 'refused' })
  })

  it('does not stop an agent that needs only what the machine has', async () => {
    expect(await ask({}, null)).toMatchObject({ kind: 'open' })
    expect(await ask({ sandbox: 'off' }, { means: 'seatbelt' })).toMatchObject({ kind: 'open' })
  })
})
