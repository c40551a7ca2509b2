import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, symlink } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { dataDirectoryOf, expect, markedEnvironment, root, test } from '../support/app.ts'
import { pulseward } from '../support/cli.ts'
import { writeFiles } from '../support/files.ts'
import { bridge } from './support/http-bridge.ts'
import { REAL_AGENTS, whyMissing } from './support/programs.ts'

/* Runs the built `pulseward mcp` against the protocol's own conformance suite and inspector. */

const modules = join(import.meta.dirname, 'node_modules/@modelcontextprotocol')
const CONFORMANCE = join(modules, 'conformance/dist/index.js')
const INSPECTOR = join(modules, 'inspector/clients/launcher/build/index.js')
const isInstalled = existsSync(CONFORMANCE) && existsSync(INSPECTOR)

test.skip(!isInstalled, 'not installed: `npm run agents` brings the conformance suite and the inspector')

/** The data folder is an argument because the inspector passes on little of the environment. */
function commandOf(folder: string) {
  return {
    command: process.execPath,
    args: [join(root, 'bin/pulseward'), '--data-dir', dataDirectoryOf(folder), 'mcp'],
    env: markedEnvironment(folder),
  }
}

async function run(folder: string, program: string, args: readonly string[]) {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { ...commandOf(folder).env, HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [stdout, stderr, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { stdout, stderr, exitCode }
}

interface Inspected {
  readonly tools: readonly { name: string; annotations: { readOnlyHint: boolean } }[]
  readonly resources: readonly { uri: string }[]
}

/** The arguments that a tool requires. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  unblock: ['--tool-arg', 'task=job'],
  review: ['--tool-arg', 'attempt=none', 'answer=accept'],
  land: ['--tool-arg', 'attempt=none'],
}

/** Maps the names that the suite calls to ours that do the same. */
const NAMES = {
  test_simple_text: 'status',
  test_error_handling: 'why',
  test_elicitation: 'run',
  'test://static-text': 'pulseward://workspaces',
  'test://watched-resource': 'pulseward://workspaces',
}

test('passes the parts of the conformance suite that apply to it', async ({ folder, startHost }) => {
  await startHost()
  const { url, close } = await bridge(commandOf(folder), NAMES)
  const baseline = join(import.meta.dirname, 'support/conformance.yaml')
  const { stdout, stderr, exitCode } = await run(folder, CONFORMANCE, [
    'server',
    '--url',
    url,
    '--suite',
    'all',
    '--expected-failures',
    baseline,
  ])
  await close()
  expect(exitCode, `${stdout}\n${stderr}`).toBe(0)
  expect(stdout).toMatch(/Total: 14 passed/)
})

for (const era of ['modern', 'legacy'])
  test(`every tool and resource answers the protocol's inspector (${era})`, async ({ folder, startHost }) => {
    const directory = join(folder, 'job')
    await writeFiles(directory, {
      'HEARTBEAT.md': '## Tasks\n\n- [ ] job | Write made.txt | required | verify: exists("made.txt")\n',
      'pulseward.toml': '[agent]\ncommand = ["true"]\n',
    })
    await pulseward(folder, ['run', '--once', '--trust'], { cwd: directory })
    await startHost()
    const { command, args } = commandOf(folder)
    const inspect = async (method: string, ...more: readonly string[]) => {
      const options = ['--protocol-era', era, '--format', 'json', '--method', method, ...more]
      const { exitCode, stdout, stderr } = await run(folder, INSPECTOR, [
        '--cli',
        command,
        ...args,
        ...options,
      ])
      return { exitCode, stderr, ...(stdout === '' ? null : (JSON.parse(stdout) as { result: Inspected })) }
    }
    // Strict: it exits with 6 if a schema is not portable.
    const listed = await inspect('tools/list', '--strict')
    expect(listed).toMatchObject({ exitCode: 0 })
    const tools = listed.result?.tools ?? []
    expect(tools).toHaveLength(12)
    for (const { name, annotations } of tools) {
      const answer = await inspect('tools/call', '--tool-name', name, ...(ARGUMENTS[name] ?? []))
      // It cannot ask the operator, so every call that would change something is refused.
      expect([name, answer]).toMatchObject([
        name,
        annotations.readOnlyHint
          ? { exitCode: 0, result: { structuredContent: {} } }
          : { exitCode: 5, result: { content: [{ text: expect.stringContaining('cannot ask') }] } },
      ])
    }
    const { result } = await inspect('resources/list')
    expect(result?.resources).toHaveLength(3)
    for (const { uri } of result?.resources ?? [])
      expect(await inspect('resources/read', '--uri', uri)).toMatchObject({
        exitCode: 0,
        result: { contents: [{ uri, mimeType: 'application/json' }] },
      })
    expect(await inspect('resources/read', '--uri', 'pulseward://none')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('not found'),
    })
  })

for (const [client, listed] of [
  // It starts each server to list it.
  ['claude', /pulseward: pulseward mcp - ✔ Connected/],
  ['codex', /^pulseward +pulseward +mcp .*enabled/m],
  ['gemini', /pulseward: pulseward mcp \(stdio\)/],
] as const) {
  test(`the printed line adds it to the real ${client}`, async ({ folder }) => {
    const agent = REAL_AGENTS.find(({ preset }) => preset === client)
    const missing = agent === undefined ? client : whyMissing(agent)
    test.skip(missing !== null, missing ?? '')
    const { command, args, env } = commandOf(folder)
    const bin = join(folder, 'bin')
    await writeFiles(bin, {
      pulseward: `#!/bin/sh\nexec '${command}' '${args[0]}' --data-dir '${dataDirectoryOf(folder)}' "$@"\n`,
    })
    await chmod(join(bin, 'pulseward'), 0o755)
    await symlink(agent?.programs[client] ?? '', join(bin, client))
    const { stdout: line } = await pulseward(folder, ['mcp', '--print-config', client])
    // Node.js of the tests comes before the system's, because some of the programs need it.
    const path = [bin, dirname(command), env.PATH].join(delimiter)
    const child = spawn('sh', ['-ec', `${line}\n${client} mcp list 2>&1`], {
      cwd: folder,
      env: { ...env, HOME: folder, PATH: path },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    expect(await text(child.stdout)).toMatch(listed)
  })
}
