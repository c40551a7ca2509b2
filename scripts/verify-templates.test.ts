import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

/*
 * The scripts of our CI templates, run by a real shell and npm against a registry of this test: they must start Pulseward, and nothing
 * that the verified change contains.
 */

let root: string
let checkout: string
let registry: Server
let address: string

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'pulseward-template-'))
  checkout = join(root, 'builds/checkout')
  write('package/package.json', '{"name":"pulseward","version":"1.2.3","bin":{"pulseward":"bin"}}')
  // Says how it was called, and writes what was asked for.
  write(
    'package/bin',
    `#!/usr/bin/env node
const { writeFileSync, readFileSync } = require('node:fs')
const args = process.argv.slice(2)
const claims = readFileSync(args[args.indexOf('--claims') + 1], 'utf8')
writeFileSync('${root}/called.json', JSON.stringify({ args, claims, folder: process.cwd() }))
for (const each of args) if (/^[a-z]+=/.test(each)) writeFileSync(each.slice(each.indexOf('=') + 1), 'judged')
process.exitCode = Number(process.env.CODE)
`,
  )
  execFileSync('tar', ['czf', 'pulseward.tgz', 'package'], { cwd: root })
  registry = createServer((request, response) => {
    if (request.url?.endsWith('.tgz') === true) return response.end(readFileSync(join(root, 'pulseward.tgz')))
    const dist = { tarball: `${address}/pulseward.tgz` }
    const versions = {
      '1.2.3': { name: 'pulseward', version: '1.2.3', bin: { pulseward: 'bin' }, dist },
    }
    return response.end(JSON.stringify({ name: 'pulseward', 'dist-tags': { latest: '1.2.3' }, versions }))
  })
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`
  write('home/.npmrc', `registry=${address}/\nupdate-notifier=false\naudit=false\n`)
  write('builds/checkout/readme.md', 'A project\n')
})
afterEach(async () => {
  registry.closeAllConnections()
  await new Promise((resolve) => registry.close(resolve))
  rmSync(root, { recursive: true, force: true })
})

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text, { mode: 0o755 })
}

function textOf(name: string): string {
  return readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
}

/** Returns the script of the GitLab component with its default inputs, except these. */
function gitlab(inputs: Readonly<Record<string, string>> = {}): string {
  const [spec, jobs] = parseAllDocuments(textOf('templates/verify.yml')).map((each) => each.toJS())
  const script: string[] = jobs.pulseward.script
  const given = (text: string): string =>
    text.replace(/\$\[\[ inputs\.(\w+) \]\]/g, (_, name) => inputs[name] ?? spec.spec.inputs[name].default)
  const variables = Object.entries<string>(jobs.pulseward.variables)
  return [...variables.map(([name, value]) => `${name}='${given(value)}'`), ...script.map(given)].join('\n')
}

/** Returns the script of the document's workflow for Forgejo, from the step that runs Pulseward. */
function forgejo(): string {
  const [, block = ''] =
    /^## Forgejo and Gitea$.*?```yaml\n(.*?)```/ms.exec(textOf('docs/verify-ci.md')) ?? []
  const steps: { readonly run?: string }[] = parse(block).jobs.pulseward.steps
  return steps.find(({ run }) => run?.includes('pulseward') === true)?.run ?? ''
}

interface Call {
  readonly args: readonly string[]
  readonly claims: string
  readonly folder: string
}

/** Runs a script in the checkout as a runner does. Returns its exit code, and how Pulseward was called. */
async function run(script: string, code = 0): Promise<{ readonly code: number | null; readonly call: Call }> {
  const env = {
    PATH: process.env.PATH,
    HOME: join(root, 'home'),
    CODE: String(code),
    npm_config_cache: join(checkout, '.npm'),
    CI_BUILDS_DIR: join(root, 'builds'),
    CI_PROJECT_DIR: checkout,
    CI_COMMIT_SHA: 'head',
    CI_MERGE_REQUEST_DIFF_BASE_SHA: 'base',
    CI_MERGE_REQUEST_TITLE: TITLE,
    CI_MERGE_REQUEST_DESCRIPTION: BODY,
    GITHUB_WORKSPACE: checkout,
    GITHUB_STEP_SUMMARY: join(root, 'summary'),
    BASE: 'base',
    TITLE,
    BODY,
  }
  const exitCode = await new Promise<number | null>((resolve) => {
    execFile('sh', ['-ec', script], { cwd: checkout, env }, (error) =>
      resolve(error === null ? 0 : Number(error.code)),
    )
  })
  return { code: exitCode, call: JSON.parse(readFileSync(join(root, 'called.json'), 'utf8')) }
}

const TITLE = 'Fix "it" $(touch evil)'
const BODY = "`touch evil`\n'; touch evil"
const EVIL_PACKAGE = '{"name":"pulseward","version":"9.9.9","bin":{"pulseward":"evil.sh"}}'

/** What npx, started in the checkout, would run or obey. `evil.sh` leaves a file. */
const HOSTILE: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  [
    'a program with its name in node_modules/.bin',
    { 'node_modules/pulseward/package.json': EVIL_PACKAGE, 'node_modules/.bin/pulseward': 'evil.sh' },
  ],
  ['a package with its name', { 'package.json': EVIL_PACKAGE, 'evil.sh': 'evil.sh' }],
  [
    'settings of npm',
    { 'package.json': '{"name":"project"}', '.npmrc': 'script-shell=./evil.sh\n', 'evil.sh': 'evil.sh' },
  ],
]

describe.each([
  ['the GitLab component', gitlab],
  ['the workflow for Forgejo', forgejo],
])('%s', (_name, script) => {
  test('gives Pulseward the checkout, the texts of the change and both commits', async () => {
    const { code, call } = await run(script())
    expect(code).toBe(0)
    expect(call.claims).toBe(`${TITLE}\n\n${BODY}\n`)
    expect(call.args.join(' ')).toMatch(
      /^verify .*--workspace \S+\/checkout .*--base base --head (?:head|HEAD) /,
    )
    expect(existsSync(join(call.folder, 'evil')) || existsSync(join(checkout, 'evil'))).toBe(false)
  })

  test.each(HOSTILE)('starts nothing from a change with %s', async (_what, files) => {
    for (const [path, text] of Object.entries(files))
      write(`builds/checkout/${path}`, text === 'evil.sh' ? `#!/bin/sh\ntouch '${root}/evil'\n` : text)
    expect((await run(script(), 1)).code).toBe(1)
    expect(existsSync(join(root, 'evil'))).toBe(false)
    // Its files could be npm's cache, too.
    expect(existsSync(join(checkout, '.npm'))).toBe(false)
  })
})

describe('the GitLab component', () => {
  test.each([
    [0, 'fail', 0],
    [1, 'fail', 1],
    [3, 'allow', 3],
    [4, 'fail', 1],
    [4, 'allow', 4],
  ])('turns exit code %i with held: %s into %i', async (verdict, held, expected) => {
    const { code } = await run(gitlab({ held }), verdict)
    expect(code).toBe(expected)
    for (const name of ['verdict.json', 'pulseward.xml', 'pulseward.codequality.json'])
      expect(readFileSync(join(checkout, name), 'utf8')).toBe('judged')
  })

  test('writes no report through a link that the change contains', async () => {
    write('precious', 'mine')
    symlinkSync(join(root, 'precious'), join(checkout, 'verdict.json'))
    await run(gitlab())
    expect(readFileSync(join(root, 'precious'), 'utf8')).toBe('mine')
    expect(readFileSync(join(checkout, 'verdict.json'), 'utf8')).toBe('judged')
  })
})
