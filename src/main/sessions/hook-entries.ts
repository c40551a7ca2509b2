import { getNodeValue, type ParseError, parse, parseTree, printParseErrorCode } from 'jsonc-parser'
import { RequestProblem } from '../../api/request-problem.ts'
import { HOOK_EVENTS, type HookEvent } from '../../core/vocabulary/session.ts'
import { addElement, addProperty, READ_AS, removeAt } from './json-edit.ts'
import type { HookProgram } from './programs.ts'

/** By which an entry of ours is known, whatever else of its command changes from version to version. */
const OURS =
  /[\\/]hooks[\\/]hook\.js"? (?:stop|start|prompt|tool|config) --agent \w+|pulseward"? hook (?:stop|start|prompt|tool|config) --agent \w+/

/** The commands of a program's events. */
export type HookCommands = Readonly<Record<HookEvent, string>>

export const NEW_FILE_INDENT = 2

/**
 * Returns a program's file with our entries; every other byte stays. `null`: there is no file yet. Rejects with a `RequestProblem` where
 * the file cannot be understood: a file that we cannot read is not ours to write.
 */
export function withEntries(
  program: HookProgram,
  path: string,
  text: string | null,
  commands: HookCommands,
): string {
  const events = eventsOf(program)
  if (program.text !== undefined)
    return program.text(Object.fromEntries(events.map(([event]) => [event, commands[event]])))
  if (text === null || program.isOwnFile || text.trim() === '')
    return `${JSON.stringify({ ...program.frame, hooks: hooksOf(program, commands) }, null, NEW_FILE_INDENT)}\n`
  refuseBroken(path, text)
  let edited = withoutEntries(program, text)
  if (valueAt(edited, ['hooks']) === undefined) {
    // What has to stand beside hooks that nobody had yet.
    for (const [name, value] of Object.entries(program.frame))
      if (valueAt(edited, [name]) === undefined) edited = addProperty(edited, [], name, value)
    return addProperty(edited, [], 'hooks', hooksOf(program, commands))
  }
  for (const [event, name] of events) {
    const entry = program.entry(commands[event], event)
    edited = Array.isArray(valueAt(edited, ['hooks', name]))
      ? addElement(edited, ['hooks', name], entry)
      : addProperty(edited, ['hooks'], name, [entry])
  }
  return edited
}

/** Returns a program's file without our entries, and without the lists that they leave empty; every other byte stays. */
export function withoutEntries(program: HookProgram, text: string): string {
  if (program.isOwnFile || parseErrors(text).length > 0) return text
  let edited = text
  for (const [, name] of eventsOf(program)) {
    for (;;) {
      const list: unknown = valueAt(edited, ['hooks', name])
      const at = Array.isArray(list) ? list.findIndex(isOurs) : -1
      if (at < 0 || !Array.isArray(list)) break
      edited = removeAt(edited, list.length === 1 ? ['hooks', name] : ['hooks', name, at])
    }
  }
  const hooks: unknown = valueAt(edited, ['hooks'])
  const isEmpty = typeof hooks === 'object' && hooks !== null && Object.keys(hooks).length === 0
  return edited !== text && isEmpty ? removeAt(edited, ['hooks']) : edited
}

/** Which events have an entry of ours. */
export function installedEvents(program: HookProgram, text: string): readonly HookEvent[] {
  if (program.text !== undefined)
    return text.includes('pulseward hook install') ? eventsOf(program).map(([event]) => event) : []
  return eventsOf(program).flatMap(([event, name]) => {
    const list: unknown = valueAt(text, ['hooks', name])
    return Array.isArray(list) && list.some(isOurs) ? [event] : []
  })
}

function eventsOf({ events }: HookProgram): readonly (readonly [HookEvent, string])[] {
  return HOOK_EVENTS.flatMap((event) => {
    const name = events[event]
    return name === undefined ? [] : [[event, name] as const]
  })
}

function hooksOf(program: HookProgram, commands: HookCommands): Readonly<Record<string, object>> {
  return Object.fromEntries(
    eventsOf(program).map(([event, name]) => [name, [program.entry(commands[event], event)]]),
  )
}

function isOurs(entry: unknown): boolean {
  return OURS.test(JSON.stringify(entry)?.replaceAll('\\"', '"').replaceAll('\\\\', '\\') ?? '')
}

function valueAt(text: string, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined,
    parse(text, [], READ_AS) as unknown,
  )
}

function parseErrors(text: string): readonly ParseError[] {
  const errors: ParseError[] = []
  parseTree(text, errors, READ_AS)
  return errors
}

function refuseBroken(path: string, text: string): void {
  const [error] = parseErrors(text)
  if (error !== undefined) {
    const line = text.slice(0, error.offset).split('\n').length
    throw new RequestProblem(
      'unprocessable',
      `${path}:${line} is not valid JSON (${printParseErrorCode(error.error)}). Nothing was written. Repair it, then install again.`,
    )
  }
  const root = parseTree(text, [], READ_AS)
  const value: unknown = root === undefined ? undefined : getNodeValue(root)
  const hooks: unknown = valueAt(text, ['hooks'])
  const isObject = (one: unknown): boolean => typeof one === 'object' && one !== null && !Array.isArray(one)
  if (!isObject(value) || (hooks !== undefined && !isObject(hooks)))
    throw new RequestProblem(
      'unprocessable',
      `${path} does not hold an object with hooks. Nothing was written. Repair it, then install again.`,
    )
}
