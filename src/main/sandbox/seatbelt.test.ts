import { describe, expect, it } from 'vitest'
import { seatbeltCommand, seatbeltProfile } from './seatbelt.ts'

/* Tests the profile as text, because no machine that runs these tests can apply it. The last matching rule decides. */

const WORLD = { held: ['/Users/a/work/.git'], network: 'all' } as const

/** Returns what the profile's last matching rule says about an operation on a path. */
function decides(profile: string, operation: string, path: string): string | undefined {
  return profile
    .split('\n')
    .map((line) => /^\((allow|deny) ([^(]+?)(?: \((subpath|literal) "((?:[^"\\]|\\.)*)"\))?\)$/.exec(line))
    .filter((rule) => {
      const [, , operations = '', kind, place = ''] = rule ?? []
      if (rule === null) return false
      const fits = operations
        .split(' ')
        .some(
          (one) =>
            one === 'default' ||
            one === operation ||
            (one.endsWith('*') && operation.startsWith(one.slice(0, -1))),
        )
      const isThere =
        kind === undefined || path === place || (kind === 'subpath' && path.startsWith(`${place}/`))
      return fits && isThere
    })
    .at(-1)?.[1]
}

describe('the macOS profile', () => {
  const profile = seatbeltProfile(
    [
      { kind: 'empty', path: '/Users/a/.ssh' },
      { kind: 'writable', path: '/Users/a/work' },
      { kind: 'read-only', path: '/Users/a/.npmrc', source: '/tmp/redacted' },
      { kind: 'read-only', path: '/Users/a/work/.git/hooks' },
      { kind: 'blank', path: '/Users/a/.pulseward' },
    ],
    WORLD,
  )

  it.each([
    ['allows reading system files', 'file-read-data', '/usr/bin/git', 'allow'],
    ['writes nowhere by default', 'file-write-data', '/Users/a/.zshrc', 'deny'],
    ['allows creating files in the workspace', 'file-write-create', '/Users/a/work/src/a.ts', 'allow'],
    ['denies planting hooks', 'file-write-create', '/Users/a/work/.git/hooks/pre-commit', 'deny'],
    ['allows reading hooks', 'file-read-data', '/Users/a/work/.git/hooks/x', 'allow'],
    ['denies moving the repository away', 'file-write-unlink', '/Users/a/work/.git', 'deny'],
    [
      'allows deleting files in the repository',
      'file-write-unlink',
      '/Users/a/work/.git/index.lock',
      'allow',
    ],
    ['denies reading keys', 'file-read-data', '/Users/a/.ssh/id_ed25519', 'deny'],
    ['denies reading Pulseward’s data', 'file-read-data', '/Users/a/.pulseward', 'deny'],
    ['denies reading settings that need redaction', 'file-read-data', '/Users/a/.npmrc', 'deny'],
  ])('%s', (_what, operation, path, answer) => expect(decides(profile, operation, path)).toBe(answer))

  it('prevents signaling, inspecting and commanding others', () => {
    for (const rule of [
      '(deny signal (target others))',
      '(deny process-info* (target others))',
      '(deny appleevent-send)',
    ])
      expect(profile).toContain(rule)
  })

  it('cuts the network, or leaves only this machine and the proxy', () => {
    const network = (one: Parameters<typeof seatbeltProfile>[1]['network']) =>
      seatbeltProfile([], { held: [], network: one })
    expect(network('all')).not.toContain('network')
    expect(network('none')).toMatch(/\(deny network\*\)$/)
    expect(network({ socket: '/tmp/p', hosts: [] })).toMatch(
      /\(deny network\*\)\n.*localhost[\s\S]*\(allow network-outbound \(remote unix-socket \(path-literal "\/tmp\/p"\)\)\)$/,
    )
  })

  it('does not interpret a name as a rule', () => {
    const odd = seatbeltProfile([{ kind: 'empty', path: '/a") (allow default) ("\\' }], WORLD)
    expect(odd).toContain('(subpath "/a\\") (allow default) (\\"\\\\")')
  })

  it('is passed to the system’s program, before the program itself', () => {
    const [program, flag, text, ...rest] = seatbeltCommand({ command: ['/bin/echo', 'a b'] }, [], WORLD)
    expect([program, flag]).toEqual(['/usr/bin/sandbox-exec', '-p'])
    expect(text).toMatch(/^\(version 1\)\n\(allow default\)\n\(deny file-write\*\)/)
    expect(rest.slice(-2)).toEqual(['/bin/echo', 'a b'])
  })
})
