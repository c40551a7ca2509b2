import type { ChangeVerdict } from '../types.ts'
import { codeQuality } from './code-quality.ts'
import { githubLines } from './github.ts'
import { junit } from './junit.ts'
import { markdown } from './markdown.ts'
import { sarif } from './sarif.ts'
import { textLines } from './text.ts'

export const CHANGE_FORMATS = ['text', 'json', 'markdown', 'github', 'sarif', 'junit', 'codequality'] as const
export type ChangeFormat = (typeof CHANGE_FORMATS)[number]

/** Returns the verdict in one of its formats, with a line break at the end. */
export function renderChange(result: ChangeVerdict, format: ChangeFormat): string {
  switch (format) {
    case 'text':
      return lines(textLines(result))
    case 'json':
      return json(result)
    case 'markdown':
      return markdown(result)
    case 'github':
      return lines(githubLines(result))
    case 'sarif':
      return json(sarif(result))
    case 'junit':
      return junit(result)
    case 'codequality':
      return json(codeQuality(result))
  }
}

function lines(texts: readonly string[]): string {
  return `${texts.join('\n')}\n`
}

function json(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`
}
