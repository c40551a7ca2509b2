import { describe, expect, it } from 'vitest'
import { askPolicy, type ToolRequest } from './grants.ts'

const nothing: ToolRequest = { kind: 'other', command: null, paths: [], address: null }
const run = (command: string | null): ToolRequest => ({ ...nothing, kind: 'execute', command })
const edit = (...paths: readonly (string | null)[]): ToolRequest => ({
  ...nothing,
  kind: 'edit',
  paths: paths.map((inside) => ({ given: inside ?? '/etc/passwd', inside })),
})
const fetch = (address: string | null): ToolRequest => ({ ...nothing, kind: 'fetch', address })

const allowed = (request: ToolRequest, ...allow: readonly string[]): boolean =>
  askPolicy(request, allow, []).kind === 'allowed'
const denied = (request: ToolRequest, ...deny: readonly string[]): boolean =>
  askPolicy(request, [request.kind], deny).kind === 'denied'

describe('an entry of allow', () => {
  it.each([
    ['the command itself', 'npm test'],
    ['the command with more words', 'npm test --watch'],
    ['the command with a quoted word', 'npm test "a name"'],
    ['white space around it', '  npm test\t-u '],
  ])('execute:npm test allows %s', (_what, command) => {
    expect(allowed(run(command), 'execute:npm test')).toBe(true)
  })

  it.each([
    'npm test && rm -rf .',
    'npm test; rm -rf .',
    'npm test | sh',
    'npm test > /etc/passwd',
    'npm test $(rm -rf .)',
    'npm test `rm -rf .`',
    'npm test $HOME',
    'npm test\nrm -rf .',
    'npm test\r\nrm -rf .',
    'npm test\u2028rm -rf .',
    'npm test &',
    'npm test \\\nrm',
    'npm testing',
    'npm test-all',
    'npm',
    'rm -rf . && npm test',
    'xnpm test',
    '',
  ])('execute:npm test does not allow %j', (command) => {
    expect(allowed(run(command), 'execute:npm test')).toBe(false)
  })

  it('allows a line with shell operators by the very same text only', () => {
    const line = 'npm test && npm run lint'
    expect(allowed(run(line), `execute:${line}`)).toBe(true)
    expect(allowed(run(`${line} --fix`), `execute:${line}`)).toBe(false)
  })

  it('allows every command where it names none, also one that is not told', () => {
    expect(allowed(run('anything at all'), 'execute')).toBe(true)
    expect(allowed(run(null), 'execute')).toBe(true)
    expect(allowed(run(null), 'execute:npm test')).toBe(false)
  })

  it('is about its own kind of tool', () => {
    expect(allowed(run('npm test'), 'edit')).toBe(false)
    expect(allowed(edit('a.md'), 'execute', 'read', '')).toBe(false)
  })

  it('never allows a path outside the workspace', () => {
    expect(allowed(edit(null), 'edit')).toBe(false)
    expect(allowed(edit('a.md', null), 'edit')).toBe(false)
    expect(askPolicy(edit(null), ['edit'], [])).toEqual({ kind: 'open', grant: null })
  })

  it.each([
    ['docs', true],
    ['docs/', true],
    ['./docs', true],
    ['docs/a.md', true],
    ['doc', false],
    ['docs/a', false],
    ['.', true],
  ])('edit:%s and docs/a.md: %s', (target, isAllowed) => {
    expect(allowed(edit('docs/a.md'), `edit:${target}`)).toBe(isAllowed)
  })

  it('with a path is about every path of the request, and about none that names none', () => {
    expect(allowed(edit('docs/a.md', 'src/a.ts'), 'edit:docs')).toBe(false)
    expect(allowed(edit(), 'edit:docs')).toBe(false)
    expect(allowed(edit(), 'edit')).toBe(true)
  })

  it.each([
    ['https://a.org/docs', true],
    ['https://a.org', true],
    ['https://a.org?q=1', true],
    ['https://a.org.evil.org/', false],
    ['https://a.org@evil.org/', false],
    ['https://a.org/docs/../../x', false],
    ['https://a.org/\\evil', false],
  ])('fetch:https://a.org and %s: %s', (address, isAllowed) => {
    expect(allowed(fetch(address), 'fetch:https://a.org')).toBe(isAllowed)
  })
})

describe('an entry of deny', () => {
  it('goes before allow, and says which it was', () => {
    expect(askPolicy(run('rm -rf .'), ['execute'], ['execute:rm'])).toEqual({
      kind: 'denied',
      entry: 'execute:rm',
    })
  })

  it.each(['rm -rf .', 'npm test && rm -rf .', '/bin/rm x', 'sudo rm x', 'sh -c "rm x"', 'a | xargs rm'])(
    'execute:rm denies %j',
    (command) => {
      expect(denied(run(command), 'execute:rm')).toBe(true)
    },
  )

  it.each(['npm test', 'rmdir x', 'firmware'])('execute:rm does not deny %j', (command) => {
    expect(denied(run(command), 'execute:rm')).toBe(false)
  })

  it('needs all of its words in a row', () => {
    expect(denied(run('git status && git push --force'), 'execute:git push')).toBe(true)
    expect(denied(run('git status'), 'execute:git push')).toBe(false)
  })

  it('meets one path of several', () => {
    expect(denied(edit('src/a.ts', 'secrets/key'), 'edit:secrets')).toBe(true)
    expect(denied(edit('src/a.ts'), 'edit:secrets')).toBe(false)
  })

  it('without a target denies its whole kind', () => {
    expect(denied(edit('a.md'), 'edit')).toBe(true)
    expect(denied(fetch('HTTPS://A.org/x'), 'fetch:https://a.org')).toBe(true)
  })
})

describe('what no entry is about', () => {
  it.each([
    [run('npm run build'), 'execute:npm run build'],
    [run('a\nb'), 'execute'],
    [run(null), 'execute'],
    [edit('a.md'), 'edit'],
    [fetch('https://a.org/b?c'), 'fetch:https://a.org'],
    [fetch('nonsense'), 'fetch:nonsense'],
    [nothing, 'other'],
  ])('%j names the entry that would allow it: %s', (request, grant) => {
    expect(askPolicy(request, [], [])).toEqual({ kind: 'open', grant })
  })

  it('is allowed by the entry it names', () => {
    for (const request of [run('npm run build'), run('a && b'), edit('a.md'), fetch('https://a.org/b')]) {
      const answer = askPolicy(request, [], [])
      if (answer.kind !== 'open' || answer.grant === null) throw new Error('expected a grant')
      expect(allowed(request, answer.grant)).toBe(true)
    }
  })
})
