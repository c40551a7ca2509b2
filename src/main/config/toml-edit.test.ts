import { describe, expect, it } from 'vitest'
import type { TomlInput } from '../../core/text/toml-format.ts'
import { editToml, removeTomlValue, setTomlValue } from './toml-edit.ts'

function set(text: string, path: string, value: TomlInput): string {
  const result = setTomlValue(text, path.split('.'), value)
  return result.ok ? result.text : `refused: ${result.reason}`
}

function remove(text: string, path: string): string {
  const result = removeTomlValue(text, path.split('.'))
  return result.ok ? result.text : `refused: ${result.reason}`
}

const FILE = `# Mine
[agent]
command = ["claude", "-p"] # the agent

[heartbeat] # often
  interval_minutes = 15   # a quarter
# active_hours = "08:00-22:00"

[adaptive_timeout.complexity.ui_heavy]
multiplier = 3.0
`

describe('setting a setting', () => {
  it('replaces the old value and leaves the comment after it', () => {
    expect(set(FILE, 'heartbeat.interval_minutes', 20)).toBe(FILE.replace('= 15 ', '= 20 '))
  })

  it('keeps the notation if the value is the same', () => {
    expect(set(FILE, 'adaptive_timeout.complexity.ui_heavy.multiplier', 3)).toBe(FILE)
  })

  it('adds it after the last setting of its section, with the same indentation, before the comments there', () => {
    expect(set(FILE, 'heartbeat.session', 'cycle')).toBe(
      FILE.replace('a quarter\n', 'a quarter\n  session = "cycle"\n'),
    )
  })

  it('adds it after the header of an empty section', () => {
    expect(set('[heartbeat] # often\n', 'heartbeat.session', 'task')).toBe(
      '[heartbeat] # often\nsession = "task"\n',
    )
  })

  it('adds a section at the end if there is none', () => {
    expect(set(FILE, 'unblock.auto_suggest', false)).toBe(`${FILE}\n[unblock]\nauto_suggest = false\n`)
    expect(set('', 'unblock.auto_suggest', false)).toBe('[unblock]\nauto_suggest = false\n')
  })

  it('adds a section if there are only subsections', () => {
    expect(set(FILE, 'adaptive_timeout.enabled', false)).toBe(
      `${FILE}\n[adaptive_timeout]\nenabled = false\n`,
    )
  })

  it('adds it without a line break at the end of a file that has none', () => {
    expect(set('[a]\nx = 1', 'a.y', 2)).toBe('[a]\nx = 1\ny = 2')
    expect(set('[a]\nx = 1', 'b.y', 2)).toBe('[a]\nx = 1\n\n[b]\ny = 2\n')
  })

  it('adds it to an inline table, and beside dotted siblings', () => {
    expect(set('agent = { command = ["a"] } # mine\n', 'agent.id', 'x')).toBe(
      'agent = { command = ["a"], id = "x" } # mine\n',
    )
    expect(set('agent = {}\n', 'agent.id', 'x')).toBe('agent = { id = "x" }\n')
    expect(set('agent.command = ["a"]\n[heartbeat]\n', 'agent.id', 'x')).toBe(
      'agent.command = ["a"]\nagent.id = "x"\n[heartbeat]\n',
    )
  })

  it('keeps the notation of the previous text or list', () => {
    expect(set("[a]\nx = 'C:\\one'\n", 'a.x', 'C:\\two')).toBe("[a]\nx = 'C:\\two'\n")
    expect(set('[g]\nc = [\n    ["a"], # first\n  ]\n', 'g.c', [['a'], ['b', 'c']])).toBe(
      '[g]\nc = [\n    ["a"],\n    ["b", "c"],\n  ]\n',
    )
  })

  it('keeps line breaks and a byte order mark', () => {
    expect(set('\uFEFF[a]\r\nx = 1\r\n', 'a.y', [1, 2])).toBe('\uFEFF[a]\r\nx = 1\r\ny = [1, 2]\r\n')
    expect(set('[a]\r\nx = 1\r\n', 'b.y', 'z')).toBe('[a]\r\nx = 1\r\n\r\n[b]\r\ny = "z"\r\n')
  })

  it('is refused, with a fix, if the file is broken or the path goes through something that is not a table', () => {
    expect(set('[a\n', 'a.x', 1)).toMatch(/^refused: Line 1, column \d+: .* Correct it in the file first\.$/)
    expect(set('a = 1\n', 'a.x', 1)).toMatch(/^refused: a\.x can't be changed in the form/)
    expect(set('[[a]]\nx = 1\n', 'a.x', 2)).toMatch(/^refused: a\.x can't be changed in the form/)
    expect(set('[a.x]\ny = 1\n', 'a.x', 2)).toMatch(/^refused: a\.x can't be changed in the form/)
    expect(set('[a]\n', 'a.x', 'half \ud800')).toMatch(/^refused: a\.x .*surrogate/)
    expect(set('[a]\n', 'a.x', Number.NaN)).toMatch(/^refused: a\.x .*NaN/)
  })
})

describe('removing a setting', () => {
  it('removes its line, but no comment', () => {
    expect(remove('[a]\nx = 1\ny = 2\n', 'a.x')).toBe('[a]\ny = 2\n')
    expect(remove('[a]\r\n  x = 1\r\n', 'a.x')).toBe('[a]\r\n')
    expect(remove('[a]\nx = 1', 'a.x')).toBe('[a]')
    expect(remove(FILE, 'heartbeat.interval_minutes')).toBe(
      FILE.replace('  interval_minutes = 15   # a quarter', '  # a quarter'),
    )
  })

  it('leaves an inline table valid', () => {
    expect(remove('a = { x = 1, y = 2, z = 3 }\n', 'a.x')).toBe('a = { y = 2, z = 3 }\n')
    expect(remove('a = { x = 1, y = 2, z = 3 }\n', 'a.z')).toBe('a = { x = 1, y = 2 }\n')
    expect(remove('a = { x = 1 }\n', 'a.x')).toBe('a = {  }\n')
  })

  it('changes nothing if the setting does not exist', () => {
    expect(remove(FILE, 'heartbeat.session')).toBe(FILE)
    expect(remove(FILE, 'nothing.at.all')).toBe(FILE)
  })

  it('removes a table with its subtables, and nothing around it', () => {
    const before = '# first\n[probes.a]\nfile = "a"\n\n# second\n'
    const middle = '[probes.b]\nurl = "http://x" # why\n[probes.b.env]\nA = "1"\n\n'
    const after = '# third\n[probes.bb]\nfile = "c"\n'
    expect(remove(before + middle + after, 'probes.b')).toBe(before + after)
    expect(remove('[a]\nx = 1\n[probes.b]\nfile = "b"', 'probes.b')).toBe('[a]\nx = 1\n')
    expect(remove('[probes]\nb = { file = "b" }\n', 'probes.b')).toBe('[probes]\n')
  })

  it('is refused if a table is written in more than one place', () => {
    const scattered = '[a.x]\ny = 1\n[b]\nz = 1\n[a.w]\ny = 2\n'
    expect(remove(scattered, 'a')).toMatch(/^refused: a .*more than one place/)
    expect(remove('[a]\nx.y = 1\n', 'a.x')).toMatch(/^refused: a\.x .*more than one place/)
  })

  it('undoes setting it', () => {
    const added = set(FILE, 'heartbeat.session', 'cycle')
    expect(remove(added, 'heartbeat.session')).toBe(FILE)
  })
})

describe('several edits', () => {
  it('are all made in order, or none of them', () => {
    const edits = [
      { path: ['heartbeat', 'session'], value: 'cycle' },
      { path: ['heartbeat', 'interval_minutes'], value: null },
    ]
    expect(editToml('[heartbeat]\ninterval_minutes = 5\n', edits)).toEqual({
      ok: true,
      text: '[heartbeat]\nsession = "cycle"\n',
    })
    expect(editToml('heartbeat = 1\n', edits)).toMatchObject({ ok: false })
  })
})
