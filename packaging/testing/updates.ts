import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type ReleaseServer, releaseServer } from '../../src/main/update/testing/release-server.ts'
import { run } from '../run.ts'
import type { Machine } from './machine.ts'

/** As long as the current version, so that it can replace it in the app's archive. */
const OLDER = '0.0.9'

/**
 * Tests updates in two ways. An older version with data finds this one in a signed feed, is updated and rolled back: by an ordinary user,
 * who is told the command that needs root, and by root, for whom Pulseward runs it. Finally installs the package in dist/ over it by hand.
 */
export function testUpdates(machine: Machine, deb: string, version: string): void {
  let server: ReleaseServer
  const package_ = (name: string): string => join(machine.folder, `${name}.deb`)

  test('an older version is installed, and has data', async () => {
    assert.equal(version.length, OLDER.length, 'the other version is as long, or the archive would not fit')
    server = await releaseServer()
    const source = JSON.stringify({ feed: `${server.url}/feed.json`, keys: [server.key] })
    for (const each of [OLDER, version]) repack(deb, package_(each), { version, as: each, source })
    const releases = [OLDER, version].map((each) => server.release(each, readFileSync(package_(each)), 'deb'))
    server.publish({ releases })
    run('dpkg', ['--install', package_(OLDER)])
    assert.equal(machine.pulseward(['--version']).stdout.trim(), OLDER)
    const kept = join(machine.home, 'kept')
    mkdirSync(kept)
    writeFileSync(
      join(kept, 'HEARTBEAT.md'),
      '## Tasks\n\n- [ ] one | Write one.txt | required | verify: changed("one.txt")\n',
    )
    machine.give(kept)
    const added = machine.pulseward(['add', 'kept'])
    assert.equal(added.status, 0, added.stderr)
  })

  test('finds this one in a signed feed, is updated by the command that it names, and is rolled back, with its data', async () => {
    assert.deepEqual(server.asked, [], 'nothing is fetched that was not asked for')
    const known = await machine.ask(['update', 'check'])
    assert.deepEqual([known.form, known.newer[0].version], ['deb', version])
    for (const [action, to] of [
      ['install', version],
      ['rollback', OLDER],
    ] as const) {
      const { installed, command } = await machine.ask(['update', action])
      assert.deepEqual([installed, command[0]], [false, 'sudo'], 'an ordinary user is told what takes root')
      run(command[1], command.slice(2))
      assert.equal(machine.pulseward(['--version']).stdout.trim(), to)
      await assertKept(machine)
    }
  })

  test('installs and rolls back as root by itself', async () => {
    const ask = (action: string) => machine.ask(['update', action], 'root')
    await ask('check')
    assert.equal((await ask('install')).installed, true)
    assert.equal(machine.pulseward(['--version']).stdout.trim(), version)
    assert.equal((await ask('rollback')).installed, true)
    assert.equal(machine.pulseward(['--version']).stdout.trim(), OLDER)
    await server.close()
  })

  test('the package is installed over the older version by hand, and has its data', async () => {
    run('dpkg', ['--install', deb])
    for (const each of [OLDER, version]) rmSync(package_(each))
    await assertKept(machine)
    assert.equal((await machine.ask(['update'])).feed, null, 'this build has no update source')
  })
}

async function assertKept(machine: Machine): Promise<void> {
  const { workspaces } = await machine.ask(['list'])
  assert.deepEqual(
    workspaces.map(({ name }: { name: string }) => name),
    ['kept'],
  )
}

interface Repacking {
  readonly version: string
  /** The version to write instead, of the same length. */
  readonly as: string
  /** The content for its `updates.json`. */
  readonly source: string
}

/** Rebuilds the package as if it were another version, signed by a test publisher. */
function repack(deb: string, to: string, { version, as, source }: Repacking): void {
  const tree = `${to}.tree`
  run('dpkg-deb', ['--raw-extract', deb, tree])
  const change = (path: string, from: string, into: string): void => {
    const file = join(tree, path)
    const text = readFileSync(file, 'latin1')
    writeFileSync(file, text.replaceAll(from, into), 'latin1')
  }
  change('DEBIAN/control', `\nVersion: ${version}\n`, `\nVersion: ${as}\n`)
  const resources = 'usr/lib/pulseward/resources'
  change(`${resources}/app.asar`, `"version": "${version}"`, `"version": "${as}"`)
  change(`${resources}/command/package.json`, `"version": "${version}"`, `"version": "${as}"`)
  const built = join(resources, 'command/out/main')
  for (const name of readdirSync(join(tree, built)).filter((each) => each.endsWith('.js')))
    change(join(built, name), `"${version}"`, `"${as}"`)
  writeFileSync(join(tree, resources, 'command/resources/updates.json'), source)
  run('dpkg-deb', ['--root-owner-group', '-Zzstd', '-z1', '--build', tree, to])
  rmSync(tree, { recursive: true })
}
