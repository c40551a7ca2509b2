import { z } from 'zod'
import { compareVersions, versionSchema } from './version.ts'

/** A feed that an older version could not read is a new number. */
export const FEED_FORMAT = 1
/** Stands before what is signed, so that no signature made for another purpose counts. */
export const SIGNED_AS = 'pulseward-updates-1\n'

/** What is fetched: the feed as text, and who vouches for exactly this text. */
export const signedFeedSchema = z.object({
  format: z.int(),
  feed: z.string().max(2_000_000),
  /** Ed25519, in base64. */
  signature: z.string().max(200),
})

const releaseFileSchema = z.object({
  name: z.string().regex(/^[A-Za-z0-9][\w.+-]{0,199}$/),
  /** How it is installed: `deb`, `rpm`, `npm`, `archive`; what another version adds is left alone. */
  form: z.string().max(40),
  /** `x64`, `arm64`, or `any`. */
  arch: z.string().max(40),
  url: z.url().max(2_000),
  bytes: z.int().min(1).max(2_000_000_000),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})

const releaseSchema = z.object({
  version: versionSchema,
  /** `2026-11-22`. */
  date: z.iso.date(),
  /** What users can tell the difference by, as Markdown that is shown as text. */
  changes: z.string().max(20_000),
  files: z.array(releaseFileSchema).max(50),
})

export const feedSchema = z.object({
  issuedAt: z.iso.datetime(),
  /** After it nobody vouches any more for these being the newest. */
  expiresAt: z.iso.datetime(),
  releases: z.array(releaseSchema).max(200),
})

export type Feed = z.infer<typeof feedSchema>
export type Release = Feed['releases'][number]
export type ReleaseFile = Release['files'][number]

/** What is newer than `version`, newest first. */
export function newerReleases({ releases }: Feed, version: string): readonly Release[] {
  return releases
    .filter((release) => compareVersions(release.version, version) > 0)
    .sort((left, right) => compareVersions(right.version, left.version))
}

/** The file of a release that this kind of installation takes; `null` where there is none. */
export function fileFor(
  release: Release | undefined,
  { form, arch }: { readonly form: string; readonly arch: string },
): ReleaseFile | null {
  const fits = (file: ReleaseFile) => file.form === form && (file.arch === arch || file.arch === 'any')
  return release?.files.find(fits) ?? null
}
