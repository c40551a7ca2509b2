import { z } from 'zod'
import { compareVersions, versionSchema } from './version.ts'

/** Increased when older versions could no longer read the feed. */
export const FEED_FORMAT = 1
/** Prepended to what is signed, so that a signature made for another purpose doesn't count. */
export const SIGNED_AS = 'pulseward-updates-1\n'

/** The downloaded document: the feed as text, and a signature of exactly this text. */
export const signedFeedSchema = z.object({
  format: z.int(),
  feed: z.string().max(2_000_000),
  /** Ed25519, in base64. */
  signature: z.string().max(200),
})

const releaseFileSchema = z.object({
  name: z.string().regex(/^[A-Za-z0-9][\w.+-]{0,199}$/),
  /** The installation method: `deb`, `rpm`, `npm`, `archive`; unknown values of later versions are ignored. */
  form: z.string().max(40),
  /** `x64`, `arm64` or `any`. */
  arch: z.string().max(40),
  url: z.url().max(2_000),
  bytes: z.int().min(1).max(2_000_000_000),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})

const releaseSchema = z.object({
  version: versionSchema,
  /** For example, `2026-11-22`. */
  date: z.iso.date(),
  /** What changes for users, as Markdown that is shown as text. */
  changes: z.string().max(20_000),
  files: z.array(releaseFileSchema).max(50),
})

export const feedSchema = z.object({
  issuedAt: z.iso.datetime(),
  /** After this time the signature no longer guarantees that these are the newest. */
  expiresAt: z.iso.datetime(),
  releases: z.array(releaseSchema).max(200),
})

export type Feed = z.infer<typeof feedSchema>
export type Release = Feed['releases'][number]
export type ReleaseFile = Release['files'][number]

/** Returns the releases newer than `version`, newest first. */
export function newerReleases({ releases }: Feed, version: string): readonly Release[] {
  return releases
    .filter((release) => compareVersions(release.version, version) > 0)
    .sort((left, right) => compareVersions(right.version, left.version))
}

/** Returns the file of a release for this kind of installation; `null` if there is none. */
export function fileFor(
  release: Release | undefined,
  { form, arch }: { readonly form: string; readonly arch: string },
): ReleaseFile | null {
  const fits = (file: ReleaseFile) => file.form === form && (file.arch === arch || file.arch === 'any')
  return release?.files.find(fits) ?? null
}
