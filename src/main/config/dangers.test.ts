import { describe, expect, it } from 'vitest'
import { dangersOf, dangersOfAddress, dangersOfEnvironment, dangersOfFile } from './dangers.ts'

describe('the dangers of a command', () => {
  it.each([
    [
      ['claude', '-p', '--dangerously-skip-permissions'],
      /--dangerously-skip-permissions the agent does anything/,
    ],
    [['claude', '-p', '--permission-mode', 'bypassPermissions'], /--permission-mode the agent/],
    [['claude', '--permission-mode=bypassPermissions'], /bypassPermissions the agent/],
    [['codex', 'exec', '--dangerously-bypass-approvals-and-sandbox', '-'], /bypass/],
    [['codex', 'exec', '-s', 'danger-full-access', '-'], /-s the agent/],
    [['gemini', '--yolo'], /--yolo/],
    [['gemini', '-y'], /-y the agent/],
    [['copilot', '--allow-all-tools'], /--allow-all-tools/],
    [['sh', '-c', 'rm -rf x'], /shell/],
    [['/bin/bash', '-lc', 'x'], /shell/],
    [['cmd.exe', '/c', 'x'], /shell/],
    [['C:\\Windows\\pwsh.exe', '-Command', 'x'], /shell/],
    [['env', 'A=b', 'sh', '-c', 'x'], /shell/],
    [['node', '-e', 'x'], /code written into the command/],
    [['python3', '-c', 'x'], /code written into the command/],
    [['python3.12', '-c', 'x'], /code written into the command/],
    [['node', '--eval=x'], /code written into the command/],
    [['npx', 'some-tool'], /download/],
    [['npm', 'exec', 'some-tool'], /download/],
    [['pnpm', 'dlx', 'some-tool'], /download/],
    [['yarn', 'dlx', 'some-tool'], /download/],
    [['./sync', '--to=https://example.com/x'], /network address: --to=https:\/\/example\.com\/x/],
    [['curl', 'https://example.com/x'], /network address: https:\/\/example\.com\/x/],
    [['./run\u202ehs.tset'], /shown as \\u\{…\}/],
    [['np\u200bm', 'test'], /are invisible/],
    [['sudo', 'make'], /rights of another user/],
  ])('reports %j', (command, expected) => {
    expect(dangersOf(command)).toEqual([expect.stringMatching(expected)])
  })

  it.each([
    [['claude', '-p', '--permission-mode', 'acceptEdits']],
    [['codex', 'exec', '--json', '-s', 'workspace-write', '-']],
    [['npm', 'test']],
    [['pnpm', 'exec', 'vitest']],
    [['node', '--test', 'x.js']],
    [['vitest', '--project=unit', 'a/b']],
    [['pr\u00fcfe', '\u0627\u062e\u062a\u0628\u0631', 'two\nlines\tand tabs']],
    [['grep', '-c', 'x', 'file']],
    [['sh', 'check.sh']],
    [['bash', '-e', 'check.sh']],
    [['tar', '-y']],
    [[]],
  ])('reports nothing for %j', (command) => {
    expect(dangersOf(command)).toEqual([])
  })

  it('reports several dangers separately', () => {
    expect(dangersOf(['sudo', 'bash', '-c', 'claude --yolo'])).toHaveLength(2)
  })
})

it('reports an address on another machine, and that it is not encrypted', () => {
  expect(dangersOfAddress('http://127.0.0.1:8080/health')).toEqual([])
  expect(dangersOfAddress('https://example.com/x')).toEqual([
    expect.stringContaining('asks example.com over the network'),
  ])
  expect(dangersOfAddress('http://example.com/x')).toEqual([expect.stringContaining('not encrypted')])
})

it('reports a file outside the folder', () => {
  expect(dangersOfFile('notes/today.md')).toEqual([])
  for (const path of ['/etc/passwd', '../x', 'a/../../x', 'C:\\x', '\\\\server\\x', '~/x']) {
    expect(dangersOfFile(path), path).toEqual(['It is outside this folder.'])
  }
})

it('reports variables that change which program runs', () => {
  expect(dangersOfEnvironment(['LANG', 'TOKEN'])).toEqual([])
  expect(dangersOfEnvironment(['PATH', 'LANG'])).toEqual([expect.stringContaining('PATH can make')])
  for (const name of ['LD_AUDIT', 'PYTHONSTARTUP', 'GIT_SSH_COMMAND', 'JAVA_TOOL_OPTIONS'])
    expect(dangersOfEnvironment([name]), name).toHaveLength(1)
})
