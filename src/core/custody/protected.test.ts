import { describe, expect, test } from 'vitest'
import { isPassedOver, protectedByDefault, protectionBy, toldBy } from './protected.ts'

describe('files protected by default', () => {
  test.each([
    [
      'JavaScript',
      'src/cart.test.ts',
      'src/__tests__/cart.tsx',
      'test/index.js',
      'vitest.config.mts',
      'jest.config.cjs',
      '.mocharc.json',
      'src/__snapshots__/cart.test.ts.snap',
      'packages/a/package.json',
      '.eslintrc.cjs',
      'tsconfig.build.json',
      'babel.config.js',
      '.npmrc',
      'cypress/support/e2e.ts',
      'playwright.config.ts',
      'vitest.setup.ts',
      'vitest.unit.config.ts',
      'playwright-ct.config.ts',
      'src/cart.bench.ts',
      '.pnp.cjs',
      'packages/a/.pnp.loader.mjs',
      'test.mjs',
    ],
    [
      'Python',
      'tests/test_cart.py',
      'cart/test_cart.py',
      'cart_test.py',
      'conftest.py',
      'pytest.ini',
      'tox.ini',
      'setup.cfg',
      'pyproject.toml',
      '.coveragerc',
      'tests/data/expected.json',
      'pytest.py',
      'random.py',
      'sitecustomize.py',
    ],
    ['Go', 'cart/cart_test.go', 'cart/testdata/a.golden', 'go.mod', '.golangci.yml'],
    [
      'Rust',
      'tests/cart.rs',
      'Cargo.toml',
      'build.rs',
      '.cargo/config.toml',
      '.config/nextest.toml',
      'src/tests.rs',
      'src/parser/tests.rs',
    ],
    [
      'Java and Kotlin',
      'src/test/java/org/CartTest.java',
      'src/test/resources/a.json',
      'pom.xml',
      'build.gradle.kts',
      'app/src/androidTest/Cart.kt',
      'src/main/resources/META-INF/services/org.junit.jupiter.api.extension.Extension',
      'it/CartTestCase.java',
      '.mvn/maven.config',
      'project/plugins.sbt',
      'project/Build.scala',
    ],
    [
      '.NET',
      'Shop.Tests/CartTests.cs',
      'Shop.Tests/Data.cs',
      'Shop/Shop.csproj',
      'Directory.Build.props',
      'ci.runsettings',
      '.runsettings',
      'Shop.testconfig.json',
    ],
    ['Ruby', 'spec/cart_spec.rb', 'test/cart_test.rb', '.rspec', 'Rakefile', 'features/cart.feature'],
    [
      'PHP',
      'tests/CartTest.php',
      'phpunit.xml.dist',
      'phpunit.ci.xml',
      'composer.json',
      'phpstan.neon',
      'Zend/zend.phpt',
    ],
    ['Swift', 'Tests/ShopTests/CartTests.swift', 'Package.swift', 'Shop.xctestplan'],
    [
      'C and C++',
      'cart_test.cc',
      'tests/cart.cpp',
      'CMakeLists.txt',
      'CMakeUserPresets.json',
      'build/CTestTestfile.cmake',
      'meson.build',
      '.clang-tidy',
    ],
    ['Perl', '.proverc', 'lib/Cart.t', 'Makefile.PL'],
    ['Elixir', 'mix.exs', 'apps/shop/test/cart_test.exs', 'test/test_helper.exs'],
    ['shell', 'cart.bats', 'test/setup_suite.bash'],
    ['Deno and Bun', 'deno.json', 'import_map.json', 'bunfig.toml', 'cart_test.ts'],
    [
      'sources that tests share',
      'cart/testutil.go',
      'test_helper.go',
      'src/test_utils.rs',
      'src/testUtils.ts',
      'src/cart-test-helpers.js',
      'src/CartTestSupport.php',
      'lib/TestUtil.pm',
      'lib/test_helpers.ex',
      'shop/testing_utils.py',
      'CartTestCase.php',
      'greatest.h',
      'src/unity.c',
      'tests.c',
    ],
    ['CI', '.github/workflows/ci.yml', '.gitlab-ci.yml', 'Jenkinsfile', '.husky/pre-commit'],
    [
      'linters of other text, and options of Node.js',
      '.yamllint',
      '.hadolint.yaml',
      '.vale.ini',
      'typos.toml',
      '.codespellrc',
      '.sqlfluff',
      '.textlintrc.json',
      'commitlint.config.js',
      '.remarkrc.yml',
      'node.config.json',
      'packages/a/t/lib/Same.pm',
    ],
    ['any language', 'Makefile', 'justfile', 'fixtures/cart.json', 'api/goldens/a.txt', 'tests/run.bats'],
  ])('%s: include tests, fixtures, and the configuration of runners and tools', (_ecosystem, ...paths) => {
    expect(paths.filter((path) => !protectedByDefault(path))).toEqual([])
  })

  // Copied unchanged from the named repositories.
  test.each([
    [
      'node’s own layout',
      'test/parallel/test-fs-read.js',
      'lib/cart-test.js',
      'lib/cart_test.mjs',
      'test-cart.cjs',
    ],
    ['Deno', 'path/join_test.ts', 'deno.jsonc'],
    ['Express', 'test/app.router.js', '.eslintrc.yml', '.mocharc.yml'],
    ['React', 'packages/react/src/__tests__/React-test.js', 'scripts/jest/config.base.test.js'],
    ['Angular', 'src/app/app.component.spec.ts', 'karma.conf.js', 'tsconfig.spec.json'],
    ['Nx', 'libs/a/project.json', 'nx.json', 'libs/a/jest.config.ts'],
    [
      'Perl modules that shadow standard ones',
      'lib/Test/More.pm',
      'lib/Test/Builder.pm',
      'lib/Test/Builder/IO/Scalar.pm',
      'lib/Test2/API.pm',
      'lib/Test2/Util/HashBase.pm',
      'lib/TAP/Harness.pm',
      'lib/TAP/Parser/Grammar.pm',
      'lib/App/Prove.pm',
      'lib/strict.pm',
      'lib/warnings.pm',
      'blib/lib/List/Util.pm',
    ],
    ['other Rakefile names', 'rakefile', 'rakefile.rb', 'Rakefile.rb', 'Rakefile'],
    ['Django', 'shop/tests.py', 'shop/tests/test_views.py', 'tox.ini', 'pytest.toml'],
    ['CPython', 'Lib/test/test_os.py', 'Lib/test/support/__init__.py'],
    ['Flask', 'tests/conftest.py', 'pyproject.toml'],
    ['Behave', 'features/steps/cart.py', 'behave.ini'],
    ['Kubernetes', 'pkg/api/cart_test.go', 'test/e2e/cart.go', 'hack/testdata/a.yaml', '.golangci.yaml'],
    ['ripgrep', 'tests/regression.rs', 'crates/core/Cargo.toml', 'rustfmt.toml'],
    ['Spring', 'src/test/java/org/CartTests.java', 'gradle/libs.versions.toml', 'gradle/testing.gradle'],
    ['ASP.NET', 'test/Shop.FunctionalTests/CartTest.cs', 'test/Shop/appsettings.Test.json', 'Shop.slnx'],
    ['Rails', 'test/models/cart_test.rb', 'test/fixtures/carts.yml', 'spec/rails_helper.rb', 'cucumber.yml'],
    ['Laravel', 'tests/Feature/CartTest.php', 'tests/Pest.php', 'phpunit.xml', 'rector.php'],
    ['Symfony', 'src/Component/Cart/Tests/CartTest.php', 'behat.yml.dist'],
    ['Alamofire', 'Tests/SessionTests.swift', 'Alamofire.xcodeproj/project.pbxproj'],
    ['LLVM', 'llvm/unittests/ADT/CartTest.cpp', 'llvm/test/cart/lit.cfg.py', 'llvm/CMakeLists.txt'],
    [
      'PHP with its linters',
      '.phpcs.xml',
      'phpcs.xml.dist',
      'phpstan-baseline.neon',
      'psalm-baseline.xml',
      'psalm.xml.dist',
    ],
    ['older and rarer linters', 'tslint.json', '.xo-config.json', 'dprint.json', '.dprint.jsonc'],
    [
      'other CI services',
      '.woodpecker.yml',
      '.appveyor.yml',
      'appveyor.yml',
      '.cirrus.yml',
      '.semaphore/semaphore.yml',
      'buildspec.yml',
      'buildspec-test.yaml',
    ],
    ['shell', 'test.sh', 'cart_test.sh', 'spec/cart_spec.sh', '.shellspec', 'bin/run-tests.sh'],
  ])('include those of %s', (_project, ...paths) => {
    expect(paths.filter((path) => !protectedByDefault(path))).toEqual([])
  })

  test('do not include agents’ own rules, whose changes are reported anyway', () => {
    for (const path of ['AGENTS.md', 'app/CLAUDE.md', '.claude/settings.json', 'test/a.test.js']) {
      expect(toldBy(['default'])(path), path).toBe(true)
      expect(toldBy(['docs/**'])(path), path).toBe(false)
    }
    expect(protectionBy(['default'])('AGENTS.md')).toBe(false)
    expect(toldBy(['default'])('docs/agents.md')).toBe(false)
  })

  test('do not include what agent programs write and delete beside their rules, which is not reported either', () => {
    for (const path of ['.claude/session.lock', '.opencode/tmp/a.test.js', '.codex/history.jsonl']) {
      expect(toldBy(['default'])(path), path).toBe(false)
    }
    for (const path of ['.claude/agents/a.md', '.cursor/rules/a.mdc', '.codex/config.toml']) {
      expect(toldBy(['default'])(path), path).toBe(true)
    }
  })

  test('do not include what only has a name like a service or a linter', () => {
    const paths = ['docs/semaphore.md', 'src/semaphore/lock.ts', 'src/buildspec.ts', 'src/dprint/json.rs']
    expect([...paths, 'docs/phpstan-baseline.md', 'src/cirrus.yml.ts'].filter(protectedByDefault)).toEqual([])
  })

  test('do not include sources, documents, lock files, caches, output and agents’ own rules', () => {
    const free = [
      'src/cart.ts',
      'cart.py',
      'cart/cart.go',
      'src/lib.rs',
      'src/main/java/org/Cart.java',
      'src/main/resources/META-INF/services/org.shop.Plugin',
      'lib/Cart.pm',
      'lib/cart.ex',
      'config/runtime.exs',
      'Shop/Cart.cs',
      'README.md',
      'docs/spec.md',
      'package-lock.json',
      'go.sum',
      'Cargo.lock',
      'uv.lock',
      'AGENTS.md',
      '.claude/settings.json',
      'tests/__pycache__/test_cart.cpython-312.pyc',
      '.pytest_cache/v/cache/lastfailed',
      'node_modules/a/test/b.test.js',
      'target/debug/build.rs',
      'coverage/test/index.html',
      'dist/tests/a.js',
      'app/random.py',
      'latest.ts',
      'src/contest.py',
      'src/testimonials.py',
      'src/attest.js',
      'src/inspect.ts',
      'scripts/fastest.sh',
      'src/unit.ts',
      'src/typos.ts',
      'docs/buf.md',
      'src/t/index.ts',
      'app/hardhat.ts',
      'app/protest.rb',
      'greatest.go',
      'src/latestUtils.ts',
      'src/contest_data.py',
      'src/fastest-helper.js',
      'app/GreatestSupport.php',
      'src/testing.ts',
    ]
    expect(free.filter(protectedByDefault)).toEqual([])
  })

  test('include what tests compare with, whatever its name, but not what is built and written there', () => {
    const data = [
      'tests/fixtures/access.log',
      'tests/golden/run.log',
      'testdata/out/a.txt',
      'test/fixtures/dist/bundle.js',
      'src/parse/__fixtures__/build/a.o',
      'src/target/add.test.js',
      'tests/target/a.py',
      'app.dist-info/entry_points.txt',
      'src/app.egg-info/entry_points.txt',
      '.yarn/releases/yarn-4.cjs',
      '.rspec-local',
      'AppTests/Fixtures/a.json',
      'Totals.verified.txt',
    ]
    expect(data.filter((path) => !protectedByDefault(path))).toEqual([])
    const free = [
      'build/fixtures/access.log',
      'dist/testdata/a.txt',
      'tests/run.log',
      'dist/tests/a.js',
      'tests/fixtures/a.txt.swp',
      'tests/fixtures/__pycache__/a.cpython-312.pyc',
      'target/test-classes/fixtures/a.txt',
      'module/target/debug/build/build.rs',
      'app.dist-info/METADATA',
      'src/mail.verified.event.ts',
    ]
    expect(free.filter(protectedByDefault)).toEqual([])
  })
})

describe('protected in pulseward.toml', () => {
  test('adds its own globs to the table, replaces it without "default", and protects nothing if empty', () => {
    const both = protectionBy(['default', 'docs/spec/**'])
    expect([both('docs/spec/a.md'), both('a.test.ts'), both('src/a.ts')]).toEqual([true, true, false])
    const own = protectionBy(['docs/spec/**'])
    expect([own('docs/spec/a.md'), own('a.test.ts')]).toEqual([true, false])
    expect(protectionBy([])('a.test.ts')).toBe(false)
  })
})

test('does not treat a folder `target` among sources as a compiler’s output', () => {
  expect(['target', 'core/target', 'src/target', 'app/tests/target'].map(isPassedOver)).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('skips dependencies and caches, but never folders of tests', () => {
  expect(['node_modules', '.git', '__pycache__', 'tests', 'bin', 'build'].map(isPassedOver)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ])
})

describe('files below a folder of tests, whatever their own folder is called', () => {
  test.each([
    'test/bin/run.js',
    'test/build/config.js',
    'tests/dist/a.js',
    'test/out/case.txt',
    'tests/obj/a.obj',
    'test/coverage/report.json',
    't/lib/Helper.pm',
    't/data/cart.json',
    'Foo-Bar/t/cart.t',
    'xt/pod.t',
    'test/test_helper.exs',
  ])('are protected: %s', (path) => expect(protectedByDefault(path)).toBe(true))

  test.each(['dist/test/a.js', 'build/tests/a.txt', 'lib/t/cart.pm', 'coverage/tests/index.html'])(
    'are not protected below build output: %s',
    (path) => expect(protectedByDefault(path)).toBe(false),
  )
})

describe('lists of findings to ignore, and vendored libraries', () => {
  test.each([
    'lint-baseline.json',
    'phpstan-baseline.neon',
    '.secrets.baseline',
    'quality/suppressions.xml',
    'ci/known-failures.txt',
    '.gitleaksignore',
    '.pnp.data.json',
    'lib/price.jar',
    'wheels/price-1.0-py3-none-any.whl',
  ])('are protected: %s', (path) => expect(protectedByDefault(path)).toBe(true))

  test.each([
    'src/baseline.ts',
    'styles/baseline.css',
    'docs/baseline.md',
    'src/baseline-rates.json',
    'docs/known-issues.md',
    'src/suppressions.py',
    'src/jar.ts',
    'target/app.jar',
  ])('are not protected if only their names are similar: %s', (path) =>
    expect(protectedByDefault(path)).toBe(false),
  )
})
