import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../host/system-clock.ts'
import type { ContainmentPolicy } from '../ports/containment.ts'
import { type ProcessRun, runProcess } from '../process/run-process.ts'
import { createContainment } from './contained-start.ts'
import { tryMeans } from './find-means.ts'
import type { FoundMeans } from './means.ts'

type ByUnshare = Extract<FoundMeans, { means: 'unshare' }>

const { found } = await tryMeans(process.env, ['unshare'])
const byPerl = found?.means === 'unshare' && found.tools.perl !== null ? found : null

it.skipIf(byPerl !== null)('has perl and util-linux to build root folders', ({ skip }) => {
  skip('they are not here: what makes root folders by them was not tested')
})

describe.skipIf(byPerl === null)('the root folder that perl builds', () => {
  const perl = byPerl as ByUnshare
  const shell: ByUnshare = { ...perl, tools: { ...perl.tools, perl: null } }
  let root: string

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'pulseward-unshare-')))
    for (const name of ['work/kept', 'cache', 'hidden/shown', 'hidden/other', 'it is: 1,000 €'])
      mkdirSync(join(root, name), { recursive: true })
    for (const name of [
      'secret',
      'work/kept/a',
      'cache/a',
      'hidden/shown/a',
      'hidden/other/a',
      'hidden/file',
    ])
      writeFileSync(join(root, name), name)
  })

  afterEach(() => rmSync(root, { recursive: true, force: true }))

  const at = (...names: string[]): string[] => names.map((name) => join(root, name))

  const policyOf = (some: Partial<ContainmentPolicy>): ContainmentPolicy => ({
    ...{ writable: at('work'), layered: [], readable: [], held: [], hidden: [], redacted: [], neverSeen: [] },
    network: 'all',
    ...some,
  })

  const run = (
    means: ByUnshare,
    policy: ContainmentPolicy,
    command: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<ProcessRun> =>
    runProcess({
      command,
      directory: policy.writable[0] ?? '/',
      env,
      containment: createContainment(means, policy),
      stdin: null,
      timeoutMs: 30_000,
      signal: new AbortController().signal,
      maxBytes: 1024 * 1024,
      clock: systemClock,
      killGraceMs: 2000,
    })

  async function sees(means: ByUnshare, script: string, network: 'all' | 'none' = 'all'): Promise<string> {
    const policy = policyOf({
      writable: at('work', 'it is: 1,000 €'),
      layered: at('cache'),
      readable: at('work/kept', 'hidden/shown', 'hidden/file'),
      hidden: at('hidden'),
      neverSeen: at('secret'),
      network,
    })
    const { failure, stdout, stderr } = await run(means, policy, ['/bin/sh', '-c', script])
    expect(failure).toBeNull()
    return `${stdout.text}${stderr.text}`
  }

  /** Returns the mounts with their sources and options, without mount and device numbers, which vary. */
  async function mountedIn(means: ByUnshare, network: 'all' | 'none'): Promise<readonly string[]> {
    const lines = (await sees(means, "cut -d' ' -f 4- /proc/self/mountinfo", network)).trim().split('\n')
    const places = lines.map((line) => line.split(' ')[1] ?? '')
    const isCovered = (place: string, at: number): boolean =>
      places.some((other, later) => later > at && (other === place || place.startsWith(`${other}/`)))
    return lines.filter((_, at) => !isCovered(places[at] ?? '', at))
  }

  it.each(['all', 'none'] as const)(
    'equals the one that a shell builds mount by mount, with network "%s"',
    async (network) => {
      const mounted = await mountedIn(perl, network)
      expect(mounted.length).toBeGreaterThan(20)
      expect(mounted).toEqual(await mountedIn(shell, network))
    },
  )

  it('shows, hides and accepts writes as the policy says, with either', async () => {
    const script = `cd ..; cat cache/a hidden/shown/a hidden/file secret; ls hidden
      for f in work/b cache/b hidden/b hidden/shown/b work/kept/b 'it is: 1,000 €/b'; do (echo x > "$f") 2>/dev/null && echo "wrote $f"; done
      ls /dev; stat -c '%a %F' /dev/shm /tmp /proc/sys; id -u; grep -E '^(Cap|NoNew)' /proc/self/status`
    const one = await sees(perl, script)
    expect(one).toBe(await sees(shell, script))
    expect(one).toMatch(
      /^cache\/ahidden\/shown\/ahidden\/filefile\nshown\nwrote work\/b\nwrote cache\/b\nwrote it is: 1,000 €\/b\n/,
    )
    expect(one).toMatch(/CapEff:\s0+\n/)
  })

  const { guard: _, ...unguarded } = perl ?? {}

  it.each([
    ['guards the program', perl],
    ['guards nothing', unguarded as ByUnshare],
  ])('is built by a perl that ignores the workspace when it %s', async (__, means) => {
    const mark = join(root, 'obeyed')
    writeFileSync(join(root, 'work/Agents.pm'), `open(my $mark, '>', '${mark}'); 1;`)
    const env = { PERL5OPT: '-MAgents', PERL5LIB: join(root, 'work'), PERL_BADLANG: '' }
    const { failure, stdout, stderr } = await run(
      means,
      policyOf({}),
      ['/bin/sh', '-c', 'env | grep PERL | sort; echo "$#"', 'sh', 'a b', ''],
      env,
    )
    expect(failure).toBeNull()
    expect(existsSync(mark)).toBe(false)
    // The program gets them: its own perl is sandboxed, and this is the operator's choice.
    expect(stdout.text).toBe(`PERL5LIB=${env.PERL5LIB}\nPERL5OPT=-MAgents\nPERL_BADLANG=\n2\n`)
    expect(stderr.text).toBe('')
  })

  it('starts no program if a path cannot be mounted, and says which path', async () => {
    const gone = { ...perl, tools: { ...perl.tools, perl: join(root, 'perl') } }
    // Removes a folder between planning and mounting, as an agent could.
    writeFileSync(
      gone.tools.perl,
      `#!/bin/sh\nrm -rf '${join(root, 'work')}'\nexec '${perl.tools.perl}' "$@"\n`,
      { mode: 0o755 },
    )
    const { stdout, failure } = await run(gone, policyOf({}), ['/bin/echo', 'begun'])
    expect(stdout.text).toBe('')
    expect(failure).toMatchObject({
      kind: 'not-contained',
      message: expect.stringContaining(join(root, 'work')),
    })
  })
})
