import { describe, expect, it } from 'vitest'
import { describeConfigText } from './describe.ts'

describe('what a configuration would run', () => {
  it('is told whole: agent, probes, gates, judge and the commands that hints may run', () => {
    expect(
      describeConfigText(`
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
      { purpose: 'Probe mail', command: ['./count-mail', '-q'] },
      { purpose: 'Probe notes, reads the file', command: ['notes.md'] },
      { purpose: 'Probe health, fetches the address', command: ['http://127.0.0.1/health'] },
      { purpose: 'Gate, after each attempt', command: ['npm', 'test'] },
      { purpose: 'Judge, for tasks nothing measures', command: ['codex', 'exec', '-'] },
      { purpose: 'Allowed in hints as succeeds("…")', command: ['make check'] },
    ])
  })

  it('is nothing where the text is not valid', () => {
    expect(describeConfigText('[agent')).toEqual([])
  })
})
