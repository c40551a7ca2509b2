import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonValue } from '../../core/claims/types.ts'
import type { ExpressionResult, ProbeReading } from '../../core/verification/types.ts'
import { evaluateExpression } from './expression.ts'
import {
  createTemporaryWorkspace,
  type TemporaryWorkspace,
  untilTheEnd,
} from './testing/temporary-workspace.ts'

let workspace: TemporaryWorkspace
beforeAll(async () => {
  workspace = await createTemporaryWorkspace()
  await workspace.write('notes/inbox.md', 'one\ntwo\nthree')
  await workspace.write('notes/ended.md', 'one\ntwo\n')
  await workspace.write('empty', '')
  await workspace.write(
    'report.json',
    '{"n": 3, "share": 0.5, "items": [{"ok": true}, {"ok": false}], "name": "x"}',
  )
  await workspace.write('broken.json', '{"n": ')
  await workspace.write('marked.json', '\uFEFF{"n": 3}')
  await workspace.write('big', Buffer.alloc(17 * 1024 * 1024))
  await workspace.script('pass', 'echo ran >> ran.log; exit 0')
  await workspace.script('fail', 'exit 3')
  await workspace.script('arguments', '[ "$1" = "two words" ] && [ $# = 1 ]')
  await workspace.script('hang', 'sleep 60')
  await mkdir(join(workspace.directory, 'folder'))
  await symlink('/etc', join(workspace.directory, 'outside'))
  await symlink('notes/inbox.md', join(workspace.directory, 'inside'))
  await symlink('nowhere', join(workspace.directory, 'dangling'))
  await symlink('notes', join(workspace.directory, 'by-link'))
  await mkdir(join(workspace.directory, 'deep'))
  await symlink('../by-link', join(workspace.directory, 'deep/twice'))
  await symlink(join(workspace.directory, 'notes'), join(workspace.directory, 'absolute'))
  await symlink('notes', join(workspace.directory, 'of-its-own'))
  await symlink('of-its-own', join(workspace.directory, 'to-its-own'))
  await symlink('round', join(workspace.directory, 'round'))
})
afterAll(() => workspace.remove())

const PROBES: Readonly<Record<string, JsonValue>> = {
  email_count: 3,
  zero: 0,
  ratio: 0.75,
  exit: 0,
  big: 9_007_199_254_740_994,
  huge: 1e300,
  build: 'green',
  digits: '3',
  flag: true,
  nothing: null,
  tests: { passed: 11, total: 12, seconds: 1.5, names: ['a', 'b'], suites: [{ ok: true }, { ok: true }] },
}
const READINGS: readonly ProbeReading[] = [
  ...Object.entries(PROBES).map(([name, value]) => ({ kind: 'value' as const, name, value })),
  {
    kind: 'unreadable',
    name: 'slow',
    reason: 'it had not ended after 30 s and was stopped',
    configured: true,
    fault: 'environment',
  },
  { kind: 'unreadable', name: 'wrong', reason: 'it exited with 1', configured: true },
  { kind: 'unreadable', name: 'ghost', reason: 'there is no probe ghost', configured: false },
]

const OPERATORS = ['HEARTBEAT.md', 'pulseward.toml', 'sub/HEARTBEAT.md']

/** A glob can take forever to find that it doesn't match this. */
const LONG = `long/${'a'.repeat(60)}b`

function evaluate(source: string, signal = untilTheEnd()): Promise<ExpressionResult> {
  return evaluateExpression({
    source,
    readings: READINGS,
    changedPaths: [
      'notes/inbox.md',
      'of-its-own',
      'src/a.ts',
      '.github/ci.yml',
      'app/[id]/page.tsx',
      'app/(main)/a.tsx',
      'menu/café.md',
      LONG,
      ...OPERATORS,
    ],
    world: workspace.world,
    approvedCommands: [
      './pass',
      './fail',
      ' ./arguments "two words"',
      './hang',
      'no-such-program',
      './pass | cat',
      './pass "',
    ],
    commandTimeoutMs: 1000,
    signal,
  })
}

describe('an expression over probes', () => {
  it.each([
    'email_count > 0',
    'email_count == 3',
    'email_count == 3.0',
    'email_count >= 2.5',
    'email_count != 4',
    'email_count in [1, 2, 3]',
    '1.5 < email_count',
    'email_count + 1 == 4',
    'email_count + 0.5 == 3.5',
    '0.5 + email_count > 3',
    'email_count - 5 == -2',
    'email_count * ratio > 2',
    'email_count + ratio == 3.75',
    'email_count == 3.0 && 3.0 == email_count && email_count != ratio',
    'size(tests.names) == 2.0 && tests.names.size() * 0.5 == 1',
    'ratio * 100 >= 75',
    'ratio * 100 == 75.0',
    'email_count / 2 == 1',
    'double(email_count) / 2.0 == 1.5',
    'email_count / 2.0 == 1.5',
    'email_count % 2 == 1',
    '-email_count < 0',
    'zero == 0 && exit == 0',
    'big > 9007199254740000',
    'huge > 1.0',
    'tests.passed < tests.total',
    'tests.passed + 1 == tests.total',
    'tests["passed"] == 11',
    'tests.seconds < 2',
    'tests.seconds * 2 == 3.0',
    'double(tests.passed) / double(tests.total) > 0.9',
    'size(tests.names) == 2',
    'tests.names.size() == email_count - 1',
    'tests.names[0] == "a"',
    'tests.names[email_count - 2] == "b"',
    '"b" in tests.names',
    'tests.suites.all(suite, suite.ok)',
    'has(tests.passed) && !has(tests.skipped)',
    'build == "green"',
    'build.startsWith("gr") && build.matches("^g.*n$")',
    'int(digits) == 3',
    'flag',
    '!flag == false',
    'nothing == null',
    'flag ? email_count == 3 : false',
    'email_count == 3 || ghost > 1',
    'ghost > 1 || email_count == 3',
    'slow > 1 || flag',
  ])('%s is true', async (source) => {
    expect(await evaluate(source)).toMatchObject({ kind: 'value', holds: true })
  })

  it.each([
    'email_count > 3',
    'email_count == "3"',
    'digits == 3',
    'tests.passed == tests.total',
    'tests.suites.exists(suite, !suite.ok)',
    'build == "red"',
    'flag && zero > 0',
    'zero > 0 && ghost > 1',
  ])('%s is false', async (source) => {
    expect(await evaluate(source)).toEqual({ kind: 'value', holds: false })
  })

  it.each<[string, 'contract' | 'environment', RegExp]>([
    ['ghost > 1', 'contract', /there is no probe ghost/],
    ['never_read > 1', 'contract', /there is no probe never_read/],
    ['wrong > 1', 'contract', /the probe wrong could not be read: it exited with 1/],
    ['slow > 1', 'environment', /the probe slow could not be read: it had not ended/],
    ['flag && slow > 1', 'environment', /slow/],
    ['email_count', 'contract', /not true or false/],
    ['"text"', 'contract', /not true or false/],
    ['build > 1', 'contract', /no such overload/],
    ['tests.skipped == 0', 'contract', /No such key: skipped/],
    ['tests.constructor == 0', 'contract', /constructor/],
    ['email_count / zero > 1', 'contract', /division by zero/],
    ['nope("x")', 'contract', /nope/],
    ['email_count >', 'contract', /Unexpected token/],
    ['build.matches("(")', 'contract', /./],
    ['', 'contract', /./],
  ])('%j is an error of the %s', async (source, fault, reason) => {
    expect(await evaluate(source)).toEqual({ kind: 'error', fault, reason: expect.stringMatching(reason) })
  })

  it.each([
    `"${'a'.repeat(40)}b".matches("^(a+)+$")`,
    'exists("x") || changed("long/*(a*)*(a*)c")',
    `[${Array(300).fill(1).join()}].all(a, [${Array(300).fill(1).join()}].all(b, [${Array(300).fill(1).join()}].all(c, a + b + c > 0)))`,
  ])('is stopped after a second: %.40s', async (source) => {
    expect(await evaluate(source)).toEqual({
      kind: 'error',
      fault: 'contract',
      reason: expect.stringMatching(/took more than 1000 ms/),
    })
  })
})

describe('the functions of an expression', () => {
  it.each([
    'exists("notes/inbox.md")',
    'exists("./notes/../notes/inbox.md")',
    'exists("folder")',
    'exists("inside")',
    '!exists("missing.md") && !exists("missing/file.md") && !exists("dangling/x") && !exists("notes/inbox.md/x")',
    'contains("notes/inbox.md", "two")',
    '!contains("notes/inbox.md", "four") && !contains("missing.md", "x")',
    'lines("notes/inbox.md") == 3',
    'lines("notes/ended.md") == 2',
    'lines("empty") == 0 && lines("missing.md") == 0',
    'lines("notes/inbox.md") == email_count',
    'lines("notes/inbox.md") > ratio',
    'json("marked.json").n == 3',
    'json("report.json").n == email_count',
    'json("report.json").n + 1 == 4 && json("report.json").share < 1',
    'json("report.json").items.exists(item, item.ok)',
    'json("missing.json") == null && json("broken.json") == null',
    'changed("notes/*.md")',
    'changed("./notes/inbox.md")',
    'changed("notes") && changed("notes/") && changed("src/**")',
    'changed("**/*.ts") && changed("**/*.yml") && changed("*.{md,ts}") == false',
    'changed("app/[id]/page.tsx") && changed("app/[id]/*.tsx") && !changed("app/[name]/*.tsx")',
    'changed("app/(main)/*.tsx") && changed("app/(main)") && !changed("app/(other)/*.tsx")',
    'changed("menu/cafe\u0301.md")',
    '!changed("docs/**") && !changed("inbox.md")',
    'changed("HEARTBEAT.md") && changed("./pulseward.toml")',
    '!changed("*.md") && !changed("*.toml") && !changed("{HEARTBEAT,README}.md")',
    'changed("sub/*.md")',
    // Behind a link that existed before, it is the same file.
    'changed("by-link/inbox.md") && changed("by-link/*.md") && changed("by-link") && changed("inside")',
    'changed("deep/twice/inbox.md") && changed("deep/../by-link/inbox.md") && changed("absolute/inbox.md")',
    '!changed("by-link/ended.md") && !changed("by-link/*.ts") && !changed("by-link/none.md")',
    // Behind a link of the attempt's, it could be any file.
    'changed("of-its-own") && !changed("of-its-own/inbox.md") && !changed("to-its-own/inbox.md")',
    '!changed("outside/hostname") && !changed("dangling/inbox.md") && !changed("round/inbox.md")',
    'succeeds("./pass")',
    '!succeeds("./fail")',
    'succeeds(" ./arguments \\"two words\\" ")',
    '["notes/inbox.md", "empty"].all(path, exists(path))',
    'exists("notes/" + "inbox.md")',
    'flag || succeeds("./hang")',
    'succeeds("not approved") || flag',
  ])('%s is true', async (source) => {
    expect(await evaluate(source)).toMatchObject({ kind: 'value', holds: true })
  })

  it.each([
    'json("missing.json").n > 0',
    'json("broken.json").n > 0',
    'flag && json("missing.json").items.all(item, item.ok)',
  ])('%s is false because there is no such JSON', async (source) => {
    expect(await evaluate(source)).toEqual({ kind: 'value', holds: false })
  })

  it.each([
    'exists("outside/hostname")',
    'contains("outside/hostname", "")',
    'lines("outside/hostname") > 0',
  ])('%s is false: a link out of the repository leads to nothing', async (source) => {
    expect(await evaluate(source)).toEqual({ kind: 'value', holds: false, links: ['outside/hostname'] })
  })

  it.each(['exists("dangling")', '!exists("dangling")', 'exists("outside")', '!exists("outside")'])(
    '%s is false: the link is neither the file nor its absence',
    async (source) => {
      expect(await evaluate(source)).toMatchObject({ kind: 'value', holds: false })
    },
  )

  it('an expression that is true whatever a link leads to is true', async () => {
    expect(await evaluate('exists("outside") || exists("notes/inbox.md")')).toEqual({
      kind: 'value',
      holds: true,
    })
  })

  it.each<[string, 'contract' | 'environment', RegExp]>([
    ['exists("../x")', 'contract', /leads out of the workspace/],
    ['exists("/etc/hostname")', 'contract', /leads out of the workspace/],
    ['lines("folder") == 0', 'contract', /folder cannot be read/],
    ['lines("big") > 0', 'contract', /larger than/],
    ['exists("a\\u0000b")', 'contract', /NUL/],
    ['!exists("outside/hostname")', 'contract', /leads out of the repository through a link/],
    ['!contains("outside/hostname", "x")', 'contract', /leads out of the repository through a link/],
    ['lines("outside/hostname") == 0', 'contract', /leads out of the repository through a link/],
    ['exists(3)', 'contract', /exists/],
    ['changed("")', 'contract', /needs a glob/],
    ['json("report.json").missing == 1', 'contract', /No such key/],
    [
      'succeeds("rm -rf notes")',
      'contract',
      /"rm -rf notes" is not approved. Add it to \[verification\] commands/,
    ],
    ['succeeds("./pass; ./fail")', 'contract', /not approved/],
    ['succeeds("./pass | cat")', 'contract', /needs a shell/],
    ['succeeds("./pass \\"")', 'contract', /needs a shell/],
  ])('%s is an error of the %s', async (source, fault, reason) => {
    expect(await evaluate(source)).toEqual({ kind: 'error', fault, reason: expect.stringMatching(reason) })
  })

  it.each([
    ['no-such-program', /not found on PATH/],
    ['./hang', /not ended after 1 s/],
  ])('succeeds("%s") is an environment error that names the command', async (command, reason) => {
    expect(await evaluate(`succeeds("${command}")`)).toEqual({
      kind: 'error',
      fault: 'environment',
      reason: expect.stringMatching(reason),
      command,
    })
  })

  it('runs a command once, however often it is named', async () => {
    await workspace.write('ran.log', '')
    expect(await evaluate('succeeds("./pass") && succeeds("./pass") && lines("ran.log") == 1')).toMatchObject(
      {
        kind: 'value',
        holds: true,
      },
    )
  })

  it('does not run a command that the outcome does not depend on', async () => {
    await workspace.write('ran.log', '')
    expect(await evaluate('!(exists("missing") && succeeds("./pass")) && lines("ran.log") == 0')).toEqual({
      kind: 'value',
      holds: true,
    })
  })

  it('stops with the supervisor', async () => {
    const stop = new AbortController()
    const result = evaluate('succeeds("./hang")', stop.signal)
    stop.abort()
    expect(await result).toEqual({
      kind: 'error',
      fault: 'environment',
      reason: expect.stringMatching(/stopped with the supervisor/),
    })
  })
})
