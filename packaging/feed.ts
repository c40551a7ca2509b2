/*
 * Creates the signed update feed from the packages in dist/ after `npm run package`:
 *
 *   npm run feed -- new-key KEY.pem                        creates the publisher's key; prints its public half for resources/updates.json
 *   npm run feed -- sign --key KEY.pem --url ADDRESS       writes dist/feed.json; ADDRESS is the folder where the packages will be
 *       [--previous feed.json] [--days 180]                       keeps the earlier feed's releases, which can be rolled back to
 *
 * The publisher keeps the private key outside the repository.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  FEED_FORMAT,
  type Feed,
  feedSchema,
  type Release,
  type ReleaseFile,
  SIGNED_AS,
  signedFeedSchema,
} from '../src/core/update/feed.ts'

/** How many releases the feed lists; each of these can be rolled back to. Older ones are on the release page. */
const RELEASES_KEPT = 20

const FORMS: readonly (readonly [RegExp, Pick<ReleaseFile, 'form' | 'arch'>])[] = [
  [/_amd64\.deb$/, { form: 'deb', arch: 'x64' }],
  [/_arm64\.deb$/, { form: 'deb', arch: 'arm64' }],
  [/\.x86_64\.rpm$/, { form: 'rpm', arch: 'x64' }],
  [/\.aarch64\.rpm$/, { form: 'rpm', arch: 'arm64' }],
  [/-linux-x64\.tar\.gz$/, { form: 'archive', arch: 'x64' }],
  [/-linux-arm64\.tar\.gz$/, { form: 'archive', arch: 'arm64' }],
  [/\.tgz$/, { form: 'npm', arch: 'any' }],
  [/-arm64(-mac)?\.zip$/, { form: 'mac', arch: 'arm64' }],
  [/-mac\.zip$/, { form: 'mac', arch: 'x64' }],
  [/\.exe$/, { form: 'windows', arch: 'any' }],
]

interface Making {
  readonly version: string
  readonly changelog: string
  /** The folder with the packages. */
  readonly dist: string
  /** Where they will be published. */
  readonly url: string
  readonly previous: readonly Release[]
  readonly nowMs: number
  readonly days: number
}

/** Returns the feed with this release and earlier ones. Throws if there is nothing to release. */
export function makeFeed({ version, changelog, dist, url, previous, nowMs, days }: Making): Feed {
  const files = readdirSync(dist)
    .sort()
    .flatMap((name): ReleaseFile[] => {
      const kind = FORMS.find(([pattern]) => pattern.test(name))?.[1]
      // Packages of another version don't belong to this release.
      if (kind === undefined || !name.includes(version)) return []
      const content = readFileSync(join(dist, name))
      const sha256 = createHash('sha256').update(content).digest('hex')
      return [{ name, ...kind, url: `${url.replace(/\/$/, '')}/${name}`, bytes: content.length, sha256 }]
    })
  if (files.length === 0) throw new Error(`${dist} has no packages. Run \`npm run package\` first.`)
  const date = new Date(nowMs).toISOString()
  const release = { version, date: date.slice(0, 10), changes: changesOf(changelog, version), files }
  const others = previous.filter((each) => each.version !== version)
  return feedSchema.parse({
    issuedAt: date,
    expiresAt: new Date(nowMs + days * 86_400_000).toISOString(),
    releases: [release, ...others].slice(0, RELEASES_KEPT),
  })
}

/** Returns the section of a version, without its heading. */
export function changesOf(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1)
  const own = sections.find((section) => section.startsWith(version))
  if (own === undefined)
    throw new Error(
      `CHANGELOG.md has no section "## ${version}". Add one, because users are shown what is new.`,
    )
  return own.slice(own.indexOf('\n') + 1).trim()
}

export function signFeed(feed: Feed, key: KeyObject): string {
  const text = JSON.stringify(feed)
  const signature = sign(null, Buffer.from(`${SIGNED_AS}${text}`), key).toString('base64')
  return `${JSON.stringify({ format: FEED_FORMAT, feed: text, signature })}\n`
}

/** Returns the public key in the format of `resources/updates.json`. */
export function publicHalf(key: KeyObject): string {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  return Buffer.from(x, 'base64url').toString('base64')
}

function main(args: readonly string[]): void {
  const root = join(import.meta.dirname, '..')
  const text = { type: 'string' } as const
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { key: text, url: text, previous: text, days: { ...text, default: '180' } },
  })
  const [action, file] = positionals
  if (action === 'new-key' && file !== undefined) {
    const { privateKey } = generateKeyPairSync('ed25519')
    // `wx`: never overwrite a key.
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' })
    console.log(publicHalf(privateKey))
    return
  }
  const { key, url, previous, days } = values
  if (action !== 'sign' || key === undefined || url === undefined) {
    throw new Error(
      'Usage: feed.ts new-key KEY.pem | feed.ts sign --key KEY.pem --url ADDRESS [--previous FILE] [--days N]',
    )
  }
  const privateKey = createPrivateKey(readFileSync(key))
  const named: string[] = JSON.parse(readFileSync(join(root, 'resources/updates.json'), 'utf8')).keys
  if (!named.includes(publicHalf(privateKey))) {
    throw new Error(
      `resources/updates.json does not name ${publicHalf(privateKey)}, so no installed app would accept this feed.`,
    )
  }
  const before =
    previous === undefined ? null : signedFeedSchema.parse(JSON.parse(readFileSync(previous, 'utf8')))
  const feed = makeFeed({
    version: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version,
    changelog: readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
    dist: join(root, 'dist'),
    url,
    previous: before === null ? [] : feedSchema.parse(JSON.parse(before.feed)).releases,
    nowMs: Date.now(),
    days: Number(days),
  })
  writeFileSync(join(root, 'dist/feed.json'), signFeed(feed, privateKey))
  console.log(`dist/feed.json: ${feed.releases.map(({ version }) => version).join(', ')}`)
}

if (import.meta.main) main(process.argv.slice(2))
