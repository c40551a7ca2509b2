import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const program = fileURLToPath(new URL('./testing/print-handles.ts', import.meta.url))

test.runIf(process.platform === 'linux')(
  'handles that Pulseward inherited reach none of its children: an open folder gives no way out of a sandbox',
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'pulseward-handles-'))
    const secrets = join(directory, 'elsewhere')
    onTestFinished(() => rmSync(directory, { recursive: true }))
    mkdirSync(secrets)
    writeFileSync(join(secrets, 'secret'), 'a secret')
    const folder = openSync(secrets, 'r')
    onTestFinished(() => closeSync(folder))
    // High numbers: Node.js itself closes the lowest ones for children.
    const places = Array.from({ length: 252 }, (_, place) =>
      place === 40 || place === 251 ? folder : 'ignore',
    )
    const host = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', program, directory, '251'],
      { stdio: ['ignore', 'pipe', 'inherit', ...places.slice(3)] },
    )
    const [all] = await Promise.all([
      text(host.stdout as NonNullable<typeof host.stdout>),
      once(host, 'close'),
    ])
    const [own, ...rest] = all.split('\n')
    expect(own, 'what Pulseward was given').toMatch(/elsewhere$/)
    const said = rest.join('\n')
    expect(said).toContain('what it was told')
    expect(said).not.toContain('secret')
    expect(said).not.toContain('elsewhere')
  },
)
