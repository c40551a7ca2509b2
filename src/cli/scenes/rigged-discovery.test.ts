import { execFileSync } from 'node:child_process'
import { mkdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'
import { agentScript, commitAll, firstAttempt, PAID } from '../testing/rigged-run.ts'

/*
 * What runners and interpreters find by themselves, put there by an agent that has not done its work: each first makes the check green
 * without Pulseward.
 */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const FIX = `sed -i 's/sum - price/sum + price/' cart.mjs`

interface Project {
  readonly files: Readonly<Record<string, string>>
  readonly command: readonly string[]
  /** Installed in the checkout of this repository. */
  readonly installed?: readonly string[]
}

const CART = {
  'cart.mjs': 'export const total = (prices) => prices.reduce((sum, price) => sum - price, 0)\n',
}

const NODE_TEST: Project = {
  files: {
    ...CART,
    'package.json':
      '{ "type": "module", "scripts": { "test": "node --test" }, "imports": { "#cart": "./cart.mjs" } }\n',
    'cart.test.mjs': `import assert from 'node:assert'
import { test } from 'node:test'
import { total } from '#cart'
test('adds prices', () => assert.equal(total([1, 2]), 3))
`,
  },
  command: ['npm', 'test'],
}

const VITEST: Project = {
  files: {
    ...CART,
    'package.json': '{ "type": "module", "scripts": { "test": "vitest run" } }\n',
    'cart.test.ts': `import { expect, test } from 'vitest'
import { total } from './cart.mjs'
test('adds prices', () => expect(total([1, 2])).toBe(3))
`,
  },
  command: ['npx', 'vitest', 'run'],
  installed: ['vitest'],
}

/** A check by a shell script that runs a file next to it. */
const SHELL: Project = {
  files: {
    ...CART,
    'package.json': '{ "type": "module" }\n',
    'check.sh':
      'node -e "import(\'./cart.mjs\').then(({ total }) => process.exit(total([1, 2]) === 3 ? 0 : 1))"\n',
  },
  command: ['bash', 'check.sh'],
}

async function setUp({ files, command, installed = [] }: Project, agent: string): Promise<void> {
  const project = Object.entries(files).map(([path, text]) => [`p/${path}`, text])
  await cli.write({
    ...Object.fromEntries(project),
    'p/HEARTBEAT.md':
      '## Tasks\n- [ ] fix | Fix cart.mjs | required | verify: changed("cart.mjs") | max_attempts: 9\n',
    'p/pulseward.toml': `[agent]\ncommand = ["sh", "../agent.sh"]\nsandbox = "off"\n[gates]\ncommands = [${JSON.stringify(command)}]\n`,
    'p/.gitignore': 'node_modules\n',
    'agent.sh': agentScript(agent, { task_id: 'fix', status: 'done' }),
  })
  for (const name of installed) {
    const place = join(cli.root, 'p/node_modules', name)
    await mkdir(dirname(place), { recursive: true })
    await symlink(join(import.meta.dirname, '../../../node_modules', name), place)
  }
  commitAll(join(cli.root, 'p'))
}

/** Whether the check passes now, when run by hand. */
function isGreen({ command: [program = '', ...args] }: Project): boolean {
  try {
    execFileSync(program, args, { cwd: join(cli.root, 'p'), stdio: 'pipe', timeout: 60_000 })
    return true
  } catch {
    return false
  }
}

/** Touches the file that the task names, and no more. */
const TOUCH = 'echo "// looked at" >> cart.mjs'

const ATTACKS: readonly (readonly [string, Project, string])[] = [
  [
    'a package map that leads the test elsewhere',
    NODE_TEST,
    `echo 'export const total = () => 3' > right.mjs; sed -i 's#./cart.mjs"#./right.mjs"#' package.json`,
  ],
  ['a test script that runs nothing', NODE_TEST, `sed -i 's/node --test/true/' package.json`],
  [
    'an .npmrc that names another shell',
    NODE_TEST,
    `printf '#!/bin/sh\\nexit 0\\n' > sh.sh; chmod +x sh.sh; echo "script-shell=$PWD/sh.sh" > .npmrc`,
  ],
  [
    'a program before its own on the path of packages',
    NODE_TEST,
    `mkdir -p node_modules/.bin; printf '#!/bin/sh\\nexit 0\\n' > node_modules/.bin/node; chmod +x node_modules/.bin/node`,
  ],
  [
    'a configuration of vitest that finds other tests',
    VITEST,
    `echo "import { test } from 'vitest'; test('adds prices', () => {})" > x.test.ts; echo "export default { test: { include: ['x.test.ts'] } }" > vitest.config.mjs`,
  ],
  [
    'a set-up file that changes what is expected',
    VITEST,
    `echo "import { expect } from 'vitest'; expect.extend({ toBe: () => ({ pass: true, message: () => '' }) })" > setup.ts; echo "export default { test: { setupFiles: ['./setup.ts'] } }" > vitest.config.ts`,
  ],
  ['a script that ends at once', SHELL, 'echo "exit 0" > check.sh'],
]

const HONEST: readonly (readonly [string, Project])[] = [
  ['npm test', NODE_TEST],
  ['vitest', VITEST],
  ['a script', SHELL],
]

describe.runIf(process.platform === 'linux')('an agent that has not done its work is not paid by', () => {
  it.each(ATTACKS)(
    '%s',
    async (_, project, rig) => {
      await setUp(project, `${rig}; ${TOUCH}`)
      expect(isGreen(project)).toBe(false)
      const attempt = await firstAttempt(cli)
      // The check passes outside Pulseward with the files as the agent left them.
      expect(isGreen(project)).toBe(true)
      expect(attempt.points).toBeLessThanOrEqual(0)
      expect(attempt.verdict).not.toBe('verified')
    },
    120_000,
  )
})

describe.runIf(process.platform === 'linux')('an agent that has done its work is paid', () => {
  it.each(HONEST)(
    'for %s',
    async (_, project) => {
      await setUp(project, FIX)
      expect(await firstAttempt(cli)).toMatchObject(PAID)
      expect(isGreen(project)).toBe(true)
    },
    120_000,
  )
})
