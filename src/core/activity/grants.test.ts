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
  it('allows only the command it names', () => {
    expect(allowed(run(' npm test '), 'execute:npm test')).toBe(true)
    expect(allowed(run('npm test --watch'), 'execute:npm test')).toBe(false)
  })

  it.each(['npm test', 'npm test --watch', 'npm test "a name"', ' npm test\t-u '])(
    'that ends with * allows more words: %j',
    (command) => {
      expect(allowed(run(command), 'execute:npm test *')).toBe(true)
    },
  )

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
  ])('for npm test does not allow %j', (command) => {
    expect(allowed(run(command), 'execute:npm test *', 'execute:npm test')).toBe(false)
  })

  it('allows a line with shell operators only verbatim', () => {
    const line = 'npm test && npm run lint'
    expect(allowed(run(line), `execute:${line}`)).toBe(true)
    expect(allowed(run(`${line} --fix`), `execute:${line}`, `execute:${line} *`)).toBe(false)
    expect(allowed(run(line), 'execute:*')).toBe(false)
  })

  it('allows every command if it names none, even an unreported one', () => {
    expect(allowed(run('anything && all'), 'execute')).toBe(true)
    expect(allowed(run(null), 'execute')).toBe(true)
    expect(allowed(run(null), 'execute:npm test')).toBe(false)
  })

  it('applies only to its own kind of tool, and an invalid entry to none', () => {
    expect(allowed(run('npm test'), 'edit')).toBe(false)
    expect(allowed(edit('a.md'), 'execute', 'read', '', 'edit:', 'Edit', 'edits')).toBe(false)
  })

  it('for edit also applies to deleting and moving', () => {
    for (const kind of ['edit', 'delete', 'move'] as const)
      expect(allowed({ ...edit('a.md'), kind }, 'edit')).toBe(true)
    expect(allowed({ ...edit('a.md'), kind: 'read' }, 'edit')).toBe(false)
    expect(allowed(edit('a.md'), 'delete')).toBe(false)
  })

  it('never allows a path outside the workspace', () => {
    expect(allowed(edit(null), 'edit')).toBe(false)
    expect(allowed(edit('a.md', null), 'edit', 'edit:**')).toBe(false)
    expect(allowed({ ...edit(null), kind: 'execute', command: 'ls' }, 'execute')).toBe(false)
    expect(askPolicy(edit(null), ['edit'], [])).toEqual({ kind: 'open', grant: null })
  })

  it.each([
    ['docs', true],
    ['docs/', true],
    ['./docs', true],
    ['docs/a.md', true],
    ['docs/*.md', true],
    ['docs/?.md', true],
    ['docs/**', true],
    ['**/*.md', true],
    ['**', true],
    ['.', true],
    ['doc', false],
    ['docs/a', false],
    ['docs/a?md', true],
    ['docsxa.md', false],
    ['*.md', false],
  ])('edit:%s and docs/a.md: %s', (target, isAllowed) => {
    expect(allowed(edit('docs/a.md'), `edit:${target}`)).toBe(isAllowed)
  })

  it('matches special characters of regular expressions literally', () => {
    expect(allowed(edit('a+b.(md'), 'edit:a+b.(md')).toBe(true)
    expect(allowed(edit('aabxxmd'), 'edit:a+b.(md')).toBe(false)
  })

  it('with a path must match every path of the request, and never matches a request without paths', () => {
    expect(allowed(edit('docs/a.md', 'src/a.ts'), 'edit:docs')).toBe(false)
    expect(allowed(edit(), 'edit:docs')).toBe(false)
    expect(allowed(edit(), 'edit')).toBe(true)
  })

  it.each([
    ['https://a.org/docs', true],
    ['http://A.org:8080?q=1', true],
    ['https://user@a.org/', true],
    ['https://a.org.evil.org/', false],
    ['https://a.org@evil.org/', false],
    ['https://evil.org/a.org', false],
    ['https://evil.org\\@a.org/', false],
    ['file:///a.org', false],
    [null, false],
  ])('fetch:a.org and %s: %s', (address, isAllowed) => {
    expect(allowed(fetch(address), 'fetch:a.org')).toBe(isAllowed)
  })
})

describe('an entry of deny', () => {
  it('takes precedence over allow, and says which entry it was', () => {
    expect(askPolicy(run('rm -rf .'), ['execute'], ['execute:rm'])).toEqual({
      kind: 'denied',
      entry: 'execute:rm',
    })
  })

  it.each(['rm -rf .', 'npm test && rm -rf .', '/bin/rm x', 'sudo rm x', 'sh -c "rm x"', 'a | xargs rm'])(
    'execute:rm denies %j',
    (command) => {
      expect(denied(run(command), 'execute:rm')).toBe(true)
      expect(denied(run(command), 'execute:rm *')).toBe(true)
    },
  )

  it.each(['npm test', 'rmdir x', 'firmware'])('execute:rm does not deny %j', (command) => {
    expect(denied(run(command), 'execute:rm')).toBe(false)
  })

  it.each([
    ['execute:./deploy.sh', './deploy.sh --prod'],
    ['execute:./deploy.sh *', 'sh deploy.sh'],
    ['execute:./deploy.sh', 'cd x && /work/project/deploy.sh'],
    ['execute:scripts/deploy.sh', 'bash ./scripts/deploy.sh'],
    ['execute:/bin/rm', 'sudo /bin/rm x'],
    ['execute:/bin/rm', 'rm x'],
    ['execute:rm', String.raw`\rm x`],
    ['execute:rm', 'r"m" x'],
  ])('%s denies %j', (entry, command) => {
    expect(denied(run(command), entry)).toBe(true)
  })

  it.each([
    ['execute:./deploy.sh', './deploy.sh.md'],
    ['execute:./deploy.sh', './predeploy.sh'],
    ['execute:scripts/deploy.sh', 'docs/deploy.sh'],
    ['execute:/bin/rm', '/opt/rm x'],
    ['execute:/bin/rm', 'ls /'],
  ])('%s does not deny %j', (entry, command) => {
    expect(denied(run(command), entry)).toBe(false)
  })

  it('requires all of its words in a row', () => {
    expect(denied(run('git status && git push --force'), 'execute:git push')).toBe(true)
    expect(denied(run('git status'), 'execute:git push')).toBe(false)
  })

  it('matches if one of several paths does', () => {
    expect(denied(edit('src/a.ts', 'secrets/key'), 'edit:secrets')).toBe(true)
    expect(denied({ ...edit('secrets/key'), kind: 'delete' }, 'edit:secrets')).toBe(true)
    expect(denied(edit('src/a.ts'), 'edit:secrets')).toBe(false)
  })

  it('without a target denies its whole kind', () => {
    expect(denied(edit('a.md'), 'edit')).toBe(true)
    expect(denied(fetch('HTTPS://A.org/x'), 'fetch:a.org')).toBe(true)
    expect(denied(fetch('https://a.org./x'), 'fetch:a.org')).toBe(true)
  })
})

describe('a request that no entry matches', () => {
  it.each([
    [run('npm run build'), 'execute:npm run build'],
    [run('a\nb'), 'execute'],
    [run('x'.repeat(1000)), 'execute'],
    [run(null), 'execute'],
    [edit('a.md'), 'edit'],
    [{ ...edit('a.md'), kind: 'delete' as const }, 'edit'],
    [fetch('https://a.org/b?c'), 'fetch:a.org'],
    [fetch('nonsense'), 'fetch'],
    [nothing, 'other'],
  ])('%j names the entry that would allow it: %s', (request, grant) => {
    expect(askPolicy(request, [], [])).toEqual({ kind: 'open', grant })
    expect(allowed(request, grant)).toBe(true)
  })
})
