import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'
import {
  type Attempt,
  agentScript,
  commitAll,
  events,
  firstAttempt,
  HELD,
  PAID,
} from '../testing/rigged-run.ts'

/* Checks run the agent's code, which can tamper with a check just as the agent can. So the check files are compared again afterwards. */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const RIG = 'echo "process.exit(0)" > check.js'
const FIX = 'touch fixed.txt'

const manifest = (scripts: Readonly<Record<string, string>>): string =>
  JSON.stringify({ name: 'p', version: '1.0.0', scripts: { check: 'node check.js', ...scripts } })

/** Runs an agent whose work is checked by `npm run check` and by a probe that runs `app.js`. */
async function play(lines: string, files: Readonly<Record<string, string>> = {}): Promise<Attempt> {
  await cli.write({
    'p/HEARTBEAT.md':
      '## Tasks\n- [ ] a | Fix it | required | verify: answer == 1 && succeeds("npm run check")\n',
    'p/pulseward.toml': `[agent]\ncommand = ["sh", "../agent.sh"]\nsandbox = "off"
[probes.answer]\ncommand = ["sh", "run.sh"]\nparse = "number"\n[verification]\ncommands = ["npm run check"]\n`,
    'p/package.json': manifest({}),
    'p/check.js': 'process.exit(require("fs").existsSync("fixed.txt") ? 0 : 1)\n',
    'p/run.sh': 'node app.js\n',
    'p/app.js': 'console.log(0)\n',
    'agent.sh': agentScript(lines, { task_id: 'a', status: 'done', files: ['app.js'] }),
    ...files,
  })
  commitAll(`${cli.root}/p`)
  return firstAttempt(cli)
}

const APP = `echo 'console.log(1)' > app.js`
const firstRun = (command: string): string =>
  `cat > package.json <<'X'\n${manifest({ precheck: command })}\nX`

describe('a script that runs before the check', () => {
  it('is held if it replaces the check', async () => {
    const rigged = await play(`${APP}; ${firstRun(RIG)}`)
    expect(rigged).toMatchObject({ ...HELD, held: { because: 'check' } })
    expect(events(rigged)).toEqual(['check_rigged'])
  })

  it('is paid if it doesn’t', async () => {
    const honest = await play(`${APP}; ${FIX}; ${firstRun('node app.js')}`)
    expect(honest).toMatchObject(PAID)
    expect(events(honest)).toEqual([])
  })
})

describe('a source that a check runs', () => {
  it('is held if it replaces the next check', async () => {
    const rig = `require("fs").writeFileSync("check.js", "process.exit(0)")`
    const rigged = await play(`echo '${rig}; console.log(1)' > app.js`)
    expect(rigged).toMatchObject({ ...HELD, held: { because: 'check', files: ['check.js'] } })
  })

  it('is paid if it only writes its results next to it', async () => {
    const write = `require("fs").writeFileSync("app.snap", String(Date.now()))`
    expect(await play(`${FIX}; echo '${write}; console.log(1)' > app.js`)).toMatchObject(PAID)
  })
})

it('a check that restores itself once it has let the work pass is held', async () => {
  const back = '{ git checkout -q check.js; exit 0; }'
  const script = { 'p/package.json': manifest({ check: 'sh check.sh' }), 'p/check.sh': 'test -f fixed.txt\n' }
  const rigged = await play(`${APP}; echo '${back.replace('check.js', 'check.sh')}' > check.sh`, script)
  expect(rigged).toMatchObject({ ...HELD, held: { because: 'check', files: ['check.sh'] } })
})

it('pays for finished work whose check rewrites its own configuration', async () => {
  const script = 'test -f fixed.txt && echo "module.exports = $(date +%N)" > jest.config.js\n'
  const files = { 'p/package.json': manifest({ check: 'sh check.sh' }), 'p/check.sh': script }
  const honest = await play(`${APP}; ${FIX}`, files)
  expect(honest).toMatchObject(PAID)
  expect(events(honest)).toEqual([])
})
