import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const HERE = JSON.stringify(new URL('no-forms.ts', import.meta.url).href)

/** Returns what a fresh process prints, because this one may have loaded anything. */
async function say(script: string): Promise<unknown> {
  const isLoaded = `const isLoaded = () => process.moduleLoadList.some((name) => name.endsWith('deps/undici/undici'))`
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '-e',
    `${isLoaded}\n${script}`,
  ])
  return JSON.parse(stdout)
}

test('checking whether something is a form does not load fetch', async () => {
  const answers = `[{}, new Map(), 'text', null, undefined].some((each) => each instanceof FormData)`
  expect(await say(`console.log(JSON.stringify([${answers}, isLoaded()]))`), 'as Node.js has it').toEqual([
    false,
    true,
  ])
  expect(await say(`await import(${HERE}); console.log(JSON.stringify([${answers}, isLoaded()]))`)).toEqual([
    false,
    false,
  ])
})

test('recognizes a form, and creates none', async () => {
  const said = await say(
    `await import(${HERE})
const form = await new Response(new URLSearchParams({ name: 'brought' })).formData()
let made
try { made = new FormData() } catch (error) { made = error.name }
console.log(JSON.stringify([form instanceof FormData, form.get('name'), made]))`,
  )
  expect(said).toEqual([true, 'brought', 'TypeError'])
})
