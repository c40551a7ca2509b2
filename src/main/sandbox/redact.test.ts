import { describe, expect, it } from 'vitest'
import { redact } from './redact.ts'

describe('redact', () => {
  it.each([
    ['npm', '//registry.example.org/:_authToken=npm_SECRET\n_auth = SECRET==\nemail=a@b.c'],
    [
      'Yarn',
      'npmRegistries:\n  "https://npm.example.org":\n    npmAuthToken: "SECRET"\n    npmAlwaysAuth: true',
    ],
    ['pip', '[global]\nindex-url = https://user:SECRET@pypi.example.org/simple\ntimeout = 3'],
    ['Maven', '<server><id>x</id><username>a</username><password>SECRET</password></server>'],
    ['Gradle', 'org.gradle.jvmargs=-Xmx2g\nnexusPassword=SECRET\nsigning.secretKey = SECRET'],
    ['Cargo', '[registries.x]\nindex = "https://x.example.org"\ntoken = "SECRET"'],
    [
      'git',
      '[url "https://x-token:SECRET@github.com/"]\n\tinsteadOf = gh:\n[http]\n\textraheader = AUTHORIZATION: basic SECRET',
    ],
    ['NuGet', '<add key="ClearTextPassword" value="SECRET" />'],
    ['Bundler', 'BUNDLE_GEMS__EXAMPLE__ORG: "user:x"\nBUNDLE_TOKEN: "SECRET"'],
  ])('removes the secret from %s’s configuration and leaves the rest', (_name, text) => {
    const redacted = redact(text)
    expect(redacted).not.toContain('SECRET')
    expect(redacted.split('\n')).toHaveLength(text.split('\n').length)
    for (const kept of [
      'email=a@b.c',
      'npmAlwaysAuth: true',
      'timeout = 3',
      '<id>x</id>',
      '-Xmx2g',
      'insteadOf = gh:',
    ])
      if (text.includes(kept)) expect(redacted).toContain(kept)
  })

  it.each([
    'registry=https://registry.example.org/\nfund=false\nsave-exact=true\n',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: -- that is how npm names a variable
    '//registry.example.org/:_authToken=${NPM_TOKEN}\n',
    '[user]\n\tname = Ada Token\n\temail = ada@example.org\n[core]\n\teditor = vim\n',
    '[build]\nrustflags = ["-C", "target-cpu=native"]\n',
    '# token = in a comment is a word\n',
    '<settings><localRepository>/x</localRepository></settings>',
  ])('leaves text without a secret unchanged: %j', (text) => expect(redact(text)).toBe(text))
})
