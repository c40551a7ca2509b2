import { execFileSync } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ProbeReading } from '../../core/verification/types.ts'
import type { ProbeConfig } from '../ports/workspace-config.ts'
import { readProbe } from './read-probe.ts'
import {
  createTemporaryWorkspace,
  type TemporaryWorkspace,
  untilTheEnd,
} from './testing/temporary-workspace.ts'

let workspace: TemporaryWorkspace
beforeEach(async () => {
  workspace = await createTemporaryWorkspace()
})
afterEach(() => workspace.remove())

type Rest = Partial<Omit<ProbeConfig, 'source'>>
function read(source: ProbeConfig['source'], rest: Rest = {}, signal = untilTheEnd()): Promise<ProbeReading> {
  const config: ProbeConfig = { source, parse: 'number', path: null, timeoutMs: 10_000, ...rest }
  return readProbe('count', config, workspace.world, signal)
}
function readCommand(command: readonly string[], rest: Rest = {}): Promise<ProbeReading> {
  return read({ kind: 'command', command }, rest)
}
function value(expected: unknown) {
  return { kind: 'value', name: 'count', value: expected }
}
function unreadable(reason: RegExp, fault: 'contract' | 'environment' = 'contract') {
  return { kind: 'unreadable', name: 'count', reason: expect.stringMatching(reason), configured: true, fault }
}

describe('a command probe', () => {
  it.each<[string, ProbeConfig['parse'], unknown]>([
    ['echo 3', 'number', 3],
    ['printf " -1.5e3\\n\\n"', 'number', -1500],
    ['echo .5', 'number', 0.5],
    ['printf "\\033[33m3\\033[39m\\n"', 'number', 3],
    ['printf "\\033[1m{\\"a\\":1}\\033[0m"', 'json', { a: 1 }],
    ['printf "  all green \\n"', 'text', 'all green'],
    ['true', 'text', ''],
    ['echo \'{"a":[1,null]}\'', 'json', { a: [1, null] }],
    ['exit 0', 'exit', 0],
    ['echo oops >&2; exit 7', 'exit', 7],
    ['echo noise >&2; echo 4', 'number', 4],
    ['pwd', 'text', 'DIRECTORY'],
  ])('%s as %s', async (body, parse, expected) => {
    const command = await workspace.script('probe', body)
    const wanted = expected === 'DIRECTORY' ? workspace.directory : expected
    expect(await readCommand(command, { parse })).toEqual(value(wanted))
  })

  it.each<[string, ProbeConfig['parse'], RegExp]>([
    ['echo 3 mails', 'number', /expected one number, read "3 mails"/],
    ['true', 'number', /expected one number, read nothing/],
    ['echo NaN', 'number', /read "NaN"/],
    ['echo Infinity', 'number', /read "Infinity"/],
    ['echo 0x10', 'number', /read "0x10"/],
    ['echo 1e999', 'number', /read "1e999"/],
    ['printf "1\\n2\\n"', 'number', /read "1\\n2"/],
    ["node -e \"console.log('['.repeat(1e5) + ']'.repeat(1e5))\"", 'json', /expected JSON, read "\[\[/],
    ['echo "{"', 'json', /expected JSON, read "\{"/],
    ['echo 3; echo "no mail server" >&2; exit 2', 'number', /exited with 2: 3\nno mail server/],
    ['kill -9 $$', 'exit', /killed by SIGKILL/],
    ['head -c 3000000 /dev/zero | tr "\\0" 1', 'text', /printed more than/],
  ])('%s as %s is unreadable', async (body, parse, reason) => {
    const command = await workspace.script('probe', body)
    expect(await readCommand(command, { parse })).toEqual(unreadable(reason))
  })

  it.each<[readonly string[], ProbeConfig['parse'], unknown]>([
    [['grep', '-c', 'open', 'a.txt'], 'number', 0],
    [['sh', '-c', 'grep -c open a.txt'], 'number', 0],
    [['/bin/sh', '-ec', 'cd . && cat a.txt | grep -ic open'], 'number', 0],
    [['git', 'grep', '--no-index', '-c', 'open', 'a.txt'], 'number', 0],
    [['grep', '-n', 'open', 'a.txt'], 'text', ''],
    [['sh', '-c', 'cd . && cat a.txt | grep -n open'], 'text', ''],
    [['sh', '-c', 'test -s a.txt && grep -c open a.txt'], 'number', 0],
    [['grep', '-n', 'done', 'a.txt'], 'text', '1:done'],
  ])(
    '%j as %s: exit code 1 of a search that found nothing is not an error',
    async (command, parse, expected) => {
      await workspace.write('a.txt', 'done\n')
      expect(await readCommand(command, { parse })).toEqual(value(expected))
    },
  )

  it.each<[readonly string[], RegExp]>([
    [['grep', '-c', 'open', 'gone.txt'], /exited with 2/],
    [['grep', '-n', 'open', 'a.txt'], /read nothing/],
    [['sh', '-c', 'echo 0; exit 3'], /exited with 3/],
    [['sh', '-c', 'echo 0; exit 1'], /exited with 1/],
    [['sh', '-c', 'grep -c open a.txt; false'], /exited with 1/],
    [['sh', '-c', 'test -s gone.txt && grep -c open gone.txt'], /exited with 1/],
    [['sh', '-c', 'test -s gone.txt && cat gone.txt | grep -c open'], /exited with 1/],
    [['node', '-e', 'console.log(0); process.exitCode = 1'], /exited with 1/],
    [['sh', '-c', 'echo 0; echo broken >&2; exit 1'], /exited with 1/],
    [['sh', '-c', 'echo 3; exit 1'], /exited with 1/],
    [['sh', '-c', 'exit 1'], /exited with 1/],
  ])('%j: an error remains an error', async (command, reason) => {
    await workspace.write('a.txt', 'done\n')
    expect(await readCommand(command)).toEqual(unreadable(reason))
  })

  it('reads a dotted path from JSON', async () => {
    const command = await workspace.script('probe', 'echo \'{"a":{"b":[7,8]}}\'')
    expect(await readCommand(command, { parse: 'json', path: 'a.b.1' })).toEqual(value(8))
    expect(await readCommand(command, { parse: 'json', path: 'a.c' })).toEqual(unreadable(/no a\.c in \{"a"/))
  })

  it('has its probe’s tolerance next to its value', async () => {
    const command = await workspace.script('probe', 'echo 3')
    expect(await readCommand(command, { tolerance: 0.5 })).toEqual({ ...value(3), tolerance: 0.5 })
  })

  it('is not given to a shell', async () => {
    expect(await readCommand(['echo', '$HOME; id | cat'], { parse: 'text' })).toEqual(
      value('$HOME; id | cat'),
    )
  })

  it('is unreadable if its program is missing or not executable', async () => {
    await workspace.write('plain', 'echo 3')
    expect(await readCommand(['no-such-program-here'])).toEqual(unreadable(/not found on PATH/))
    expect(await readCommand(['./missing'])).toEqual(unreadable(/does not exist/))
    expect(await readCommand(['./plain'])).toEqual(unreadable(/is not executable/))
  })

  it('is stopped at its timeout, which is a fault of the environment', async () => {
    const command = await workspace.script('probe', 'sleep 60')
    expect(await readCommand(command, { timeoutMs: 200 })).toEqual(
      unreadable(/not ended after 0\.2 s/, 'environment'),
    )
  })

  it('is stopped when the supervisor stops', async () => {
    const command = await workspace.script('probe', 'sleep 60')
    const stop = new AbortController()
    const reading = read({ kind: 'command', command }, {}, stop.signal)
    stop.abort()
    expect(await reading).toEqual(unreadable(/stopped/, 'environment'))
  })
})

describe('a file probe', () => {
  const file = (path: string, rest: Rest = {}) => read({ kind: 'file', file: path }, rest)

  it('reads relative to the workspace', async () => {
    await workspace.write('data/count.txt', '12\n')
    expect(await file('data/count.txt')).toEqual(value(12))
    await workspace.write('état.json', '\uFEFF{"n": 1}')
    expect(await file('état.json', { parse: 'json', path: 'n' })).toEqual(value(1))
  })

  it('reads an absolute path, because it was approved', async () => {
    const elsewhere = await createTemporaryWorkspace()
    try {
      const path = await elsewhere.write('count', '5')
      expect(await file(path)).toEqual(value(5))
    } finally {
      await elsewhere.remove()
    }
  })

  it('is unreadable if the file does not exist or cannot be read', async () => {
    expect(await file('missing')).toEqual(unreadable(/missing does not exist/))
    expect(await file('/missing/file')).toEqual(unreadable(/does not exist/))
    expect(await file('.')).toEqual(unreadable(/regular file|EISDIR/))
    expect(await file('a\0b')).toEqual(unreadable(/NUL/))
  })

  it('does not leave the workspace by a relative path or a symbolic link', async () => {
    await symlink('/etc/hostname', join(workspace.directory, 'link'))
    expect(await file('../count')).toEqual(unreadable(/leads out of the workspace/))
    expect(await file('link')).toEqual(unreadable(/link does not exist/))
  })

  it('does not block at a named pipe', async () => {
    execFileSync((await workspace.script('make', 'mkfifo pipe'))[0] ?? '', { cwd: workspace.directory })
    expect(await file('pipe')).toEqual(unreadable(/regular file/))
  })

  it('is limited in size', async () => {
    await workspace.write('big', Buffer.alloc(1024 * 1024 + 1, '1'))
    expect(await file('big', { parse: 'text' })).toEqual(unreadable(/larger than/))
    await workspace.write('full', Buffer.alloc(1024 * 1024, '1'))
    expect(await file('full', { parse: 'text' })).toMatchObject({ kind: 'value' })
  })

  it('has no exit code', async () => {
    await workspace.write('count', '1')
    expect(await file('count', { parse: 'exit' })).toEqual(unreadable(/only a command/))
  })
})

describe('a URL probe', () => {
  let server: Server | undefined
  afterEach(async () => {
    server?.closeAllConnections()
    await new Promise((resolve) => (server === undefined ? resolve(null) : server.close(resolve)))
    server = undefined
  })

  async function serve(listener: RequestListener): Promise<string> {
    const created = createServer(listener)
    server = created
    await new Promise<void>((resolve) => created.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(created.address() as AddressInfo).port}/`
  }
  const url = (address: string, rest: Rest = {}, signal?: AbortSignal) =>
    read({ kind: 'url', url: address }, rest, signal)

  it('reads the answer to a GET', async () => {
    const address = await serve((request, response) => response.end(request.method === 'GET' ? '7' : '0'))
    expect(await url(address)).toEqual(value(7))
  })

  it('follows redirects, but not forever', async () => {
    const address = await serve((request, response) => {
      if (request.url === '/end') response.end('8')
      else response.writeHead(302, { location: request.url === '/once' ? '/end' : '/loop' }).end()
    })
    expect(await url(`${address}once`)).toEqual(value(8))
    expect(await url(`${address}loop`)).toEqual(unreadable(/redirect/, 'environment'))
  })

  it.each([
    [404, 'contract'],
    [401, 'contract'],
    [429, 'environment'],
    [500, 'environment'],
    [503, 'environment'],
  ] as const)('is unreadable if the answer is %i, a fault of the %s', async (status, fault) => {
    const address = await serve((_, response) => response.writeHead(status).end('3'))
    expect(await url(address)).toEqual(unreadable(new RegExp(`answered ${status}`), fault))
  })

  it('is unreadable if no one answers', async () => {
    const address = await serve(() => {})
    server?.close()
    server?.closeAllConnections()
    expect(await url(address)).toEqual(unreadable(/could not be reached: .*ECONNREFUSED/, 'environment'))
  })

  it('is stopped at its timeout, even in the middle of an answer', async () => {
    const address = await serve((_, response) => response.write('3'))
    expect(await url(address, { timeoutMs: 150 })).toEqual(unreadable(/within 0\.15 s/, 'environment'))
  })

  it('is stopped when the supervisor stops', async () => {
    const stop = new AbortController()
    const address = await serve(() => stop.abort())
    expect(await url(address, {}, stop.signal)).toEqual(unreadable(/stopped/, 'environment'))
  })

  it('is limited in size', async () => {
    const address = await serve((_, response) => {
      response.write(Buffer.alloc(600_000, '1'))
      response.end(Buffer.alloc(600_000, '1'))
    })
    expect(await url(address, { parse: 'text' })).toEqual(unreadable(/more than/))
  })

  it.each(['file:///etc/hostname', 'ftp://127.0.0.1/', 'data:,3', 'not a url', 'http://'])(
    'does not fetch %s',
    async (address) => {
      expect(await url(address)).toMatchObject({ kind: 'unreadable' })
    },
  )
})
