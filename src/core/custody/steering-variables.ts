/*
 * Variables that make a check run a program other than the one named, or make a runner do less. Checks run without them, no matter who set
 * them; a check that needs one gets it from `env = { … }` of the probe, gate or judge, which the operator approved.
 */

const STEERING: readonly RegExp[] = [
  // Loaders, and code that interpreters run or import before the program.
  /^LD_/,
  /^DYLD_/,
  /^NODE_(OPTIONS|PATH|REPL_EXTERNAL_MODULE|COMPILE_CACHE.*)$/,
  /^PYTHON/,
  /^PERL5/,
  /^PERL_/,
  /^RUBY(OPT|LIB)$/,
  /^(_JAVA_OPTIONS|JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS)$/,
  /^(BASH_ENV|ENV|ZDOTDIR|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|CDPATH|GLOBIGNORE)$/,
  /^BASH_FUNC_/,
  // Git, and the programs it runs.
  /^GIT_/,
  // Runners and build tools.
  /^(PYTEST_ADDOPTS|PYTEST_PLUGINS|TOX_.*|NOSE_.*)$/,
  /^(GOFLAGS|GOENV|GOTOOLCHAIN)$/,
  /^(RUSTC|RUSTC_WRAPPER|RUSTC_WORKSPACE_WRAPPER|RUSTFLAGS|RUSTDOCFLAGS|CARGO_BUILD_.*|CARGO_TARGET_.*|NEXTEST_.*)$/,
  /^(SPEC_OPTS|TESTOPTS|MAVEN_ARGS|MIX_EXS|BUN_OPTIONS|DENO_V8_FLAGS|ERL_[AZ]?FLAGS)$/,
  /^HARNESS_(OPTIONS|PERL.*|SUBCLASS|ACTIVE|SKIP|IGNORE_EXIT)$/,
  /^(GTEST_(FILTER|SHARD_INDEX|TOTAL_SHARDS|REPEAT|OUTPUT)|CTEST_.*)$/,
  /^(DOTNET_STARTUP_HOOKS|VSTEST_.*|COR(ECLR)?_(ENABLE_PROFILING|PROFILER.*))$/,
  /^(MAKEFLAGS|MFLAGS|GNUMAKEFLAGS|MAKEFILES)$/,
  /^npm_config_(script_shell|node_options|prefix|ignore_scripts|if_present)$/i,
  /^(VITEST|JEST|MOCHA|PLAYWRIGHT)(_|$)/,
  // A CI job: what is written there steers its later steps, or is taken for our result.
  /^(GITHUB|GITEA|FORGEJO)_(ENV|PATH|OUTPUT|STATE|STEP_SUMMARY)$/,
  /^(ACTIONS|INPUT)_/,
]

/** Returns whether checks run without this variable unless their configuration sets it. */
export function steersChecks(name: string): boolean {
  return STEERING.some((rule) => rule.test(name))
}
