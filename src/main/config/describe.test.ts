import { describe, expect, it } from 'vitest'
import { describeConfigText } from './describe.ts'

const whatOf = (text: string) =>
  describeConfigText(text).map(({ purpose, command }) => ({ purpose, command }))

describe('what a configuration would run', () => {
  it('is listed in full: agent, probes, gates, judge and the commands that checks may run', () => {
    expect(
      whatOf(`
[agent]
command = ["claude", "-p"]
env = { TOKEN = "secret" }
[probes.mail]
command = ["./count-mail", "-q"]
[probes.notes]
file = "notes.md"
[probes.health]
url = "http://127.0.0.1/health"
[gates]
commands = [["npm", "test"]]
[judge]
command = ["codex", "exec", "-"]
[verification]
commands = ["make check"]
`),
    ).toEqual([
      { purpose: 'Agent claude, for each open task, with TOKEN set', command: ['claude', '-p'] },
      {
        purpose: 'Secrets of your environment that it gets',
        command: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
      },
      { purpose: 'Probe mail', command: ['./count-mail', '-q'] },
      { purpose: 'Probe notes, reads the file', command: ['notes.md'] },
      { purpose: 'Probe health, fetches the address', command: ['http://127.0.0.1/health'] },
      { purpose: 'Gate, after each attempt', command: ['npm', 'test'] },
      {
        purpose:
          'Judge, for tasks without a measurement, gets CODEX_API_KEY, OPENAI_API_KEY of your environment',
        command: ['codex', 'exec', '-'],
      },
      { purpose: 'Allowed in checks as succeeds("…")', command: ['make check'] },
    ])
  })

  it('is empty if the text is not valid', () => {
    expect(describeConfigText('[agent')).toEqual([])
  })

  it('says for each item when it runs, its kind and its dangers', () => {
    const items = describeConfigText(`
[agent]
preset = "claude"
allow = ["edit", "execute"]
args = ["--dangerously-skip-permissions"]
env = { PATH = "/tmp" }
[probes.mail]
url = "https://mail.example.com/count"
[probes.secret]
file = "/etc/passwd"
[gates]
commands = [["sh", "-c", "npm test"]]
`)
    expect(items.map(({ kind, when, warnings }) => [kind, when, warnings.length])).toEqual([
      ['command', 'attempt', 2],
      ['grant', 'attempt', 1],
      ['grant', 'attempt', 0],
      ['url', 'measurement', 1],
      ['file', 'measurement', 1],
      ['command', 'gate', 1],
    ])
  })

  it.each([
    ['sandbox = "off"', 'Agent and checks run without the sandbox', ['sandbox = "off"']],
    ['writable = ["~/notes"]', 'Paths outside the workspace that the agent may write to', ['~/notes']],
    [
      'network = ["example.com"]\nchecks_network = "all"',
      'What checks can reach over the network',
      ['everything'],
    ],
    [
      '[workspace]\nisolation = "worktree"\ncopy = [".env"]',
      'Files that git ignores, copied for the agent',
      ['.env'],
    ],
    [
      '[workspace]\nisolation = "worktree"\n[landing]\nmode = "pull-request"\ntarget = "origin/main"\nforge = "github"',
      'Verified work is pushed, with a pull request into',
      ['origin/main'],
    ],
    [
      '[workspace]\nisolation = "worktree"\n[landing]\nmode = "branch"\ntarget = "origin/main"',
      'Verified work gets a branch, to be merged into',
      ['origin/main'],
    ],
    [
      '[workspace]\nisolation = "worktree"\n[landing]\nforge = "gitlab"\nurl = "https://git.example.com"\ntoken_env = "AWS_SECRET"',
      'Commit statuses and pull requests go, with AWS_SECRET of your environment, to',
      ['https://git.example.com'],
    ],
  ])('shows what it allows in addition to the default: %s', (text, purpose, command) => {
    expect(whatOf(`[agent]\ncommand = ["a"]\n${text}\n`)).toContainEqual({ purpose, command })
  })

  it.each([
    'sandbox = "required"',
    'network = "none"',
    'checks_network = "all"',
    'hide = ["~/notes"]',
    '[workspace]\nisolation = "worktree"',
  ])('adds nothing for settings that allow no more than the default: %s', (text) => {
    expect(whatOf(`[agent]\ncommand = ["a"]\n${text}\n`)).toHaveLength(1)
  })

  it('marks what was not approved before, but nothing if nothing was approved', () => {
    const before = '[agent]\ncommand = ["a"]\n[gates]\ncommands = [["x"], ["y"]]\n'
    const after = '[agent]\ncommand = ["a"]\n[gates]\ncommands = [["y"], ["z"]]\n'
    expect(describeConfigText(after, before).map(({ command, isNew }) => [command[0], isNew])).toEqual([
      ['a', false],
      ['y', false],
      ['z', true],
    ])
    expect(describeConfigText(after).some(({ isNew }) => isNew)).toBe(false)
  })
})
