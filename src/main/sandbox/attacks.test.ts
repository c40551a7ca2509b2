import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { SOCKET_VARIABLE, TOKEN_VARIABLE } from '../mcp/channel-protocol.ts'
import { openReportChannel } from '../mcp/report-channel.ts'
import { processStart } from '../process/process-identity.ts'
import { processesNamed, until } from '../process/testing/running-processes.ts'
import { type ContainedWorld, containedWorld, meansHere } from './testing/contained-world.ts'

/*
 * A sandboxed agent that tries to escape, with real programs in the real sandbox: what it tries, and what must be true
 * afterwards. sandbox.test.ts says which sandboxes this machine has.
 */

const means = await meansHere()

/** Numbers of system calls that no available program makes; `null`: unknown here. */
const CALLS = {
  x64: { ptrace: 101, addKey: 248, keyctl: 250, memfd: 319 },
  arm64: { ptrace: 117, addKey: 217, keyctl: 219, memfd: 279 },
}
const calls = CALLS[process.arch as keyof typeof CALLS] ?? null

describe.each(means)('an agent sandboxed by %s', (_, found) => {
  let world: ContainedWorld
  let evil: string

  beforeEach(() => {
    world = containedWorld(found)
    evil = join(world.home, 'ran')
    git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-q', '--allow-empty', '-m', 'first')
    writeFileSync(join(world.home, '.bashrc'), 'mine')
    for (const name of ['HEARTBEAT.md', 'pulseward.toml']) writeFileSync(join(world.workspace, name), 'old')
  })
  afterEach(() => world.remove())

  const git = (...words: string[]): string =>
    execFileSync('git', words, { cwd: world.workspace, encoding: 'utf8' })
  /** Runs git as the operator would in a folder, whatever is left of the repository. */
  const askGit = (cwd: string): unknown => spawnSync('git', ['status', '--short'], { cwd })
  const text = (path: string): string => readFileSync(path, 'utf8')

  async function attempt(script: string, options?: Parameters<ContainedWorld['run']>[1]): Promise<string> {
    const run = await world.run(`exec 2>&1\n${script}\ntrue`, options)
    expect(run.failure).toBeNull()
    return run.stdout.text
  }

  /** Settings that would make git run a program. */
  const settings = (): string => `[core]\\n\\tfsmonitor = "touch ${evil}; false"\\n`

  describe('attacking the repository', () => {
    it('plants no work tree configuration if the operator’s git reads it', async () => {
      git('config', 'extensions.worktreeConfig', 'true')
      git('worktree', 'add', '-q', join(world.home, 'tree'))
      await attempt(`printf '${settings()}' > new; for f in .git .git/worktrees/tree; do
        ln -sf "$PWD/new" $f/config.worktree; cp new other; mv other $f/config.worktree; cp new $f/config.worktree; done`)
      askGit(world.workspace)
      askGit(join(world.home, 'tree'))
      expect(existsSync(evil)).toBe(false)
    })

    it('does not enable such configuration if it is disabled', async () => {
      await attempt(
        `git config extensions.worktreeConfig true; printf '${settings()}' > .git/config.worktree`,
      )
      askGit(world.workspace)
      expect(existsSync(evil)).toBe(false)
    })

    it('replaces no folder of a work tree or submodule, however deep', async () => {
      git('worktree', 'add', '-q', join(world.home, 'tree'))
      const inner = join(world.workspace, '.git/modules/libs/one/modules/two')
      for (const folder of [dirname(dirname(inner)), inner]) {
        mkdirSync(folder, { recursive: true })
        writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/main\n')
        writeFileSync(join(folder, 'config'), '[core]\n')
      }
      await attempt(`cp -r .git other; printf '${settings()}' >> other/config
        for f in worktrees/tree worktrees modules/libs/one/modules/two modules/libs/one modules/libs modules; do
          mv .git/$f gone; mkdir -p .git/$f; printf '${settings()}' > .git/$f/config; done
        mkdir -p .git/worktrees/tree; echo "$PWD/other" > .git/worktrees/tree/commondir
        printf '${settings()}' > .git/modules/libs/one/modules/two/config`)
      askGit(join(world.home, 'tree'))
      expect(existsSync(evil)).toBe(false)
      expect(text(join(inner, 'config'))).toBe('[core]\n')
      expect(text(join(inner, '../../config'))).toBe('[core]\n')
    })

    it('cannot hide a repository behind more of them than are searched', async () => {
      git('worktree', 'add', '-q', join(world.home, 'tree'))
      await attempt(`mkdir .git/worktrees/a{1..300}; touch .git/worktrees/a{1..300}/HEAD`)
      expect(readdirSync(join(world.workspace, '.git/worktrees')).length).toBeGreaterThan(300)
      // The next attempt: there are too many by now.
      await attempt(`cp -r .git other; printf '${settings()}' >> other/config
        echo "$PWD/other" > .git/worktrees/tree/commondir`)
      askGit(join(world.home, 'tree'))
      expect(existsSync(evil)).toBe(false)
    })

    it('in a linked work tree cannot change the operator’s own settings, however many work trees there are', async () => {
      const tree = join(world.home, '../tree')
      git('worktree', 'add', '-q', tree)
      const common = join(world.workspace, '.git')
      await attempt(`mkdir ${common}/worktrees/a{1..300}; touch ${common}/worktrees/a{1..300}/HEAD`, {
        workspace: tree,
      })
      expect(readdirSync(join(common, 'worktrees')).length).toBeGreaterThan(300)
      const said = await attempt(
        `cp -r ${common} other; printf '${settings()}' >> other/config; for f in ${common}/worktrees/tree; do
        echo "$PWD/other" > $f/commondir; rm -f $f/commondir; echo "$PWD/other" > new; mv new $f/commondir; done
        git add other/HEAD && git -c user.name=a -c user.email=a@b.c commit -qm mine && echo committed`,
        { workspace: tree },
      )
      askGit(tree)
      expect(existsSync(evil)).toBe(false)
      expect(said).toMatch(/^committed$/m)
    })

    it('plants nothing in a submodule of a linked work tree, and can commit in it', async () => {
      const tree = join(world.home, '../tree')
      const library = join(world.home, 'library')
      const allowed = ['-c', 'protocol.file.allow=always', '-c', 'user.name=a', '-c', 'user.email=a@b.c']
      execFileSync('git', ['clone', '-q', world.workspace, library])
      git(...allowed, 'submodule', '--quiet', 'add', library, 'libs/one')
      git(...allowed, 'commit', '-qm', 'library')
      git('worktree', 'add', '-q', tree)
      execFileSync('git', [...allowed, 'submodule', '--quiet', 'update', '--init'], { cwd: tree })
      const inner = join(world.workspace, '.git/worktrees/tree/modules/libs/one')
      expect(existsSync(join(inner, 'config'))).toBe(true)
      rmSync(join(inner, 'hooks'), { recursive: true })
      const script = `printf '${settings()}' >> ${inner}/config; mv ${inner} ${inner}.x; mkdir -p ${inner}/hooks
        cp ${inner}/config new; printf '${settings()}' >> new; mv -f new ${inner}/config
        printf '#!/bin/sh\ntouch ${evil}' > ${inner}/hooks/post-commit; chmod +x ${inner}/hooks/post-commit
        cd ${tree}/libs/one && git -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m x && echo committed`
      for (const workspace of [tree, world.workspace]) {
        const said = await attempt(script, { workspace })
        if (workspace === tree) expect(said).toMatch(/^committed$/m)
        askGit(tree)
        git('-C', join(tree, 'libs/one'), ...allowed, 'commit', '-q', '--allow-empty', '-m', 'mine')
        expect(existsSync(evil)).toBe(false)
      }
    })

    it.each([
      ['removed', 'rm -f .git/worktrees/tree/HEAD .git/modules/libs/one/HEAD'],
      ['placed above it', 'touch .git/modules/libs/HEAD'],
    ])('hides no submodule and no work tree from the next attempt with a HEAD %s', async (_, hiding) => {
      git('worktree', 'add', '-q', join(world.home, 'tree'))
      const inner = join(world.workspace, '.git/modules/libs/one')
      mkdirSync(inner, { recursive: true })
      writeFileSync(join(inner, 'HEAD'), 'ref: refs/heads/main\n')
      writeFileSync(join(inner, 'config'), '[core]\n')
      await attempt(`cp .git/worktrees/tree/HEAD kept; ${hiding}`)
      await attempt(`cp -r .git other; printf '${settings()}' >> other/config; printf '${settings()}' >> ${inner}/config
        echo "$PWD/other" > .git/worktrees/tree/commondir; cp kept .git/worktrees/tree/HEAD`)
      askGit(join(world.home, 'tree'))
      expect(existsSync(evil)).toBe(false)
      expect(text(join(inner, 'config'))).toBe('[core]\n')
    })

    it.each([
      ["a file instead of a submodule's hooks", 'modules/one/hooks', 'touch', 0],
      ["a broken link instead of a submodule's hooks", 'modules/one/hooks', 'ln -s nowhere', 1],
      ['a file instead of the submodules', 'modules', 'touch', 1],
    ])('that works honestly can commit despite %s', async (_, name, by, told) => {
      mkdirSync(join(world.workspace, '.git', dirname(name)), { recursive: true })
      if (name !== 'modules') writeFileSync(join(world.workspace, '.git/modules/one/HEAD'), '')
      execFileSync('sh', ['-c', `${by} .git/${name}`], { cwd: world.workspace })
      const commit = 'git -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m x && echo committed'
      expect(await attempt(commit)).toBe('committed\n')
      expect(await attempt(commit)).toBe('committed\n')
      expect(world.problems).toHaveLength(told)
    })

    it('does not replace a link to missing hooks, and logs once why it cannot commit', async () => {
      const hooks = join(world.workspace, '.git/hooks')
      rmSync(hooks, { recursive: true, force: true })
      symlinkSync('nowhere', hooks)
      const script = `rm .git/hooks; mkdir -p .git/hooks .git/nowhere; touch .git/hooks/pre-commit
        git -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m x && echo committed`
      for (let attempts = 0; attempts < 2; attempts += 1)
        expect(await attempt(script)).not.toMatch(/^committed$/m)
      expect(lstatSync(hooks).isSymbolicLink()).toBe(true)
      expect(existsSync(hooks)).toBe(false)
      expect(world.problems).toEqual([expect.stringMatching(/\.git: .*hooks/)])
    })

    it.each([
      ['modules/one/hooks', 'touch'],
      ['modules', 'touch'],
      ['worktrees', 'ln -s nowhere'],
    ])('leaves nothing (%s, by %s) that would disable the protection the next time', async (name, by) => {
      await attempt(`mkdir -p .git/modules/one .git/objects; touch .git/modules/one/HEAD
        cd .git/$(dirname ${name}); rm -rf $(basename ${name}); ${by} $(basename ${name})`)
      await attempt(`printf '${settings()}' >> .git/config; mkdir -p .git/hooks
        printf '#!/bin/sh\ntouch ${evil}' > .git/hooks/post-index-change; chmod +x .git/hooks/post-index-change`)
      askGit(world.workspace)
      git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-q', '--allow-empty', '-m', 'mine')
      expect(existsSync(evil)).toBe(false)
      expect(existsSync(join(world.workspace, '.git/hooks/post-index-change'))).toBe(false)
    })

    it('cannot move .git away by an indirect path', async () => {
      const before = lstatSync(join(world.workspace, '.git')).ino
      const said = await attempt(`mv .git x && echo got; rmdir .git && echo got; rm -rf .git/config .git/hooks
        ln .git/config c && echo got; perl -e 'rename(".git", "x") and print "got\\n"'
        mv "$PWD" "$PWD.x" && echo got; exec 5< .git/config; echo x >> /proc/self/fd/5 && echo got`)
      expect(said).not.toMatch(/^got$/m)
      expect(lstatSync(join(world.workspace, '.git')).ino).toBe(before)
      expect(text(join(world.workspace, '.git/config'))).not.toContain('x\n')
    })

    it('that works honestly adds a work tree, commits in it, and removes it', async () => {
      const said = await attempt(`set -e
        git worktree add -q ../work/mine -b mine; cd mine; echo x > x; git add x
        git -c user.name=a -c user.email=a@b.c commit -qm x; cd ..; git worktree remove mine; git gc -q; echo fine`)
      expect(said).toBe('fine\n')
    })
  })

  describe('attacking files', () => {
    it('cannot write to a read-only file through a second name', async () => {
      const said = await attempt(`for f in ~/.bashrc ~/.claude/settings.json ${world.other}/HEARTBEAT.md; do
          ln $f mine && echo evil >> mine; ln -sf $f link && echo evil >> link; mv mine $f; cp link $f; rm -f mine link; done
        exec 5< ~/.bashrc; echo evil >> /proc/self/fd/5; mount --bind mine ~/.bashrc && echo mounted`)
      expect(said).not.toMatch(/^mounted$/m)
      expect(text(join(world.home, '.bashrc'))).toBe('mine')
      expect(text(join(world.other, 'HEARTBEAT.md'))).toBe('OTHER')
      expect(text(join(world.home, '.claude/settings.json'))).toBe('{}')
    })

    it('that is run by a check cannot write the contract through a link or a rename', async () => {
      await attempt(
        `for f in HEARTBEAT.md pulseward.toml; do echo evil > new; ln $f second && echo evil > second; mv new $f; ln -f new $f
          ln -sf new $f; cp new $f; rm -f $f; exec 5< $f; echo evil > /proc/self/fd/5; mv $f third; done; mv "$PWD" "$PWD.x"`,
        { role: { kind: 'check', program: 'sh' } },
      )
      for (const name of ['HEARTBEAT.md', 'pulseward.toml'])
        expect(text(join(world.workspace, name))).toBe('old')
    })

    it('is given no key through a check of git that runs what it has put into a nested repository', async () => {
      const nested = `mkdir -p lib; cd lib; git init -q .; printf '#!/bin/sh\\ncat ~/.ssh/id_ed25519\\n' > evil.sh; chmod +x evil.sh
        git config core.fsmonitor "$PWD/evil.sh"; cd ..`
      await attempt(nested)
      const words = ['-C', 'lib', 'status']
      const said = await attempt('git -C lib status 2>&1; cat ~/.ssh/id_ed25519', {
        role: { kind: 'check', program: '/usr/bin/git', words },
      })
      expect(said).not.toContain('KEY')
      const asking = { kind: 'check', program: '/usr/bin/git', words: ['ls-remote', 'origin'] } as const
      expect(await attempt('cat ~/.ssh/id_ed25519', { role: asking })).toContain('KEY')
    })

    it('finds no way to Pulseward’s data, and cannot remove any of it', async () => {
      const said =
        await attempt(`cd /; for p in ${world.data} ${world.workspace}/../data /proc/self/root${world.data} /proc/1/root${world.data} \\
            /proc/self/cwd${world.data} /dev/fd/../root${world.data}; do cat $p/server.json; ls $p; echo evil > $p/server.json; done
        ln -s ${world.data} ${world.workspace}/link; cat ${world.workspace}/link/server.json
        mv ${world.data} ${world.workspace}/moved; rm -rf ${world.data}; mkdir ${world.data}; echo evil > ${world.data}/server.json
        find /tmp /var/tmp ~ .. -name server.json`)
      expect(said).not.toMatch(/HOST-TOKEN|^server\.json$|\/server\.json$/m)
      expect(text(join(world.data, 'server.json'))).toBe('HOST-TOKEN')
    })

    it('cannot see other processes’ shared memory', async () => {
      const name = `pulseward-${process.hrtime.bigint()}`
      const shared = join('/dev/shm', name)
      writeFileSync(shared, 'SHARED')
      onTestFinished(() => rmSync(shared))
      expect(await attempt(`cat ${shared}; ls /dev/shm`)).not.toMatch(new RegExp(`SHARED|^${name}`, 'm'))
    })
  })

  describe('attacking other processes', () => {
    /** Starts a process of the operator that works in Pulseward's data and has a file there open. */
    async function neighbour(): Promise<number> {
      const child = spawn('sh', ['-c', 'exec 9< server.json; echo ready; exec sleep 600'], {
        cwd: world.data,
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      onTestFinished(() => void child.kill('SIGKILL'))
      await once(child.stdout, 'data')
      return child.pid ?? 0
    }

    it('reads nothing through their root, folder, files, memory or environment', async () => {
      const pid = await neighbour()
      const said = await attempt(`for p in /proc/[0-9]* /proc/${pid}; do
          cat $p/root${world.data}/server.json $p/cwd/server.json $p/root${world.home}/.ssh/id_ed25519; tr '\\0' '\\n' < $p/environ
          for f in $p/fd/*; do [ -f $f ] && cat $f; done; head -c 64 $p/mem; done 2>/dev/null | grep -aE 'TOKEN|KEY|PULSEWARD_HOME='`)
      expect(said).toBe('')
      expect(processStart(pid)).not.toBeNull()
    })

    it.skipIf(calls === null || !hasPerl())('can neither trace nor kill them', async () => {
      const pid = await neighbour()
      const said = await attempt(
        [pid, process.pid]
          .map(
            (each) => `perl -e '
          for my $how (16, 16902) { print "traced\\n" if syscall(${calls?.ptrace}, $how, ${each}, 0, 0) == 0 }
          print "signalled\\n" if kill(9, ${each})'
          nsenter -t ${each} -m true && echo entered`,
          )
          .join('\n'),
      )
      expect(said).not.toMatch(/^(traced|signalled|entered)$/m)
      expect(processStart(pid)).not.toBeNull()
    })

    it('leaves nothing running when it is killed, whatever signals its processes ignore', async () => {
      const name = `daemon-${process.hrtime.bigint()}`
      const controller = new AbortController()
      const ready = join(world.workspace, 'ready')
      const run = world.run(
        `for i in 1 2; do (env -i setsid nohup bash -c 'trap "" TERM HUP INT; (trap "" TERM; exec -a ${name} sleep 600) & touch ${ready}$$; wait' >/dev/null 2>&1 &); done
        trap '' TERM; sleep 600`,
        { signal: controller.signal },
      )
      await until(() => readdirSync(world.workspace).filter((each) => each.startsWith('ready')).length === 2)
      await until(() => processesNamed(name).length === 2)
      controller.abort()
      expect(await run).toMatchObject({ cancelled: true })
      await until(() => processesNamed(name).length === 0)
    })
  })

  describe('attacking its own limits', () => {
    it('gains no rights through its own namespace, a program with a mark, a device or a root folder', async () => {
      const hidden = `${world.home}/.ssh/id_ed25519 ${world.data}/server.json`
      const said = await attempt(`
        for in in "unshare -Urm" "unshare -Ur --mount-proc -fp" "setsid unshare -Urmn"; do $in sh -c '
          umount -l ${world.data} ${world.home}/.ssh; cat ${hidden}
          mount --bind / /mnt && cat /mnt${world.data}/server.json /mnt${world.home}/.ssh/id_ed25519
          mount --rbind / /mnt && umount -l /mnt${world.data} && cat /mnt${world.data}/server.json
          mount -o remount,rw,bind / && echo evil >> ${world.home}/.bashrc; chroot /proc/1/root cat ${hidden}'; done
        cp /bin/sh s; chmod 6755 s; ./s -p -c 'cat ${hidden}; echo evil >> ${world.home}/.bashrc'
        mknod disk b 254 0 && echo device; chroot / true && echo root; grep NoNewPrivs /proc/self/status`)
      expect(said).not.toMatch(/KEY|HOST-TOKEN|^(device|root)$/m)
      expect(said).toMatch(/NoNewPrivs:\s1/)
      expect(text(join(world.home, '.bashrc'))).toBe('mine')
    })

    it.skipIf(calls === null || !hasPerl())(
      'gains nothing by running a program from memory alone',
      async () => {
        const said = await attempt(`perl -e '
        $^F = 99; my $name = "x"; my $file = syscall(${calls?.memfd}, $name, 0); open(my $out, ">&=", $file); $| = 1;
        syswrite($out, "#!/bin/sh\\ncat ${world.data}/server.json; echo evil >> ${world.home}/.bashrc; echo ran\\n");
        exec "/proc/self/fd/$file"'`)
        expect(said).toMatch(/^ran$/m)
        expect(said).not.toContain('HOST-TOKEN')
        expect(text(join(world.home, '.bashrc'))).toBe('mine')
      },
    )

    it('cannot replace the socket that it reports through', async () => {
      const channel = await openReportChannel({
        script: join(process.cwd(), 'src/main/mcp/report-server.ts'),
        subject: { taskIds: ['one'], probeNames: [], contract: 'THE CONTRACT', score: '0' },
        log: { info: () => {}, warn: () => {}, error: () => {} },
      })
      if (channel === null) throw new Error('no channel')
      onTestFinished(() => channel.close())
      const { env, needs } = channel.server
      const [socket, token] = [env[SOCKET_VARIABLE] ?? '', env[TOKEN_VARIABLE] ?? '']
      const ask = `require("net").connect(process.argv[1]).on("data", (d) => console.log(String(d))).on("error", (e) => console.log(e.code))
        .write(JSON.stringify({ token: process.argv[2], tool: "get_contract", input: {} }) + "\\n")`
      const said = await attempt(
        `d=$(dirname ${socket}); rm -f ${socket}; mv $d $d.x; ln -sfn ${world.data} $d; ln -sf ${world.data}/server.json ${socket}
        rm -rf $d; echo evil > $d/x; node -e '${ask}' ${socket} ${token}; node -e '${ask}' ${socket} other`,
        { needs: { readable: needs } },
      )
      expect(said).toContain('THE CONTRACT')
      expect(said).toContain('not yours')
      expect(readdirSync(dirname(socket))).toEqual(['report'])
      expect(lstatSync(socket).isSocket()).toBe(true)
    })
  })

  describe.skipIf(calls === null || found.means === 'seatbelt' || found.guard === undefined)(
    'attacking what no namespace closes',
    () => {
      const keyctl = calls?.keyctl
      /** Its parent has a key in the session's keyring. */
      const keyHolder = [
        ...['perl', '-e'],
        `my ($type, $name, $key) = ("user", "pulseward", "KEPT-KEY");
        syscall(${keyctl}, 1, 0) >= 0 && syscall(${calls?.addKey}, $type, $name, $key, length $key, -3) >= 0 or die "no keyring: $!";
        exec { $ARGV[0] } @ARGV`,
        '--',
      ]
      const readKey = `perl -e 'my ($type, $name, $key) = ("user", "pulseward", " " x 99);
        my $id = syscall(${keyctl}, 10, -3, $type, $name, 0); my $n = syscall(${keyctl}, 11, $id, $key, 99);
        print $n > 0 ? substr($key, 0, $n) : "none: $!", "\\n"; my $new = "x";
        print "added\\n" if syscall(${calls?.addKey}, $type, $new, $key, 4, -4) >= 0'`

      it('reads no key from the session’s keyring, and adds none to any', async () => {
        const [program = '', ...rest] = [...keyHolder, 'sh', '-c', readKey]
        expect(execFileSync(program, rest, { encoding: 'utf8' }), 'whoever is not contained').toContain(
          'KEPT-KEY\nadded\n',
        )
        for (const network of ['all', 'none'] as const)
          expect(await attempt(readKey, { starter: keyHolder, config: { network } })).toBe(
            'none: Operation not permitted\n',
          )
      })

      it('types nothing into a terminal', async () => {
        const said =
          await attempt(`perl -e 'for my $how (0x5412, 0x541c) { my $c = "x"; ioctl(STDIN, $how, $c); print "$!\\n" }
          ioctl(STDIN, 0x5401, my $c = " " x 99); print "$!\\n"'`)
        expect(said.split('\n').slice(0, 2)).toEqual(Array(2).fill('Operation not permitted'))
        expect(said, 'other questions to a terminal are answered').not.toMatch(/permitted\n$/)
      })
    },
  )
})

function hasPerl(): boolean {
  try {
    execFileSync('perl', ['-e', '1'])
    return true
  } catch {
    return false
  }
}
