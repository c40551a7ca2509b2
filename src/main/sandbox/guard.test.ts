import { expect, it, onTestFinished } from 'vitest'
import { guarded, guardOf } from './guard.ts'
import { containedWorld, meansHere } from './testing/contained-world.ts'

const means = await meansHere()
const start = { command: ['/bin/true'], directory: '/', env: { PERL5OPT: '-w' } }

it('has no guard if nothing can be blocked', () => {
  expect(guardOf('/usr/bin/perl', false, 'riscv64')).toBeNull()
  expect(guardOf('/usr/bin/perl', true, 'riscv64')).toEqual({ perl: '/usr/bin/perl', isScoped: true })
  expect(guardOf('/usr/bin/perl', false, 'x64')).toEqual({ perl: '/usr/bin/perl', isScoped: false })
})

it("keeps a start's command and environment without a guard", () => {
  const { arch } = process
  onTestFinished(() => void Object.defineProperty(process, 'arch', { value: arch }))
  Object.defineProperty(process, 'arch', { value: 'riscv64' })
  expect(guarded(start, { perl: '/usr/bin/perl', isScoped: false })).toEqual(start)
})

it.each(means)('a perl variable does not break a start in %s, and reaches the program', async (_, found) => {
  const world = containedWorld(found)
  onTestFinished(() => world.remove())
  const env = {
    ...{ PERL5OPT: '-MNoSuchModule', PERL5LIB: world.data, PERL_SIGNALS: 'none', PERL_BADLANG: '1' },
    ...{ PERL_UNICODE: 'SA', PERL_EMPTY: '', LC_ALL: 'no_SUCH' },
  }
  for (const network of ['all', 'none'] as const) {
    const run = await world.run('env', { env, config: { network } })
    expect(run.failure).toBeNull()
    expect(run.stderr.text).not.toContain('perl')
    const seen = run.stdout.text.split('\n').filter((line) => /PERL|LC_ALL/.test(line))
    expect(seen.sort()).toEqual(
      Object.entries(env)
        .map(([name, value]) => `${name}=${value}`)
        .sort(),
    )
  }
})
