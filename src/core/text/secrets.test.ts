import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { holdsSecret, withoutSecrets } from './secrets.ts'

// Assembled here, so that secret scanners don't report the tests as a leak.
const of = (...parts: string[]) => parts.join('')
const SECRETS: readonly [string, string][] = [
  ['Stripe key', of('sk_', 'live_', '4eC39HqLyjWDarjtT1zdp7dc')],
  ['Stripe key', of('rk_', 'test_', '4eC39HqLyjWDarjtT1zdp7dc')],
  ['AWS access key', of('AKIA', 'IOSFODNN7EXAMPLE')],
  ['GitHub token', of('ghp_', 'a1B2'.repeat(9))],
  ['GitHub token', of('github_pat_', '11ABCDEFG0123456789_abcdef')],
  ['GitLab token', of('glpat-', 'abcdefghij0123456789')],
  ['Slack token', of('xoxb-', '123456789012-abcdefABCDEF')],
  ['webhook address', of('https://hooks.slack.com/services/', 'T00000000/B00000000/abcdefgh')],
  ['Anthropic key', of('sk-', 'ant-api03-', 'abcdefghij0123456789-_')],
  ['API key', of('sk-', 'proj-', 'abcdefghij0123456789')],
  ['Google key', of('AI', 'za', 'b'.repeat(35))],
  ['npm token', of('npm_', 'a1B2'.repeat(9))],
  ['Telegram token', of('123456789:', 'AA', 'b'.repeat(33))],
  ['token', of('eyJ', 'hbGciOiJIUzI1NiJ9.', 'eyJ', 'zdWIiOiIxMjM0In0.', 'abcdefghijklmnop')],
  ['private key', of('-----BEGIN RSA PRIV', 'ATE KEY-----\nMIIabc\nxyz\n-----END RSA PRIV', 'ATE KEY-----')],
]

describe('a secret', () => {
  it.each(SECRETS)('is hidden anywhere in a text: %s', (name, secret) => {
    for (const [before, after] of [
      ['', ''],
      ['key = "', '"'],
      ['{"a":"', '"}'],
      ['see (', ').'],
      ['x=', '\n'],
    ] as const) {
      const text = withoutSecrets(`${before}${secret}${after}`)
      expect(text).toBe(`${before}[${name} hidden]${after}`)
    }
    expect(holdsSecret(`a ${secret} b`)).toBe(true)
  })

  it('in a URL leaves the rest of it readable', () => {
    expect(withoutSecrets('DATABASE_URL=postgres://app:hunter2@db.example.org:5432/x')).toBe(
      'DATABASE_URL=postgres://app:[password hidden]@db.example.org:5432/x',
    )
    expect(withoutSecrets(of('https://', ':tok3n@', 'example.org'))).toBe(
      'https://:[password hidden]@example.org',
    )
  })

  it('in a URL is found whatever precedes it', () => {
    const glued = `sk_live_${'9'.repeat(300)}${of('postgres://u', ':hunter2@', 'h/db')}`
    expect(withoutSecrets(glued)).not.toContain('hunter2')
  })
})

describe('what is not a secret', () => {
  it.each([
    'claimed email_count = 3, measured 0',
    'https://example.org:8080/a@b',
    of('postgres://app:$', '{DB_PASSWORD}@db/x'),
    'sk_live is a prefix; ghp_ too; AKIA',
    'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391',
    'the skeleton-key of task-runner-configuration-file-number-twelve',
    'const token = tokenOf(request)',
    '2026-01-31T18:00:00+01:00',
    'src/features/disk-usage/disk-usage-of-every-workspace-in-the-list.tsx',
  ])('is unchanged: %s', (text) => {
    expect(withoutSecrets(text)).toBe(text)
    expect(holdsSecret(text)).toBe(false)
  })

  it('is unchanged in any text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => {
        expect(withoutSecrets(withoutSecrets(text))).toBe(withoutSecrets(text))
      }),
    )
  })

  it('takes one pass, however long and hostile the text', () => {
    const begun = process.cpuUsage()
    for (const nasty of ['a:', 'eyJa.', '-----BEGIN PRIVATE KEY-----', 'x://', 'x://a:', 'sk-'])
      withoutSecrets(nasty.repeat(200_000 / nasty.length))
    expect(process.cpuUsage(begun).user / 1e3).toBeLessThan(3_000)
  })
})
