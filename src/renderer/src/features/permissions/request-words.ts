import { CONFIRMATION } from '../../../../core/vocabulary/permission.ts'

/** Describes what an agent asks to do, by kind of tool: `claude asks to run a command`. */
export function wishInWords(tool: string): string {
  return WISHES[tool] ?? `use a tool (${tool})`
}

const WISHES: Readonly<Record<string, string>> = {
  edit: 'change files',
  delete: 'delete files',
  move: 'move files',
  read: 'read files',
  search: 'search files',
  execute: 'run a command',
  fetch: 'fetch an address',
  other: 'use a tool',
  [CONFIRMATION]: 'change score or trust',
}
