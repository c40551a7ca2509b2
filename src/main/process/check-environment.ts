/*
 * Variables by which something other than the program named would run, or by which a runner is told to do less. A check runs
 * without them, whoever set them; one that needs one gets it by `env = { … }` of the probe, gate or judge, which the operator approved.
 */

import { GIT_OF_CHECKS } from '../../core/custody/git-view.ts'
import { withheldVariables, without } from './secret-variables.ts'

const STEERING: readonly RegExp[] = [
  // Loaders, and what interpreters run or import before the program.
  /^LD_/,
  /^DYLD_/,
  /^NODE_(OPTIONS|PATH|REPL_EXTERNAL_MODULE)$/,
  /^PYTHON/,
  /^PERL5/,
  /^PERL_/,
  /^RUBY(OPT|LIB)$/,
  /^(_JAVA_OPTIONS|JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS)$/,
  /^(BASH_ENV|ENV|ZDOTDIR|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|CDPATH|GLOBIGNORE)$/,
  /^BASH_FUNC_/,
  // Git, and what it runs.
  /^GIT_/,
  // Runners and build tools.
  /^(PYTEST_ADDOPTS|PYTEST_PLUGINS|TOX_.*|NOSE_.*)$/,
  /^(GOFLAGS|GOENV|GOTOOLCHAIN)$/,
  /^(RUSTC|RUSTC_WRAPPER|RUSTC_WORKSPACE_WRAPPER|RUSTFLAGS|RUSTDOCFLAGS|CARGO_BUILD_.*|CARGO_TARGET_.*|NEXTEST_.*)$/,
  /^(MAKEFLAGS|MFLAGS|GNUMAKEFLAGS|MAKEFILES)$/,
  /^npm_config_(script_shell|node_options|prefix|ignore_scripts|if_present)$/i,
  /^(VITEST|JEST|MOCHA|PLAYWRIGHT)(_|$)/,
  // A CI job: what is written there steers its later steps, or is taken for a result of ours.
  /^(GITHUB|GITEA|FORGEJO)_(ENV|PATH|OUTPUT|STATE|STEP_SUMMARY)$/,
  /^(ACTIONS|INPUT)_/,
]

/** Whether a check runs without this variable unless its configuration gives it. */
export function steersChecks(name: string): boolean {
  return STEERING.some((rule) => rule.test(name))
}

/** What a check is given beside what every program is. */
export interface CheckVariables {
  /** With their values. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** The names of inherited ones that look like secrets and are passed on all the same. */
  readonly envFrom?: readonly string[] | undefined
}

/** What to add to the inherited environment for a check: what steers and what looks like a secret taken out (`undefined`), then what it is given. */
export function checkEnvironment(
  { env = {}, envFrom = [] }: CheckVariables,
  inherited: NodeJS.ProcessEnv = process.env,
): Record<string, string | undefined> {
  const steering = Object.keys(inherited).filter(steersChecks)
  // Named, a variable is passed on though it is an outer agent's.
  const passed = envFrom.flatMap((name) => (inherited[name] === undefined ? [] : [[name, inherited[name]]]))
  return {
    ...without([...steering, ...withheldVariables(envFrom, inherited)]),
    ...GIT_OF_CHECKS,
    ...Object.fromEntries(passed),
    ...env,
  }
}
