import { spawnSync } from 'node:child_process'
import { expect, it, onTestFinished } from 'vitest'
import { BEGINNING } from '../process/contained-beginning.ts'
import { guarded, guardOf } from './guard.ts'
import { containedWorld, meansHere } from './testing/contained-world.ts'

const means = await meansHere()

it('has no guard if nothing can be blocked', () => {
  expect(guardOf('/usr/bin/perl', false, 'riscv64')).toBeNull()
  expect(guardOf('/usr/bin/perl', true, 'riscv64')).toEqual({ perl: '/usr/bin/perl', isScoped: true })
  expect(guardOf('/usr/bin/perl', false, 'x64')).toEqual({ perl: '/usr/bin/perl', isScoped: false })
})

it('begins, with its environment, where nothing can be blocked', () => {
  const { arch } = process
  onTestFinished(() => void Object.defineProperty(process, 'arch', { value: arch }))
  Object.defineProperty(process, 'arch', { value: 'riscv64' })
  const start = { command: ['/usr/bin/env'], directory: '/', env: { PERL5OPT: '-MNoSuchModule' } }
  const { command, env } = guarded(start, { perl: '/usr/bin/perl', isScoped: false })
  const [program = '', ...words] = command
  const { output } = spawnSync(program, words, {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  expect({ begun: output[BEGINNING], environment: output[1], errors: output[2] }).toEqual({
    begun: '\n',
    environment: 'PERL5OPT=-MNoSuchModule\n',
    errors: '',
  })
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
