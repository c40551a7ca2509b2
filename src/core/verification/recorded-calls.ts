import type { AgentActivity, AgentEventOf, ToolStatus } from '../activity/types.ts'
import { relativePath } from './file-claims.ts'

/*
 * What a program's own report of its work can and can't mean. When in doubt, a call may have done anything: an agent is accused only if
 * nothing it is known to have done could be what it claims.
 */

type EditCall = AgentEventOf<'edit'>
type CommandCall = AgentEventOf<'command'>

/** Programs that only look, print or move files around: whatever their arguments, they run no tests. */
const INERT_PROGRAMS: readonly string[] =
  'ls cat echo printf pwd cd mkdir rmdir touch cp mv rm ln head tail wc grep egrep fgrep rg sort uniq cut tr diff cmp stat file which whoami id uname hostname date true false test [ tree du df basename dirname realpath readlink chmod sleep tee nl od hexdump md5sum sha256sum export set : exit'.split(
    ' ',
  )
const INERT_GIT =
  /^git\s+(?:-C\s+\S+\s+)?(?:status|diff|log|show|add|branch|rev-parse|ls-files|blame|stash list|remote|config)\b/
/** `npm test`, `yarn test:unit`, `npx vitest`, `python -m pytest`, `./run-tests.sh`, `cargo test`. */
const TEST_RUNNER =
  /^(?:\S*\/)?(?:(?:run[-_])?tests?(?:\.(?:sh|js|mjs|ts|py|rb))?|tests?:\S+|pytest|unittest|jest|vitest|mocha|ava|ctest|tox|nox|rspec|phpunit|cypress)$/i
const NO_RUNNER = /^(?:git|gh|docker build|npm (?:i|install|ci)|pip3? install|chmod|cd)\b/
/** Tools that read, search, plan, or talk to Pulseward itself. */
const INERT_TOOL =
  /^(?:read|read_?file|read_many_files|view|open|glob|grep|grep_search|search|search_file_content|file_search|find|ls|list|list_?directory|list_?files|todo_?write|todo_?read|update_plan|update_topic|plan|think|web_?fetch|fetch|web_?search|google_web_search|tool_?search|save_memory)$|report_task|get_contract|get_score/i

/** Returns the edits of a file, oldest first; `path` is as claimed. */
export function editsOf(activity: AgentActivity, path: string, root: string): readonly EditCall[] {
  const claimed = relativePath(path, root)
  return activity.calls.filter((call): call is EditCall => {
    if (call.kind !== 'edit') return false
    const edited = relativePath(call.path, root)
    // A root reached through a link is spelled differently, so comparing the end of the path must be enough.
    return edited === claimed || edited.endsWith(`/${claimed}`) || edited.startsWith(`${claimed}/`)
  })
}

export function commandsOf({ calls }: AgentActivity): readonly CommandCall[] {
  return calls.filter((call): call is CommandCall => call.kind === 'command')
}

/** Returns whether there are calls whose effect only the program knows: servers' tools, subagents, anything not known here. */
export function hasOpaqueCalls({ calls, omittedCalls, unknownEvents }: AgentActivity): boolean {
  return (
    omittedCalls > 0 ||
    calls.some((call) => call.kind === 'tool' && hasRun(call.status) && !INERT_TOOL.test(call.tool.trim())) ||
    Object.keys(unknownEvents).some((type) => /tool|command|exec|call|item|task|agent|hook/i.test(type))
  )
}

/** Returns whether a call may have done something: it was neither denied nor canceled before it ran. */
export function hasRun(status: ToolStatus): boolean {
  return status !== 'denied' && status !== 'cancelled'
}

/** Returns whether a command may have run tests: a script, a target or an alias can do anything. */
export function mayRunTests(command: string): boolean {
  const line = unwrapped(command)
  if (/`|\$\(|<\(/.test(line)) return true
  return segmentsOf(line).some((segment) => !isInert(segment))
}

/**
 * Returns whether a failing exit code of this command comes from its tests: it calls a test runner, and nothing afterwards could fail
 * instead.
 */
export function endsWithTests(command: string): boolean {
  const line = unwrapped(command)
  // Quoted text is data: a commit message, or a pattern to search for.
  const last = segmentsOf(line.replace(/"[^"]*"|'[^']*'/g, '""')).at(-1)
  if (last === undefined || line.includes('|')) return false
  const words = last.split(/\s+/).filter((word) => !word.startsWith('-'))
  return !NO_RUNNER.test(last) && words.slice(0, 4).some((word) => TEST_RUNNER.test(word))
}

/** Returns the command inside `bash -lc '…'`, the form in which programs report what they run. */
export function unwrapped(command: string): string {
  const inner = /^(?:\S*\/)?(?:ba|z|da|k)?sh\s+-\w*c\s+(['"]?)([\s\S]*)\1\s*$/.exec(command.trim())?.[2]
  return (inner ?? command).trim()
}

function segmentsOf(line: string): readonly string[] {
  return line
    .split(/&&|\|\||[;|\n&]/)
    .map((segment) => segment.trim().replace(/^(?:[A-Za-z_]\w*=\S*\s+)+/, ''))
    .filter((segment) => segment !== '')
}

function isInert(segment: string): boolean {
  const program = segment.split(/\s/, 1)[0] ?? ''
  if (program === 'find') return !/-exec|-ok/.test(segment)
  return INERT_PROGRAMS.includes(program) || INERT_GIT.test(segment)
}
