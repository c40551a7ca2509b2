import { wordList } from '../text/word-list.ts'

/*
 * The files that decide what checks report, by ecosystem. They are protected if `protected` contains "default".
 *
 * There are three kinds of rules, so that one set lookup decides most paths: a folder includes everything in it,
 * wherever it is; a name is a glob for the last part of the path; a path is a glob for the whole path, from the top
 * of the repository.
 */
export interface ProtectedRules {
  readonly folders?: readonly string[]
  readonly names?: readonly string[]
  readonly paths?: readonly string[]
}

/** Folders of tests, in any ecosystem. */
export const TEST_FOLDERS = ['test', 'tests', '__tests__', 'spec', 'specs', 'e2e']

/** Data that tests read or compare with: a log in it, or a folder called `build`, is not build output. */
export const DATA_FOLDERS = wordList(`
  fixtures __fixtures__ testdata test-data golden goldens expected __expected__ approvals baselines cassettes
`)

const SOURCE =
  '{c,cc,cpp,cxx,h,hh,hpp,hxx,cs,fs,vb,ex,exs,go,java,kt,scala,groovy,js,jsx,ts,tsx,mjs,cjs,mts,cts,php,pl,pm,py,rb,rs,swift,sh,bash}'
/** Code that tests share, in a source whose name suggests it. */
const SHARED = '{case,data,helper,kit,lib,support,util}{,s}'

export const PROTECTED_BY_DEFAULT = {
  'any ecosystem': {
    folders: [
      ...DATA_FOLDERS,
      ...TEST_FOLDERS,
      ...wordList(`
        __snapshots__ snapshots __mocks__ __image_snapshots__ __file_snapshots__ testing testutil testutils
        test-utils test_utils testhelpers test-helpers test_helpers test-support test_support testlib
      `),
    ],
    names: [
      ...wordList(`
        *.snap *.golden *.{expected,approved} *.verified.{txt,json,xml,html,md,csv,y{a,}ml,png,svg}
        *.{expected,approved,golden}.* expected.* expected{-,_}*.*
      `),
      // Findings that linters and scripts of checks no longer report.
      ...wordList(`
        {,.,*[-_.]}baseline.{json,y{a,}ml,toml,txt,xml,csv,neon}
        {,*[-_.]}suppressions.{json,y{a,}ml,toml,txt,xml}
        {,*[-_.]}known[-_.]{issues,failures,findings,errors,violations,warnings}.{json,y{a,}ml,toml,txt,xml,csv}
        .{gitleaks,trivy,semgrep,ansible-lint,markdownlint,solhint}{,-}ignore
        .{secrets.baseline,betterer.results}
      `),
      // Linters of other kinds of text.
      ...wordList(`
        {.yamllint,.vale,.spectral,.hadolint,.ansible-lint,.codespellrc,.ls-lint,.sqlfluff,.gitlint,.proselintrc,.djlintrc}{,.ini,.y{a,}ml,.toml,.json}
        {,.,_}typos.toml {,.}taplo.toml lychee.toml .lycheeignore .{gitleaks,tflint}.{toml,hcl}
        buf.y{a,}ml {,.}deptrac.yaml .{erb,haml,slim}-lint.yml {,.}lintr .luacheckrc .busted
        dart_test.yaml analysis_options.yaml
      `),
      // Libraries vendored with the sources.
      '*.{jar,whl,egg,phar}',
      ...wordList(`
        .env.test{,ing} Makefile makefile GNUmakefile *.mk justfile Justfile .justfile
        Taskfile.y{a,}ml codecov.y{a,}ml .codecov.y{a,}ml .editorconfig .pre-commit-config.yaml
        lefthook.y{a,}ml sonar-project.properties *.bats setup_suite.bash
        {test,tests,run-tests,run_tests,test-runner}.{sh,bash,zsh}
        {test_*,test-*,*_test,*-test,*.test,*_spec}.{sh,bash,zsh}
        {,*[-_.]}{test,tests,testing}{,-,_}${SHARED}.${SOURCE}
        {,*[-_.]}test{,ing}{Case,Data,Helper,Kit,Lib,Support,Util}{,s}.${SOURCE}
        *Test{,s,ing}{Case,Data,Helper,Kit,Lib,Support,Util}{,s}.${SOURCE}
        {,*[-_.]}{test,tests,testing}{,-,_}utilit{y,ies}.${SOURCE} .shellspec .shellcheckrc goss.y{a,}ml
      `),
      // Files that determine the version and settings of a program.
      ...wordList(`
        .tool-versions {,.}mise{,.local}.toml .envrc
        .{nvmrc,node-version,ruby-version,java-version,go-version,sdkmanrc}
      `),
    ],
  },
  CI: {
    folders: wordList('.github .gitlab .circleci .buildkite .husky .woodpecker .forgejo .gitea .semaphore'),
    names: wordList(`
      .gitlab-ci.y{a,}ml .travis.yml azure-pipelines*.y{a,}ml Jenkinsfile* bitbucket-pipelines.yml .drone.yml
      .woodpecker.y{a,}ml {,.}appveyor.y{a,}ml .cirrus.{y{a,}ml,star} buildspec{,-*,_*}.y{a,}ml
      cloudbuild.yaml
    `),
  },
  JavaScript: {
    folders: ['cypress'],
    names: [
      '*.{test,tests,spec,e2e,cy,bench}.{js,jsx,ts,tsx,mjs,cjs,mts,cts,vue,svelte}',
      '*.{test,spec}-d.ts',
      // Names that `node --test`, Deno and Bun look for in addition.
      'test.{js,ts,mjs,cjs,mts,cts}',
      '{test-*,*-test,*_test,*-spec,*_spec,*-tests,*_tests}.{js,jsx,ts,tsx,mjs,cjs,mts,cts}',
      ...wordList(`
        *.{unit,integration}.{js,jsx,ts,tsx,mjs,cjs,mts,cts} *{Test,Tests,Spec}.{js,jsx,ts,tsx,mjs,cjs}
        {vite,vitest,jest,ava,karma,playwright,cypress,wdio,web-test-runner,rstest,craco,nightwatch,webpack,rollup,rspack,rolldown,tsup,babel,swc,esbuild,postcss,metro,stryker,nyc,c8}.{config,conf,workspace,setup}.{js,ts,mjs,cjs,mts,cts,json}
        {vitest,jest,playwright,cypress}{-,.}*.config.{js,ts,mjs,cjs,mts,cts,json}
        vitest.workspace.{js,ts,mjs,mts,json} vitest.{setup,global-setup,globals}.{js,ts,mjs,mts}
        jest.{setup,global-setup,globals,preset}*.{js,ts,mjs,cjs,json}
        {setupTests,setup-tests,test-setup,testSetup}.{js,ts,jsx,tsx,mjs,cjs,mts} jest-preset.{js,json}
        .mocharc* .testcaferc* .labrc* cypress{,.env}.json {,.}angular{,-cli}.json .taprc .nycrc* .c8rc*
        .babelrc* .swcrc {eslint,prettier,stylelint,oxlint,biome,lint-staged}.config.* .eslintrc*
        .eslintignore .prettierrc* .prettierignore .stylelintrc* .stylelintignore .jshint{rc,ignore}
        .oxlintrc.json tslint.json .xo-config{,.js,.cjs,.json} {,.}dprint.json{c,} biome.json{c,}
        tsconfig*.json jsconfig*.json .npmrc .yarnrc{,.yml} .pnpmfile.{cjs,mjs,js}
      `),
      // Files that Yarn's programs load first.
      '.pnp{,.loader}.{cjs,mjs,js}',
      '.pnp.data.json',
      ...wordList(`
        pnpm-workspace.yaml bunfig.toml deno.json{c,}
        import{_,-}map.json gulpfile.* Gruntfile.* turbo.json nx.json lerna.json electron.vite.config.*
        testem.js{on,} cucumber.{js,cjs,mjs,json,y{a,}ml} codecept.conf.{js,ts}
        {knip,cspell,.cspell,typedoc}.json{c,} .dependency-cruiser.{js,cjs,mjs,json}
        .size-limit{,.js,.cjs,.json} .lintstagedrc* .markdownlint* project.json wireit.json package.json
        node.config.json
        .{remark,textlint,htmlhint,depcheck,jscpd,madge,secretlint,commitlint,syncpack}rc*
        {commitlint,textlint,hardhat}.config.{js,cjs,mjs,ts} {lighthouserc,api-extractor}.{js,cjs,json}
        .{htmlvalidate,solhint,pa11yci,jscpd}{,.json}
      `),
    ],
    // The package manager itself, and its plugins.
    paths: ['**/.yarn/{releases,plugins}/**'],
  },
  Python: {
    names: [
      'test_*.py',
      '*_test.py',
      // Django's test files, and what unittest finds by `test*.py`.
      ...wordList('{test,tests}.py {tests_*,*_tests}.py test[A-Z0-9]*.py'),
      ...wordList(`
        conftest.py pytest.ini .pytest.ini
        {,.}pytest.toml tox.{ini,toml} hatch.toml uv.toml noxfile.py behave.ini .behaverc nose.cfg
        unittest.cfg .nose2.cfg robot.toml setup.cfg setup.py pyproject.toml .coveragerc mypy.ini .mypy.ini
        pyrightconfig.json .pylintrc pylintrc .flake8 ruff.toml .ruff.toml ty.toml pyrefly.toml .isort.cfg
        .pydocstyle{,.ini} .pycodestyle .bandit bandit.y{a,}ml .pyre_configuration .importlinter
        .python-version manage_test.py sitecustomize.py usercustomize.py *.pth
      `),
    ],
    // New modules with these names shadow those that a check imports.
    paths: [
      '**/{pytest,_pytest,pluggy,unittest,hypothesis,nose2,coverage}.py',
      '**/{_pytest,pluggy,unittest}/**',
      // pytest finds plugins through installed packages, and a folder with such a name counts as one.
      '**/*.{dist-info,egg-info}/entry_points.txt',
      '{os,sys,re,json,math,random,time,datetime,decimal,subprocess,pathlib,io,types,typing,collections,functools,itertools,inspect,importlib,ast,traceback,warnings,contextlib,enum,copy,abc,string,operator,builtins,site}.py',
    ],
  },
  Go: {
    // A vendored assertion library decides the results of tests.
    paths: ['**/vendor/modules.txt', '**/vendor/**/{testify,go-cmp,gomega,ginkgo,is,check,quicktest}/**'],
    names: wordList(`
      *_test.go go.mod go.work .golangci.{yml,yaml,toml,json} staticcheck.conf .testcoverage.y{a,}ml
      magefile.go
    `),
  },
  Rust: {
    folders: ['benches'],
    names: wordList(`
      Cargo.toml build.rs rust-toolchain{,.toml} clippy.toml .clippy.toml rustfmt.toml .rustfmt.toml deny.toml
      tarpaulin.toml .tarpaulin.toml mutants.toml
    `),
    paths: ['**/.cargo/config{,.toml}', '**/.config/nextest.toml', '**/{tests,test}.rs'],
  },
  'Java and Kotlin': {
    folders: ['androidTest'],
    names: wordList(`
      *{Test,Tests,TestCase,IT,Spec}.{java,kt,kts,groovy,scala} Test*.{java,kt} pom.xml build.gradle{,.kts}
      settings.gradle{,.kts} gradle.properties gradle-wrapper.{properties,jar} gradlew{,.bat} mvnw{,.cmd}
      {build,plugins}.sbt checkstyle*.xml pmd*.xml spotbugs*.xml detekt.y{a,}ml testng*.xml junit-platform.properties
      *.gradle{,.kts} libs.versions.toml lombok.config archunit.properties pitest*.xml .scalafmt.conf
      .scalafix.conf scoverage.properties
    `),
    // JUnit finds extensions and listeners through the contents of such a folder.
    paths: [
      '**/.mvn/**',
      '**/buildSrc/**',
      'project/{*.scala,build.properties}',
      '**/META-INF/services/org.{junit,testng}.*',
    ],
  },
  '.NET': {
    names: wordList(`
      *{Test,Tests,Spec,Specs}.{cs,fs,vb} *{Test,Tests}.{cs,fs,vb}proj *.{cs,fs,vb}proj *.sln{,x}
      Directory.{Build,Packages}.{props,targets} global.json nuget.config NuGet.config *.runsettings *.ruleset
      {,*.}xunit.runner.json {,*.}testconfig.json appsettings.{Test,Testing}.json stylecop.json
      coverlet.runsettings Directory.{Solution,Build}.{props,targets} .globalconfig
    `),
    paths: ['**/*.{Tests,Test,UnitTests,IntegrationTests}/**'],
  },
  Ruby: {
    names: wordList(`
      *_{test,spec}.rb test_*.rb .rspec{,-local} {R,r}akefile{,.rb} *.rake .rubocop{,*.yml} .standard.yml
      .simplecov cucumber.y{a,}ml Guardfile Steepfile .reek.yml .minitest.rb rails_helper.rb test_helper.rb
      spec_helper.rb
    `),
    folders: ['features'],
    paths: ['**/.bundle/config'],
  },
  PHP: {
    names: wordList(`
      *{Test,Cest,Cept}.php *.phpt phpunit{,.*,-*}.xml phpunit.xml.dist phpstan{,.*,-*}.neon phpstan.neon.dist
      phpstan-baseline.{neon,php} psalm{,.dist,-baseline}.xml psalm.xml.dist Pest.php codeception{,.dist}.yml
      .php-cs-fixer{,.dist}.php {,.}phpcs{,.dist}.xml {,.}phpcs.xml.dist infection.json{,5}
      infection.json{,5}.dist behat.y{a,}ml{,.dist} phpspec.y{a,}ml{,.dist} kahlan-config.php rector.php
      ecs.php grumphp.yml phpbench.json composer.json
    `),
  },
  Perl: {
    names: wordList('*.t .proverc Makefile.PL Build.PL cpanfile dist.ini .perlcriticrc .perltidyrc'),
    // New modules with these names shadow those that tests rely on, and those that Perl loads first.
    paths: wordList(`
      t/** **/t/lib/**/*.{pm,pl} **/xt/** **/Test/{More,Simple,Builder,Tester,Harness,Most,Deep,Exception,Differences}.pm
      **/Test/{Builder,Tester}/** **/Test2/{API,Util,Event,Hub,IPC,Formatter,EventFacet}.pm
      **/Test2/{API,Util,Event,Hub,IPC,Formatter,EventFacet}/** **/TAP/{Base,Object,Harness,Parser}.pm
      **/{TAP/{Harness,Parser,Formatter},App/Prove}/** **/App/Prove.pm
      {lib,blib/lib,blib/arch}/{strict,warnings,vars,lib,utf8,feature,overload,overloading,constant,base,parent,integer,bytes,Carp,Exporter,Config,Cwd,POSIX,XSLoader,DynaLoader,AutoLoader,Storable,Encode,B,re,mro}.pm
      {lib,blib/lib,blib/arch}/{warnings/register,Scalar/Util,List/Util,Sub/Util,File/Spec,File/Temp,File/Basename,File/Path,Time/HiRes,Data/Dumper,IO/Handle,IO/File,Tie/RefHash,Term/ANSIColor}.pm
    `),
  },
  Elixir: {
    names: ['*_test.exs', 'test_helper.exs', 'mix.exs', '.formatter.exs', '.credo.exs', 'coveralls.json'],
  },
  Swift: {
    folders: ['Tests', 'UITests', '__Snapshots__'],
    paths: ['**/*Tests/Fixtures/**'],
    names: wordList(`
      *{Tests,Test,Spec}.swift Package.swift *.xctestplan .swiftlint.yml .swiftformat *.xcscheme *.xcconfig
      project.pbxproj Fastfile Scanfile
    `),
  },
  'C and C++': {
    // New headers of these names shadow the system's. Those of test frameworks are kept beside the tests, or among the sources.
    paths: [
      '**/{acutest,catch,doctest,greatest,minunit,munit,testhelp,unity,unity_fixture,utest}.{c,h,hpp}',
      '**/catch_amalgamated.{cpp,hpp}',
      '**/{assert,stdlib,stdio,signal,setjmp,unistd}.h',
      '**/c{assert,stdlib}',
    ],
    names: wordList(`
      *{_test,_tests,_unittest,.test,Test,Tests}.{c,cc,cpp,cxx} test_*.{c,cc,cpp,cxx}
      {test,tests}.{c,cc,cpp,cxx} CMakeLists.txt CMake{,User}Presets.json CTestConfig.cmake *.cmake
      meson.build meson_options.txt BUILD{,.bazel} WORKSPACE{,.bazel} MODULE.bazel .bazelrc configure.ac
      conanfile.{py,txt} vcpkg.json {Test*,*Test,*Tests}.{c,cc,cpp,cxx} xmake.lua premake5.lua configure
      Makefile.{am,in} CTestCustom.cmake DartConfiguration.tcl .lcovrc gcovr.cfg .gcovr .cppcheck* .clang-tidy
      .clang-format
    `),
  },
} as const satisfies Record<string, ProtectedRules>
