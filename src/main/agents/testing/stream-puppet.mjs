// An agent that prints the event stream of the program that its first argument names, and does what its second argument says: see
// `Behaviour` in agent-runner-contract.ts. What is added for a resumed session follows these two.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'

const [, , program, behaviour, ...resumed] = process.argv
const SESSION = '01a1f8af-c32c-75c0-87be-8248b549813c'
const FILE = `${process.cwd()}/hello.txt`

const print = (event) => process.stdout.write(`${JSON.stringify(event)}\n`)

const claude = {
  begin: () =>
    print({
      type: 'system',
      subtype: 'init',
      session_id: SESSION,
      model: 'm',
      claude_code_version: '2.1.329',
    }),
  say: (text) => print({ type: 'assistant', message: { model: 'm', content: [{ type: 'text', text }] } }),
  edit: (isDenied) => {
    const input = { file_path: FILE, content: 'hi' }
    print({ type: 'assistant', message: { content: [{ type: 'tool_use', id: 't1', name: 'Write', input }] } })
    const result = { type: 'tool_result', tool_use_id: 't1', is_error: isDenied, content: 'tool output' }
    const decision = isDenied ? 'reject' : 'accept'
    const tool_result_meta = [{ id: 't1', permission_decision: { decision } }]
    print({ type: 'user', message: { content: [result] }, tool_result_meta })
  },
  command: (command, output, exitCode) => {
    print({
      type: 'assistant',
      message: { content: [{ type: 'tool_use', id: 't2', name: 'Bash', input: { command } }] },
    })
    const content = exitCode === 0 ? output : `Exit code ${exitCode}\n${output}`
    print({
      type: 'user',
      message: { content: [{ type: 'tool_result', tool_use_id: 't2', is_error: exitCode !== 0, content }] },
    })
  },
  end: () =>
    print({
      type: 'result',
      subtype: 'success',
      is_error: false,
      session_id: SESSION,
      terminal_reason: 'completed',
      usage: { input_tokens: 3, output_tokens: 2 },
    }),
  fail: (status, message) =>
    print({
      type: 'result',
      subtype: 'success',
      is_error: true,
      api_error_status: status,
      terminal_reason: 'api_error',
      result: message,
    }),
}

const codex = {
  begin: () => print({ type: 'thread.started', thread_id: SESSION }),
  say: (text) => print({ type: 'item.completed', item: { id: 'i1', type: 'agent_message', text } }),
  edit: (isDenied) => {
    const item = { id: 'i2', type: 'file_change', changes: [{ path: FILE, kind: 'add' }] }
    if (isDenied)
      console.error(
        'ERROR codex_core::tools::router: error=patch rejected: writing is blocked by read-only sandbox',
      )
    else print({ type: 'item.completed', item: { ...item, status: 'completed' } })
  },
  command: (command, output, exitCode) => {
    const item = {
      id: 'i3',
      type: 'command_execution',
      command: `/bin/bash -lc '${command}'`,
      aggregated_output: output,
    }
    print({
      type: 'item.completed',
      item: { ...item, exit_code: exitCode, status: exitCode === 0 ? 'completed' : 'failed' },
    })
  },
  end: () => print({ type: 'turn.completed', usage: { input_tokens: 3, output_tokens: 2 } }),
  fail: (status, message) =>
    print({ type: 'turn.failed', error: { message: `unexpected status ${status}: ${message}` } }),
}

const copilot = {
  begin: () => print({ type: 'session.tools_updated', data: { model: 'm' } }),
  say: (content) => print({ type: 'assistant.message', data: { content } }),
  edit: (isDenied) => {
    print({
      type: 'tool.execution_start',
      data: { toolCallId: 'c1', toolName: 'create', arguments: { path: FILE } },
    })
    const outcome = isDenied
      ? { success: false, error: { code: 'denied' } }
      : { success: true, fileEdits: [{ path: FILE, kind: 'create' }] }
    print({ type: 'tool.execution_complete', data: { toolCallId: 'c1', ...outcome } })
  },
  command: (command, output, exitCode) => {
    print({
      type: 'tool.execution_start',
      data: { toolCallId: 'c2', toolName: 'bash', arguments: { command } },
    })
    print({
      type: 'tool.execution_complete',
      data: { toolCallId: 'c2', success: true, shellExecution: { exitCode }, result: { content: output } },
    })
  },
  end: () => print({ type: 'result', sessionId: SESSION, exitCode: 0, usage: {} }),
  fail: (statusCode, message) => {
    print({ type: 'session.error', data: { errorType: 'provider', message, statusCode } })
    print({ type: 'result', sessionId: SESSION, exitCode: 1, usage: {} })
  },
}

const gemini = {
  begin: () => print({ type: 'init', session_id: SESSION, model: 'm' }),
  say: (text) => {
    // A longer message is sent in pieces.
    const half = text.length > 16 ? Math.floor(text.length / 2) : 0
    for (const content of [text.slice(0, half), text.slice(half)])
      print({ type: 'message', role: 'assistant', content, delta: true })
  },
  // A tool that is not granted is never offered, so nothing is printed.
  edit: (isDenied) => {
    if (isDenied) return
    print({ type: 'tool_use', tool_name: 'write_file', tool_id: 'g1', parameters: { file_path: FILE } })
    print({ type: 'tool_result', tool_id: 'g1', status: 'success' })
  },
  command: (command, output, exitCode) => {
    print({ type: 'tool_use', tool_name: 'run_shell_command', tool_id: 'g2', parameters: { command } })
    print({ type: 'tool_result', tool_id: 'g2', status: exitCode === 0 ? 'success' : 'error', output })
  },
  end: () => print({ type: 'result', status: 'success', stats: { input_tokens: 3, output_tokens: 2 } }),
  fail: (status, message) =>
    print({
      type: 'result',
      status: 'error',
      error: { type: 'unknown', message: `[API Error: ${status} ${message}]` },
    }),
}

const part = (type, fields) => print({ type, sessionID: SESSION, part: fields })
const opencode = {
  begin: () => part('step_start', {}),
  say: (text) => part('text', { text }),
  edit: (isDenied) => {
    const state = isDenied
      ? {
          status: 'error',
          input: { filePath: FILE },
          error: 'The user rejected permission to use this specific tool call.',
        }
      : { status: 'completed', input: { filePath: FILE }, metadata: { exists: false } }
    part('tool_use', { tool: 'write', callID: 'o1', state })
  },
  command: (command, output, exit) =>
    part('tool_use', {
      tool: 'bash',
      callID: 'o2',
      state: { status: 'completed', input: { command }, output, metadata: { exit } },
    }),
  end: () => part('step_finish', { reason: 'stop', tokens: { input: 3, output: 2 }, cost: 0 }),
  fail: (statusCode, message) =>
    print({ type: 'error', sessionID: SESSION, error: { name: 'APIError', data: { message, statusCode } } }),
}

const stream = { claude, codex, copilot, gemini, opencode, qwen: claude }[program]

const ready = () => writeFileSync('ready', '')
const runForEver = () => setInterval(() => {}, 1000)
const report = (text) => {
  stream.begin()
  stream.say(text)
  stream.end()
}

async function readPrompt() {
  const chunks = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const stubbornChild = (options) =>
  spawn(process.execPath, [process.argv[1], program, 'ignore-sigterm'], { stdio: 'inherit', ...options })

const behaviours = {
  'echo-prompt': async () => {
    const prompt = await readPrompt()
    report(`${prompt.length} ${createHash('sha256').update(prompt).digest('hex')}`)
  },
  'finish-without-reading': () => report('All done.'),
  'print-environment': () => report(JSON.stringify(process.env)),
  'print-directory': () => report(process.cwd()),
  crash: () => {
    stream.begin()
    console.error('it went wrong')
    process.exitCode = 3
  },
  hang: () => {
    stream.begin()
    stream.say('thinking')
    runForEver()
    ready()
  },
  'ignore-sigterm': () => {
    process.on('SIGTERM', () => {})
    behaviours.hang()
  },
  'exit-zero-on-sigterm': () => {
    process.on('SIGTERM', () => process.exit(0))
    behaviours.hang()
  },
  flood: () => {
    stream.begin()
    stream.say('first')
    for (let megabyte = 0; megabyte < 50; megabyte++) process.stdout.write('x'.repeat(1_000_000))
    process.stdout.write('\n')
    stream.end()
    process.stdout.write('last\n')
  },
  'hang-with-stubborn-child': () => {
    stubbornChild()
    runForEver()
  },
  'hang-with-escaped-child': () => {
    stubbornChild({ detached: true })
    runForEver()
  },
  'leave-child-behind': () => {
    stubbornChild().unref()
    report('All done.')
  },
  linger: () => {
    report('All done.')
    process.on('SIGTERM', () => process.exit(0))
    runForEver()
  },
  'be-denied': () => {
    stream.begin()
    stream.edit(true)
    stream.say('All done.')
    stream.end()
  },
  'edit-and-test': () => {
    stream.begin()
    stream.edit(false)
    stream.command('npm test', 'EXIT_SIGNAL: true', 1)
    stream.say('I am not done yet.')
    stream.end()
  },
  'not-logged-in': () => {
    stream.begin()
    stream.fail(401, 'who are you')
    process.exitCode = 1
  },
  'over-quota': () => {
    stream.begin()
    stream.fail(429, 'slow down')
    process.exitCode = 1
  },
  'stop-halfway': () => {
    stream.begin()
    stream.say('I will keep monitoring.')
  },
  'name-session': async () => {
    await readPrompt()
    report(resumed.length === 0 ? 'a new session' : `resumed with ${resumed.join(' ')}`)
  },
}

if (stream === undefined) throw new Error(`Say here how ${program} prints its events.`)
await behaviours[behaviour]()
