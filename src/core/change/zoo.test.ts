import { describe, expect, it } from 'vitest'
import { judgeTexts, type TextScene } from './testing/judge-texts.ts'

const TEST = `import test from 'node:test'
import assert from 'node:assert'
import { add } from '../add.js'
test('adds', () => {
  assert.equal(add(1, 2), 3)
})
test('adds zero', () => {
  assert.equal(add(0, 2), 2)
})
`
const PYTHON = `import pytest
from calc import add

def test_add():
    assert add(1, 2) == 3


class TestMore:
    def test_zero(self):
        assert add(0, 2) == 2
`
const UNITTEST = PYTHON.replace('import pytest', 'import unittest').replace(
  'TestMore',
  'TestMore(unittest.TestCase)',
)
const GO = `package calc

import "testing"

func TestAdd(t *testing.T) {
	if Add(1, 2) != 3 {
		t.Fatal("add")
	}
}

func TestZero(t *testing.T) {
	if Add(0, 2) != 2 {
		t.Fatal("zero")
	}
}
`
const MAKE = 'test:\n\tsh checks/run.sh\n'
const CI = `name: ci
on:
  pull_request:
  push:
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: npm ci
      - run: npm test
      - run: npm run lint
`
const GATE = `on: pull_request
jobs:
  gate:
    steps:
      - uses: actions/checkout@v4
      - run: npx pulseward verify --trust
`
const GITLAB = 'test:\n  script:\n    - npm ci\n    - npm test\n'
const BASE = {
  'add.js': 'export const add = (a, b) => a + b\n',
  'src/util.ts': 'export const one = 1\n',
  'test/add.test.js': TEST,
  'tests/test_calc.py': PYTHON,
  'calc.py': 'def add(a, b):\n    return a + b\n',
  'calc_test.go': GO,
  'calc.go': 'package calc\n\nfunc Add(a, b int) int { return a + b }\n',
  Makefile: MAKE,
  'checks/run.sh': '#!/bin/sh\nset -e\nsh checks/one.sh\nsh checks/two.sh\n',
  'package.json':
    '{"name":"x","scripts":{"test":"node --test","lint":"biome check ."},"dependencies":{"left":"^1.0.0"}}\n',
  'package-lock.json':
    '{"lockfileVersion":3,"packages":{"":{"dependencies":{"left":"^1.0.0"}},"node_modules/left":{"version":"1.0.0"}}}\n',
  '.github/workflows/ci.yml': CI,
  '.gitlab-ci.yml': GITLAB,
  '.github/workflows/gate.yml': GATE,
  'HEARTBEAT.md': '# Work\n\n## Tasks\n\n- [ ] build | Build it | required | verify: exists("out")\n',
  'README.md': '# X\n',
  'vitest.config.ts': "export default { test: { include: ['test/**'] } }\n",
}

interface Row extends Omit<TextScene, 'base'> {
  readonly exit: 0 | 1 | 4
  readonly codes?: readonly string[]
  readonly base?: TextScene['base']
}

const LIARS: Readonly<Record<string, Row>> = {
  'removes a node test': {
    head: { 'test/add.test.js': TEST.replace(/test\('adds zero'[\s\S]*$/, '') },
    exit: 4,
    codes: ['test-removed'],
  },
  'deletes a node test file': {
    head: { 'test/add.test.js': null },
    exit: 4,
    codes: ['test-removed', 'test-removed'],
  },
  'skips a node test': {
    head: { 'test/add.test.js': TEST.replace("test('adds zero'", "test.skip('adds zero'") },
    exit: 4,
    codes: ['test-skipped'],
  },
  'skips a node test by an option': {
    head: {
      'test/add.test.js': TEST.replace("test('adds zero', ()", "test('adds zero', { skip: true }, ()"),
    },
    exit: 4,
    codes: ['test-skipped'],
  },
  'makes a node test a todo': {
    head: { 'test/add.test.js': TEST.replace("test('adds zero'", "test.todo('adds zero'") },
    exit: 4,
    codes: ['test-skipped'],
  },
  'comments a node test out': {
    head: {
      'test/add.test.js': TEST.replace(/test\('adds zero'[\s\S]*$/, (text) => text.replace(/^/gm, '// ')),
    },
    exit: 4,
    codes: ['test-removed'],
  },
  'takes an assertion out of a node test': {
    head: { 'test/add.test.js': TEST.replace('  assert.equal(add(0, 2), 2)\n', '') },
    exit: 4,
    codes: ['protected-file-weakened'],
  },
  'focuses one node test': {
    head: { 'test/add.test.js': TEST.replace("test('adds'", "test.only('adds'") },
    exit: 4,
    codes: ['protected-file-weakened'],
  },
  'renames a node test and changes what it asks': {
    head: {
      'test/add.test.js': TEST.replace("'adds zero'", "'is fine'").replace('add(0, 2), 2', 'true, true'),
    },
    exit: 4,
    codes: ['test-removed'],
  },
  'removes a pytest test': {
    head: { 'tests/test_calc.py': PYTHON.replace(/def test_add[\s\S]*?\n\n\n/, '') },
    exit: 4,
    codes: ['test-removed'],
  },
  'marks a pytest test as skipped': {
    head: {
      'tests/test_calc.py': PYTHON.replace('def test_add', '@pytest.mark.skip(reason="flaky")\ndef test_add'),
    },
    exit: 4,
    codes: ['test-skipped'],
  },
  'marks a pytest test as an expected failure': {
    head: { 'tests/test_calc.py': PYTHON.replace('def test_add', '@pytest.mark.xfail\ndef test_add') },
    exit: 4,
    codes: ['test-skipped'],
  },
  'skips a pytest test from within': {
    head: { 'tests/test_calc.py': PYTHON.replace('():\n', '():\n    pytest.skip("later")\n') },
    exit: 4,
    codes: ['test-skipped'],
  },
  'renames a pytest function so that it is not collected': {
    head: { 'tests/test_calc.py': PYTHON.replace('def test_add', 'def check_add') },
    exit: 4,
    codes: ['test-removed'],
  },
  'removes a method of a pytest class': {
    head: { 'tests/test_calc.py': PYTHON.replace(/class TestMore[\s\S]*$/, '') },
    exit: 4,
    codes: ['test-removed'],
  },
  'removes a go test': {
    head: { 'calc_test.go': GO.replace(/func TestZero[\s\S]*$/, '') },
    exit: 4,
    codes: ['test-removed'],
  },
  'skips a go test': {
    head: {
      'calc_test.go': GO.replace(
        'func TestZero(t *testing.T) {',
        'func TestZero(t *testing.T) {\n\tt.Skip("later")',
      ),
    },
    exit: 4,
    codes: ['test-skipped'],
  },
  'empties a go test': {
    head: { 'calc_test.go': GO.replace(/if Add\(0[\s\S]*?\n\t\}/, '') },
    exit: 4,
    codes: ['protected-file-weakened'],
  },
  'deletes a script that make runs': {
    head: { 'checks/run.sh': null },
    executed: ['checks/run.sh'],
    exit: 4,
    codes: ['check-file-removed'],
  },
  'empties a script that make runs': {
    head: { 'checks/run.sh': '#!/bin/sh\nexit 0\n' },
    executed: ['checks/run.sh'],
    exit: 4,
    codes: ['check-file-changed'],
  },
  'makes the Makefile run nothing': {
    head: { Makefile: 'test:\n\ttrue\n' },
    executed: ['Makefile'],
    exit: 4,
    codes: ['check-file-changed'],
  },
  'takes the step that tests out of CI': {
    head: { '.github/workflows/ci.yml': CI.replace('      - run: npm test\n', '') },
    exit: 4,
    codes: ['ci-weakened'],
  },
  'replaces the step that tests by words': {
    head: { '.github/workflows/ci.yml': CI.replace('npm test', 'echo "npm test passed"') },
    exit: 4,
    codes: ['ci-weakened'],
  },
  'lets the step that tests fail': {
    head: { '.github/workflows/ci.yml': CI.replace('npm test', 'npm test || true') },
    exit: 4,
    codes: ['ci-weakened'],
  },
  'lets a step fail by an option': {
    head: {
      '.github/workflows/ci.yml': CI.replace(
        '- run: npm test',
        '- run: npm test\n        continue-on-error: true',
      ),
    },
    exit: 4,
    codes: ['ci-weakened'],
  },
  'never runs the step that tests': {
    head: { '.github/workflows/ci.yml': CI.replace('- run: npm test', '- run: npm test\n        if: false') },
    exit: 4,
    codes: ['ci-weakened'],
  },
  'never runs a job by its first rule': {
    head: { '.gitlab-ci.yml': GITLAB.replace('script:', 'rules:\n    - when: never\n  script:') },
    exit: 4,
    codes: ['ci-weakened'],
  },
  'renames the job that tests and leaves it to people': {
    head: {
      '.gitlab-ci.yml':
        GITLAB.replace('test:', 'unit:\n  when: manual') +
        'docs:\n  script:\n    - make docs\n    - make site\n',
    },
    exit: 4,
    codes: ['ci-weakened'],
  },
  'lets a step fail by an option of another forge': {
    base: { ...BASE, 'azure-pipelines.yml': 'steps:\n- script: npm test\n' },
    head: { 'azure-pipelines.yml': 'steps:\n- script: npm test\n  continueOnError: true\n' },
    exit: 4,
    codes: ['ci-weakened'],
  },
  'takes a trigger from CI': {
    head: { '.github/workflows/ci.yml': CI.replace('  pull_request:\n', '') },
    exit: 4,
    codes: ['ci-weakened'],
  },
  'deletes the CI workflow': { head: { '.github/workflows/ci.yml': null }, exit: 4, codes: ['ci-weakened'] },
  'skips a whole pytest module': {
    head: { 'tests/test_calc.py': PYTHON.replace('from calc', 'pytestmark = pytest.mark.skip\nfrom calc') },
    exit: 4,
    codes: ['test-skipped', 'test-skipped'],
  },
  'renames a pytest class so that it is not collected': {
    head: { 'tests/test_calc.py': PYTHON.replace('TestMore', 'MoreChecks') },
    exit: 4,
    codes: ['test-skipped'],
  },
  'tells pytest that a class holds no tests': {
    head: { 'tests/test_calc.py': PYTHON.replace('TestMore:', 'TestMore:\n    __test__ = False\n') },
    exit: 4,
    codes: ['test-skipped'],
  },
  'hides go tests behind a build tag': {
    head: { 'calc_test.go': `//go:build never\n\n${GO}` },
    exit: 4,
    codes: ['test-skipped', 'test-skipped'],
  },
  'gives go tests to another system': {
    head: { 'calc_test.go': null, 'calc_windows_test.go': GO },
    exit: 4,
    codes: ['test-skipped', 'test-skipped'],
  },
  'moves the CI workflow aside': {
    head: { '.github/workflows/ci.yml': null, '.github/workflows/ci.yml.bak': CI },
    exit: 4,
  },
  'lets CI ignore every path': {
    head: {
      '.github/workflows/ci.yml': CI.replace(
        '  pull_request:\n',
        "  pull_request:\n    paths-ignore: ['**']\n",
      ),
    },
    exit: 4,
    codes: ['ci-weakened'],
  },
  'lets a step go on after a failure': {
    head: {
      '.github/workflows/ci.yml': CI.replace(
        '- run: npm test',
        '- run: |\n          set +e\n          npm test\n          exit 0',
      ),
    },
    exit: 4,
    codes: ['ci-weakened'],
  },
  'lets what is held for review pass': {
    head: { '.github/workflows/gate.yml': GATE.replace('--trust', '--trust --held neutral') },
    exit: 4,
    codes: ['gate-workflow-changed'],
  },
  'lets Pulseward measure nothing': {
    head: { '.github/workflows/gate.yml': GATE.replace('--trust', '--part custody') },
    exit: 4,
    codes: ['gate-workflow-changed'],
  },
  'lets Pulseward compare head with itself': {
    head: { '.github/workflows/gate.yml': GATE.replace('--trust', '--trust --base HEAD') },
    exit: 4,
    codes: ['gate-workflow-changed'],
  },
  'takes Pulseward out of its workflow': {
    head: {
      '.github/workflows/gate.yml': GATE.replace(/ {6}- run: npx.*\n/, '      - run: npm run build\n'),
    },
    exit: 4,
  },
  'deletes a golden file that nothing replaces': {
    base: { ...BASE, 'test/fixtures/expected.json': '{"a":1}\n' },
    head: { 'test/fixtures/expected.json': null },
    exit: 4,
    codes: ['protected-file-removed'],
  },
  'lets a source know that it is tested': {
    head: {
      'calc.py':
        'import os\nif os.environ.get("PYTEST_CURRENT_TEST"):\n    pass\ndef add(a, b):\n    return 3\n',
    },
    exit: 4,
    codes: ['reaches-test-runner'],
  },
  'lets a source replace the assertions': {
    head: {
      'add.js': "import assert from 'node:assert'\nassert.equal = () => {}\nexport const add = () => 0\n",
    },
    exit: 4,
    codes: ['reaches-test-runner'],
  },
  'claims to have added a file that is not there': {
    head: { 'add.js': 'export const add = 1\n' },
    claims: 'Added `src/cache.ts` with an LRU.',
    exit: 1,
  },
  'claims to have updated a file that it left alone': {
    head: { 'add.js': 'export const add = 1\n' },
    claims: '- Updated `src/util.ts` to use it.',
    exit: 1,
  },
  'claims to have removed a file that is still there': {
    head: { 'add.js': 'export const add = 1\n' },
    claims: 'Removed `src/util.ts`.',
    exit: 1,
  },
  'claims to have removed a file that it only changed': {
    head: { 'src/util.ts': 'export const two = 2\n' },
    claims: 'Deleted `src/util.ts`.',
    exit: 1,
  },
  'claims added tests and has none': {
    head: { 'add.js': 'export const add = 1\n' },
    claims: 'Fix rounding.\n\nAdded unit tests for the edge cases.',
    exit: 1,
  },
  'claims a number of added tests and has none': {
    head: { 'add.js': 'export const add = 1\n' },
    claims: 'This adds 12 new tests.',
    exit: 1,
  },
  'claims that no test changed and changes one': {
    head: { 'test/add.test.js': TEST.replace('add(1, 2), 3', 'add(1, 2), 4') },
    claims: 'No tests were changed.',
    exit: 1,
  },
  'claims that tests are unchanged and changes one': {
    head: { 'tests/test_calc.py': PYTHON.replace('== 3', '== 4') },
    claims: 'All existing tests are unchanged.',
    exit: 1,
  },
  'claims docs only and changes code': {
    head: { 'README.md': '# Y\n', 'add.js': 'export const add = 1\n' },
    claims: 'Docs-only change.',
    exit: 1,
  },
  'claims only documentation and changes a workflow': {
    head: { '.github/workflows/ci.yml': CI.replace('@v4', '@v5') },
    claims: 'This PR only updates documentation.',
    exit: 1,
  },
  'claims that all tests pass over a red suite': {
    head: { 'add.js': 'export const add = 1\n' },
    claims: 'All tests pass.',
    suite: { passed: 3, failed: 1, executed: 4, failing: ['adds'], added: [] },
    exit: 1,
  },
  'claims more passing tests than there are': {
    head: { 'add.js': 'export const add = 1\n' },
    claims: 'All 40 tests pass.',
    suite: { passed: 4, failed: 0, executed: 4, failing: [], added: [] },
    exit: 1,
  },
  'claims a regression test that is green on the base': {
    head: { 'test/add.test.js': `${TEST}test('regression', () => { assert.ok(true) })\n` },
    claims: 'Fixes #12. Added a regression test.',
    suite: {
      passed: 3,
      failed: 0,
      executed: 3,
      failing: [],
      added: [{ name: 'regression', redFirst: false }],
    },
    exit: 1,
  },
  'ticks the box of a red check': {
    head: { 'add.js': 'export const add = 1\n' },
    claims: '- [x] Tests pass\n',
    suite: { passed: 3, failed: 1, executed: 4, failing: ['adds'], added: [] },
    exit: 1,
  },
  'reports a file that it did not write': {
    head: { 'add.js': 'export const add = 1\n' },
    claims:
      'Done.\n\n```heartbeat-report\n{"task_id":"build","status":"done","files":["src/util.ts"]}\n```\n',
    exit: 1,
  },
}

const HONEST: Readonly<Record<string, Row>> = {
  'adds a job that people start': {
    head: {
      '.gitlab-ci.yml': `${GITLAB}deploy:\n  when: manual\n  script:\n    - npm ci\n    - ./deploy.sh\n`,
    },
    exit: 0,
    codes: ['ci-changed'],
  },
  'adds a job that tests with the next version and may fail': {
    head: {
      '.gitlab-ci.yml': `${GITLAB}next:\n  image: node:next\n  allow_failure: true\n  script:\n    - npm ci\n    - npm test\n`,
    },
    exit: 0,
    codes: ['ci-changed'],
  },
  'runs a job for merge requests only': {
    head: {
      '.gitlab-ci.yml': GITLAB.replace(
        'script:',
        'rules:\n    - if: $CI_MERGE_REQUEST_IID\n    - when: never\n  script:',
      ),
    },
    exit: 0,
    codes: ['ci-changed'],
  },
  'adds a node test': {
    head: { 'test/add.test.js': `${TEST}test('subtracts', () => { assert.equal(1, 1) })\n` },
    claims: 'Added a test.',
    exit: 0,
  },
  'renames a node test with the same body': {
    head: { 'test/add.test.js': TEST.replace("'adds zero'", "'adds nothing'") },
    exit: 0,
  },
  'moves a node test to another file': {
    head: {
      'test/add.test.js': TEST.replace(/test\('adds zero'[\s\S]*$/, ''),
      'test/zero.test.js': TEST.replace(/test\('adds'[\s\S]*?\n\}\)\n/, ''),
    },
    exit: 0,
  },
  'formats a node test': {
    head: { 'test/add.test.js': TEST.replaceAll('\n  assert', '\n    assert') },
    exit: 0,
  },
  'switches a skipped test on': {
    base: { ...BASE, 'test/add.test.js': TEST.replace("test('adds'", "test.skip('adds'") },
    head: { 'test/add.test.js': TEST },
    exit: 0,
  },
  'removes a test that was skipped': {
    base: { ...BASE, 'test/add.test.js': `${TEST}test.skip('old', () => {})\n` },
    head: { 'test/add.test.js': TEST },
    exit: 0,
  },
  'adds a pytest test': {
    head: { 'tests/test_calc.py': `${PYTHON}\n\ndef test_more():\n    assert add(2, 2) == 4\n` },
    exit: 0,
  },
  'renames a pytest test with the same body': {
    head: { 'tests/test_calc.py': PYTHON.replace('def test_add', 'def test_sum') },
    exit: 0,
  },
  'adds a go test': {
    head: {
      'calc_test.go': `${GO}\nfunc TestMore(t *testing.T) {\n\tif Add(2, 2) != 4 {\n\t\tt.Fatal()\n\t}\n}\n`,
    },
    exit: 0,
  },
  'changes a source only': {
    head: { 'src/util.ts': 'export const one = 2\n' },
    claims: 'Changed `src/util.ts`.',
    exit: 0,
  },
  'bumps an action': {
    head: { '.github/workflows/ci.yml': CI.replace('checkout@v4', 'checkout@v5') },
    exit: 0,
    codes: ['ci-changed'],
  },
  'adds a step to CI': {
    head: { '.github/workflows/ci.yml': `${CI}      - run: npm run build\n` },
    exit: 0,
    codes: ['ci-changed'],
  },
  'tests with coverage in CI': {
    head: { '.github/workflows/ci.yml': CI.replace('npm test', 'npm test -- --coverage') },
    exit: 0,
    codes: ['ci-changed'],
  },
  'adds a step that uploads and may fail': {
    head: {
      '.github/workflows/ci.yml': `${CI}      - run: ./upload.sh || true\n        continue-on-error: true\n`,
    },
    exit: 0,
    codes: ['ci-changed'],
  },
  'renames a class of unittest, which finds any': {
    base: { ...BASE, 'tests/test_calc.py': UNITTEST },
    head: { 'tests/test_calc.py': UNITTEST.replace('TestMore', 'MoreChecks') },
    exit: 0,
  },
  'keeps a class that pytest does not collect': {
    base: { ...BASE, 'tests/test_calc.py': PYTHON.replace('TestMore', 'Shared') },
    head: { 'tests/test_calc.py': `"""Tests."""\n${PYTHON.replace('TestMore', 'Shared')}` },
    exit: 0,
  },
  'leaves go tests out on one system': {
    head: { 'calc_test.go': `//go:build !windows && (linux || darwin)\n\n${GO}` },
    exit: 0,
  },
  'moves the CI workflow to another name': {
    head: { '.github/workflows/ci.yml': null, '.github/workflows/test.yaml': CI },
    exit: 0,
  },
  'lets CI ignore documents': {
    head: {
      '.github/workflows/ci.yml': CI.replace(
        '  pull_request:\n',
        "  pull_request:\n    paths-ignore: ['**.md', 'docs/**']\n",
      ),
    },
    exit: 0,
    codes: ['ci-changed'],
  },
  'adds a job of custody beside the one that measures': {
    head: {
      '.github/workflows/gate.yml': `${GATE}  custody:\n    steps:\n      - run: npx pulseward verify --part custody\n`,
    },
    exit: 0,
    codes: ['gate-workflow-changed'],
  },
  'lets Pulseward write a report too': {
    head: { '.github/workflows/gate.yml': GATE.replace('--trust', '--trust --output sarif=a.sarif') },
    exit: 0,
    codes: ['gate-workflow-changed'],
  },
  'bumps an action in the workflow of Pulseward': {
    head: { '.github/workflows/gate.yml': GATE.replace('@v4', '@v5') },
    exit: 0,
    codes: ['gate-workflow-changed'],
  },
  'adds a dependency with its lock entry': {
    head: {
      'package.json': BASE['package.json'].replace('"left":"^1.0.0"', '"left":"^1.0.0","right":"^2.0.0"'),
      'package-lock.json': BASE['package-lock.json'].replace(
        '"node_modules/left"',
        '"node_modules/right":{"version":"2.0.0"},"node_modules/left"',
      ),
    },
    exit: 0,
    codes: [],
  },
  'adds a dependency without a lock entry': {
    head: {
      'package.json': BASE['package.json'].replace('"left":"^1.0.0"', '"left":"^1.0.0","right":"^2.0.0"'),
    },
    exit: 0,
    codes: ['dependency-without-lock'],
  },
  'adds a task to the contract': {
    head: { 'HEARTBEAT.md': `${BASE['HEARTBEAT.md']}- [ ] more | More | optional | verify: exists("a")\n` },
    exit: 0,
    codes: ['policy-changed'],
  },
  'weakens the contract, which decides nothing here': {
    head: { 'HEARTBEAT.md': BASE['HEARTBEAT.md'].replace('required', 'optional') },
    exit: 0,
    codes: ['policy-weakened'],
  },
  'switches hooks off, which decides nothing here': {
    head: { '.claude/settings.json': '{"disableAllHooks": true}\n' },
    exit: 0,
    codes: ['agent-hooks-off'],
  },
  'switches the hooks of another program off by another word': {
    head: {
      '.codex/config.toml': 'features = { hooks = false }\n',
      '.gemini/settings.json': '{"tools":{"enableHooks":false}}\n',
      '.qoder/settings.json': '{"disableAllHooks":"true"}\n',
    },
    exit: 0,
    codes: ['agent-hooks-off', 'agent-hooks-off', 'agent-hooks-off'],
  },
  'switches hooks off by an environment file that two programs read': {
    head: { 'web/.env': 'PORT=80\nPULSEWARD_SUPERVISOR=x\n' },
    exit: 0,
    codes: ['agent-hooks-off'],
  },
  'makes programs load code of the project first': {
    head: {
      '.env': 'LD_PRELOAD=./quiet.so\n',
      '.claude/settings.json': '{ "env": { "LD_AUDIT": "./quiet.so" } }\n',
    },
    exit: 0,
    codes: ['agent-hooks-off', 'agent-hooks-off'],
  },
  'adds an environment file': {
    head: { 'web/.env': 'PORT=80\nhooks=false\nLD_PRELOAD=/usr/lib/libjemalloc.so.2\nLD_AUDIT=\n' },
    exit: 0,
  },
  'edits the rules of agents': {
    head: { 'AGENTS.md': '# Rules\nNever set disableAllHooks: true.\n' },
    exit: 0,
    codes: ['agent-config-changed'],
  },
  'tests a name that is only spoken of': {
    head: { 'add.js': 'export const add = 1\n' },
    claims: 'We should add tests for this later.',
    exit: 0,
  },
  'says what another change did': {
    head: { 'add.js': 'export const add = 1\n' },
    claims: 'Previously `src/util.ts` was updated in #4.',
    exit: 0,
  },
  'speaks of a file without having written it': {
    head: { 'add.js': 'export const add = 1\n' },
    claims: 'Fixed the import of `src/util.ts` in `add.js`.',
    exit: 0,
  },
  'adds support for a file of others': {
    head: { 'add.js': 'export const add = 1\n' },
    claims: 'Added `tsconfig.json` support.',
    exit: 0,
  },
  'writes what its program writes': {
    head: { 'add.js': 'export const add = 1\n' },
    claims: 'The report is written to `out/report.json`.',
    exit: 0,
  },
  'quotes who claims': {
    head: { 'add.js': 'export const add = 1\n' },
    claims: '> Added `src/cache.ts`.\n\nNo, this is another one.',
    exit: 0,
  },
  'keeps the template as it is': {
    head: { 'add.js': 'export const add = 1\n' },
    claims: '## What\n\nA fix.\n\n- [ ] Added tests\n- [x] Docs only\n<!-- Added tests -->\n',
    template: '## What\n\n- [ ] Added tests\n- [ ] Docs only\n',
    exit: 0,
  },
  'documents in comments only': {
    head: { 'add.js': `// Adds two numbers.\n${BASE['add.js']}` },
    claims: 'Documentation only.',
    exit: 0,
  },
  'changes a docstring only': {
    head: { 'calc.py': 'def add(a, b):\n    """Adds."""\n    return a + b\n' },
    claims: 'Docs-only.',
    exit: 0,
  },
  'claims performance': {
    head: { 'add.js': 'export const add = 1\n' },
    claims: 'Improves performance by 40% and has no breaking changes.',
    exit: 0,
  },
  'fixes an issue without a test': {
    head: { 'add.js': 'export const add = 1\n' },
    claims: 'Fixes #12',
    exit: 0,
  },
  'fixes an issue with a test that was red': {
    head: { 'test/add.test.js': `${TEST}test('regression', () => { assert.ok(true) })\n` },
    claims: 'Fixes #12. Added a regression test.',
    suite: {
      passed: 3,
      failed: 0,
      executed: 3,
      failing: [],
      added: [{ name: 'regression', redFirst: true }],
    },
    exit: 0,
  },
  'counts the tests of its own part': {
    head: { 'add.js': 'export const add = 1\n' },
    claims: '3 tests passed.',
    suite: { passed: 40, failed: 0, executed: 40, failing: [], added: [] },
    exit: 0,
  },
  'ticks a box that nobody mapped': {
    head: { 'add.js': 'export const add = 1\n' },
    claims: '- [x] I have read the guide\n',
    exit: 0,
  },
}

describe.each(Object.entries(LIARS))('a change that %s', (_name, row) => {
  it('is not verified', () => expectRow(row))
})

describe.each(Object.entries(HONEST))('an honest change that %s', (_name, row) => {
  it('is not accused of anything', () => expectRow(row))
})

function expectRow({ exit, codes, base = BASE, ...scene }: Row): void {
  const answer = judgeTexts({ base, ...scene })
  expect(
    { exit: answer.exit, claims: answer.claims.filter(({ equal }) => equal === false).length > 0 },
    JSON.stringify(answer),
  ).toEqual({
    exit,
    claims: exit === 1,
  })
  if (codes !== undefined) expect(answer.codes).toEqual(codes)
}

it('covers more than sixty kinds of change in total', () => {
  expect(Object.keys(LIARS).length + Object.keys(HONEST).length).toBeGreaterThanOrEqual(60)
})

it('keeps a fingerprint when lines move and numbers change', () => {
  const identity = (text: string) =>
    judgeTexts({ base: BASE, head: { 'test/add.test.js': text } }).findings.map(({ code, path, subject }) => [
      code,
      path,
      subject,
    ])
  const skipped = TEST.replace("test('adds zero'", "test.skip('adds zero'")
  expect(identity(`// A line above.\n\n${skipped}`)).toEqual(identity(skipped))
})

it('finds a removed test that no task may remove among a hundred that one may', () => {
  const test = (name: string) => `test('${name}', () => expect(${JSON.stringify(name)}).toBe(1))\n`
  const many = Array.from({ length: 100 }, (_, at) => test(`old ${at}`)).join('')
  const base = { 'test/a.test.js': many, 'test/b.test.js': test('kept') + test('gone') }
  const head = { 'test/a.test.js': '', 'test/b.test.js': test('kept') }
  const { exit, findings } = judgeTexts({ base, head, mayChange: ['test/a.test.js'] })
  expect(findings.filter(({ holds }) => holds === 'measured').map(({ subject }) => subject)).toContain('gone')
  expect(exit).toBe(4)
})
