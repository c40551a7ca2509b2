import { execFileSync } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'
import { untilFilesAreLater } from '../testing/later-files.ts'
import { type Attempt, agentScript, commitAll, firstAttempt, HELD, PAID } from '../testing/rigged-run.ts'

/* Installed packages that git ignores also affect a check: patched by hand, and changed by an installer. */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const LOCK = (version: string) =>
  `${JSON.stringify({ lockfileVersion: 3, packages: { 'node_modules/mini': { version } } })}\n`
const RUNNER = `#!/usr/bin/env node
import('../../cart.mjs').then(({ total }) => process.exit(total([1, 2]) === 3 ? 0 : 1))
`
const PROJECT = {
  'p/.gitignore': 'node_modules/\n.venv/\n',
  'p/package.json': '{ "type": "module", "scripts": { "test": "mini" } }\n',
  'p/package-lock.json': LOCK('1.0.0'),
  'p/node_modules/mini/package.json': '{ "name": "mini", "version": "1.0.0" }\n',
  'p/node_modules/mini/cli.js': RUNNER,
  'p/cart.mjs': 'export const total = (prices) => prices.reduce((sum, price) => sum - price, 0)\n',
}
const REPAIRED = `printf 'export const total = (prices) => prices.reduce((sum, price) => sum + price, 0)\\n' > cart.mjs`

async function attempt(agent: string, command = 'npm test'): Promise<Attempt> {
  await cli.write({
    ...PROJECT,
    'p/HEARTBEAT.md': `## Tasks\n- [ ] fix | Fix the totals | required | verify: succeeds("${command}") | max_attempts: 9\n`,
    'p/pulseward.toml': `[agent]\ncommand = ["sh", "../agent.sh"]\n[verification]\ncommands = ["${command}"]\n`,
    'agent.sh': agentScript(agent, { task_id: 'fix', status: 'done', exit_signal: true }),
  })
  execFileSync('chmod', ['+x', join(cli.root, 'p/node_modules/mini/cli.js')])
  execFileSync('mkdir', ['-p', join(cli.root, 'p/node_modules/.bin')])
  await symlink('../mini/cli.js', join(cli.root, 'p/node_modules/.bin/mini'))
  commitAll(join(cli.root, 'p'))
  return firstAttempt(cli)
}

const ALWAYS_GREEN = '#!/usr/bin/env node\\nprocess.exit(0)\\n'

describe('an agent that rigs an installed package', () => {
  test.each([
    ['the runner patched', `printf '${ALWAYS_GREEN}' > node_modules/mini/cli.js`, 'node_modules/mini/cli.js'],
    [
      'the runner replaced, its size and time as before',
      `cp node_modules/mini/cli.js /tmp/pw-$$; printf '${ALWAYS_GREEN}' > node_modules/mini/cli.js
truncate -s $(stat -c %s /tmp/pw-$$) node_modules/mini/cli.js; sed -i 's/\\x00/ /g' node_modules/mini/cli.js
touch -r /tmp/pw-$$ node_modules/mini/cli.js; rm /tmp/pw-$$`,
      'node_modules/mini/cli.js',
    ],
    [
      'another file instead of the link',
      `rm node_modules/.bin/mini; printf '${ALWAYS_GREEN}' > node_modules/.bin/mini; chmod +x node_modules/.bin/mini`,
      'node_modules/.bin/mini',
    ],
    [
      'another package instead of the runner',
      `mkdir node_modules/maxi; printf '${ALWAYS_GREEN}' > node_modules/maxi/cli.js; chmod +x node_modules/maxi/cli.js; ln -sf ../maxi/cli.js node_modules/.bin/mini`,
      'node_modules/.bin/mini',
    ],
  ])('%s: held because of dependencies, not because of git', async (_name, agent, file) => {
    const rigged = await attempt(agent)
    expect(rigged).toMatchObject({ ...HELD, held: { because: 'dependencies' } })
    expect(rigged.held?.files).toContain(file)
  })

  test('an interpreter of the agent’s in .bin: held', async () => {
    const rigged = await attempt(
      `printf '#!/bin/sh\\nexit 0\\n' > node_modules/.bin/node; chmod +x node_modules/.bin/node`,
    )
    expect(rigged).toMatchObject(HELD)
    expect(rigged.held).not.toBeNull()
  })

  test('patched in an attempt that was refused, green in the next: held', async () => {
    const once = `if grep -q cart node_modules/mini/cli.js; then printf '#!/usr/bin/env node\\nprocess.exit(require("fs").existsSync("go") ? 0 : 1)\\n' > node_modules/mini/cli.js; else touch go; fi`
    expect(await attempt(once)).toMatchObject({ verdict: 'not_verified' })
    expect(await firstAttempt(cli)).toMatchObject({ ...HELD, held: { because: 'dependencies' } })
  })

  test('accepted by the operator: not held again', async () => {
    const held = await attempt(`printf '${ALWAYS_GREEN}' > node_modules/mini/cli.js`)
    await cli.run(['review', 'accept', held.attemptId, '--workspace', 'p'])
    expect(await firstAttempt(cli)).toMatchObject({ verdict: 'verified', held: null })
  })
})

describe('an honest agent', () => {
  test.each([
    [
      'installs another version',
      `sed -i 's/=== 3/=== 1+2/' node_modules/mini/cli.js; printf '%s' '${LOCK('1.0.1').trim()}' > package-lock.json`,
    ],
    [
      'installs one more package',
      'mkdir node_modules/pad; echo "module.exports = 1" > node_modules/pad/index.js',
    ],
    [
      'whose runner writes its cache there',
      'mkdir -p node_modules/.cache/mini node_modules/.vite; date > node_modules/.cache/mini/a; date > node_modules/.vite/b',
    ],
    [
      'reinstalls everything',
      'cp -r node_modules /tmp/pw-anew-$$; rm -rf node_modules; mv /tmp/pw-anew-$$ node_modules',
    ],
    [
      'creates an environment',
      'mkdir -p .venv/lib/python3.11/site-packages; echo "import x" > .venv/lib/python3.11/site-packages/x.pth',
    ],
  ])('%s: paid', async (_name, agent) => {
    expect(await attempt(`${REPAIRED}\n${agent}`)).toMatchObject(PAID)
  })

  test('is measured with a runner that the operator patched by hand', async () => {
    expect(await attempt('true')).toMatchObject({ verdict: 'not_verified' })
    await untilFilesAreLater(cli.root)
    await cli.write({ 'p/node_modules/mini/cli.js': RUNNER.replace('=== 3', '=== -3') })
    expect(await firstAttempt(cli)).toMatchObject({ verdict: 'verified', held: null })
  })
})

describe('a new program folder that comes before all others on PATH', () => {
  const made = (name: string, lines: string): string =>
    `mkdir -p node_modules/.bin; printf '${lines}' > node_modules/.bin/${name}; chmod +x node_modules/.bin/${name}`

  async function attemptBare(agent: string, ignored: string): Promise<Attempt> {
    await cli.write({
      'p/.gitignore': ignored,
      'p/package.json': '{ "type": "module", "scripts": { "test": "node check.mjs" } }\n',
      'p/check.mjs': `import { total } from './cart.mjs'\nprocess.exit(total([1, 2]) === 3 ? 0 : 1)\n`,
      'p/cart.mjs': PROJECT['p/cart.mjs'],
      'p/HEARTBEAT.md': '## Tasks\n- [ ] fix | Fix the totals | required | verify: changed("cart.mjs")\n',
      'p/pulseward.toml': '[agent]\ncommand = ["sh", "../agent.sh"]\n[gates]\ncommands = [["npm", "test"]]\n',
      'agent.sh': agentScript(agent, { task_id: 'fix', status: 'done', exit_signal: true }),
    })
    commitAll(join(cli.root, 'p'))
    return firstAttempt(cli)
  }

  test.each([
    ['node', '#!/bin/sh\\nexit 0\\n', 'node_modules/\n'],
    ['node', '#!/bin/sh\\nexit 0\\n', ''],
    // The shell that npm runs the script with.
    ['sh', '#!/bin/true\\n', 'node_modules/\n'],
  ])('holds a new %s in it', async (name, lines, ignored) => {
    const rigged = await attemptBare(`echo '// as asked' >> cart.mjs\n${made(name, lines)}`, ignored)
    expect(rigged).toMatchObject({
      ...HELD,
      held: { files: [`node_modules/.bin/${name}`] },
    })
  })

  test.each([
    ['a program of another name', made('mini', '#!/bin/sh\\nexit 0\\n')],
    [
      'a link to the real node, as its package creates it',
      `mkdir -p node_modules/.bin; ln -s '${process.execPath}' node_modules/.bin/node`,
    ],
  ])('pays finished work with %s in it', async (_name, agent) => {
    expect(await attemptBare(`${REPAIRED}\n${agent}`, 'node_modules/\n')).toMatchObject(PAID)
  })
})
