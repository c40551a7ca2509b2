import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fileFor } from '../src/core/update/feed.ts'
import { openFeed } from '../src/main/update/signed-feed.ts'
import { changesOf, makeFeed, signFeed } from './feed.ts'

const CHANGELOG =
  '# Changelog\n\n## Unreleased\n\n- later\n\n## 0.2.0 (2026-11-20)\n\n### Added\n\n- a fleet\n\n## 0.1.0\n\n- all\n'
const NOW = Date.parse('2026-11-22T12:00:00Z')

let dist: string
beforeEach(() => {
  dist = mkdtempSync(join(tmpdir(), 'pulseward-feed-'))
})
afterEach(() => rmSync(dist, { recursive: true }))

function made(version: string, previous: Parameters<typeof makeFeed>[0]['previous'] = []) {
  const names = [
    `pulseward_${version}_amd64.deb`,
    `pulseward-${version}-1.aarch64.rpm`,
    `pulseward-${version}.tgz`,
  ]
  for (const name of [...names, 'SHA256SUMS', 'sbom.cdx.json']) writeFileSync(join(dist, name), name)
  return makeFeed({
    version,
    changelog: CHANGELOG,
    dist,
    url: 'https://pulseward.example/v/',
    previous,
    nowMs: NOW,
    days: 180,
  })
}

it('makes a feed that the app accepts, from the current and earlier packages', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const feed = made('0.2.0', made('0.1.0').releases)
  const opened = openFeed(signFeed(feed, privateKey), {
    keys: [publicKey],
    from: 'feed.json',
    nowMs: NOW,
    notBefore: null,
  })
  expect(opened.releases.map(({ version, changes }) => [version, changes])).toEqual([
    ['0.2.0', '### Added\n\n- a fleet'],
    ['0.1.0', '- all'],
  ])
  const [release] = opened.releases
  const names = ['deb', 'rpm', 'npm', 'archive'].flatMap(
    (form) => fileFor(release, { form, arch: form === 'rpm' ? 'arm64' : 'x64' })?.url ?? 'none',
  )
  expect(names).toEqual([
    'https://pulseward.example/v/pulseward_0.2.0_amd64.deb',
    'https://pulseward.example/v/pulseward-0.2.0-1.aarch64.rpm',
    'https://pulseward.example/v/pulseward-0.2.0.tgz',
    'none',
  ])
})

it('releases nothing that the changelog does not mention', () => {
  expect(() => changesOf(CHANGELOG, '0.3.0')).toThrow('has no section "## 0.3.0"')
})

it('includes resources/updates.json in the npm package', () => {
  const { files } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'))
  expect(files).toContain('resources/updates.json')
})
