import { CompletionContext } from '@codemirror/autocomplete'
import { EditorState } from '@codemirror/state'
import { expect, it } from 'vitest'
import { startDocument } from '../text/line-endings.ts'
import { completeTaskLine, probeReader } from './completion.ts'
import { parsedContract, startWorld } from './parsed-contract.ts'

const READ = { tests: { passed: 3, 'by hand': 1 }, ok: true }

/** Returns the completions offered at the end of a check, as `label detail`. */
async function offered(
  hint: string,
  reads: (name: string) => unknown = () => READ,
): Promise<string[] | null> {
  const text = `## Tasks\n\n- [ ] a | A task | required | verify: ${hint}`
  const probes = [
    { name: 'suite', source: 'npm test', parse: 'json' },
    { name: 'mails', source: './mails', parse: 'number' },
  ]
  const { doc, extensions } = startDocument(text)
  const state = EditorState.create({
    doc,
    extensions: [
      extensions,
      startWorld({ probes, approvedCommands: [] }),
      parsedContract,
      probeReader.of(async (name) => reads(name)),
    ],
  })
  const result = await completeTaskLine(new CompletionContext(state, text.length, false))
  return result?.options.map(({ label, detail }) => `${label} ${detail}`) ?? null
}

it('offers the current members of a JSON probe with their values, at any depth', async () => {
  expect(await offered('suite.')).toEqual(['tests {"passed":3,"by hand":1}', 'ok true'])
  // Names that cannot be written in an expression are not offered.
  expect(await offered('1 < suite.tests.pa')).toEqual(['passed 3'])
})

it('offers nothing inside a value without members, for another probe, or if the probe cannot be read', async () => {
  expect(await offered('suite.ok.')).toBeNull()
  expect(await offered('mails.')).toBeNull()
  expect(await offered('other.')).toBeNull()
  expect(await offered('suite.', () => undefined)).toBeNull()
})

it('offers the probe itself before the dot', async () => {
  expect(await offered('sui')).toContain('suite probe, json')
})
