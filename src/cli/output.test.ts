import { describe, expect, it } from 'vitest'
import { CliError } from './cli-error.ts'
import { createOutput } from './output.ts'

function outputTo(options: { isTTY?: boolean; json?: boolean; environment?: Record<string, string> } = {}) {
  const { isTTY = false, json = false, environment = {} } = options
  const written = { stdout: '', stderr: '' }
  const stream = (name: keyof typeof written) => ({
    isTTY,
    write: (text: string) => {
      written[name] += text
    },
  })
  return {
    written,
    output: createOutput({ stdout: stream('stdout'), stderr: stream('stderr') }, { json, environment }),
  }
}

describe('an answer', () => {
  it('is human-readable lines', () => {
    const { written, output } = outputTo()
    output.answer({ score: 1 }, (paint) => ['first', paint('good', 'second')])
    expect(written).toEqual({ stdout: 'first\nsecond\n', stderr: '' })
  })

  it('is one JSON document with --json', () => {
    const { written, output } = outputTo({ json: true, isTTY: true })
    output.remark('beside it')
    output.answer({ score: 1 }, () => ['never'])
    expect(JSON.parse(written.stdout)).toEqual({ score: 1 })
    expect(written.stderr).toBe('')
  })

  it.each([
    ['on a terminal', { isTTY: true }, '\u001b[32myes\u001b[39m\n'],
    ['elsewhere', { isTTY: false }, 'yes\n'],
    ['when NO_COLOR is set', { isTTY: true, environment: { NO_COLOR: '1' } }, 'yes\n'],
    ['on a dumb terminal', { isTTY: true, environment: { TERM: 'dumb' } }, 'yes\n'],
  ])('is colored at a terminal only, unless colors are turned off: %s', (_name, options, expected) => {
    const { written, output } = outputTo(options)
    output.answer({}, (paint) => [paint('good', 'yes')])
    expect(written.stdout).toBe(expected)
  })

  it('cannot control the terminal through text from an agent', () => {
    const { written, output } = outputTo({ isTTY: true })
    output.answer({}, () => ['\u001b]0;title\u0007\u001b[2Jgone\rand\nback\u009b1A'])
    expect(written.stdout).toBe(' ]0;title  [2Jgone and back 1A\n')
  })

  it('cannot hide or reverse the text after it, and keeps our own colors', () => {
    const { written, output } = outputTo({ isTTY: true })
    output.answer({}, (paint) => [paint('bad', 'no: \u001b[8mhidden\u202egnp.exe')])
    expect(written.stdout).toBe('\u001b[31mno:  [8mhidden\ufffdgnp.exe\u001b[39m\n')
  })

  it('has no commands to the runner of a workflow, and is as it was elsewhere', () => {
    const lines = ['  ::stop-commands::x', 'a::b', 'a ##[add-mask]b']
    const elsewhere = outputTo()
    elsewhere.output.answer({}, () => lines)
    expect(elsewhere.written.stdout).toBe('  ::stop-commands::x\na::b\na ##[add-mask]b\n')
    const environment = { GITHUB_ACTIONS: 'true' }
    const inRunner = outputTo({ environment })
    inRunner.output.answer({}, () => lines)
    inRunner.output.remark('::error::x')
    expect(inRunner.written).toEqual({
      stdout: '  : :stop-commands::x\na::b\na ## [add-mask]b\n',
      stderr: ': :error::x\n',
    })
    const asJson = outputTo({ environment, json: true })
    asJson.output.answer(lines, () => [])
    expect(asJson.written.stdout).not.toContain('##[')
    expect(JSON.parse(asJson.written.stdout)).toEqual(lines)
  })

  it('is the same document as JSON, with control characters escaped', () => {
    const { written, output } = outputTo({ json: true, isTTY: true })
    output.answer({ name: '\u202e\u009b8m\u2066' }, () => [])
    expect(written.stdout).toBe('{\n  "name": "\\u202e\\u009b8m\\u2066"\n}\n')
  })
})

describe('an error', () => {
  const error = new CliError(2, 'CONFLICT', 'first line\nsecond line')

  it('is one line on stderr', () => {
    const { written, output } = outputTo()
    output.fail(error)
    expect(written).toEqual({ stdout: '', stderr: 'pulseward: first line second line\n' })
  })

  it('is also a document on stdout with --json', () => {
    const { written, output } = outputTo({ json: true })
    output.fail(error)
    expect(written.stderr).toBe('pulseward: first line second line\n')
    expect(JSON.parse(written.stdout)).toEqual({
      error: { code: 'CONFLICT', message: 'first line\nsecond line' },
    })
  })
})
