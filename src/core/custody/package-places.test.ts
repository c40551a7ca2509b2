import { describe, expect, test } from 'vitest'
import { holdsPackages, placedEntry, placedFile } from './package-places.ts'

test.each([
  ['vendor', [], true],
  ['lib/vendor', [], true],
  ['.yarn/cache', [], true],
  ['local/lib/perl5', [], true],
  ['deps', ['mix.exs'], true],
  // A folder that belongs to the project itself.
  ['deps', ['BUILD.bazel'], false],
  ['.yarn', [], false],
  ['src', ['composer.json'], false],
])('decides whether %s beside %j holds packages: %s', (folder, beside, expected) => {
  expect(holdsPackages(folder, beside)).toBe(expected)
})

test.each([
  ['vendor/autoload.php', 'vendor/autoload.php', ''],
  ['vendor/composer/autoload_psr4.php', 'vendor/composer/autoload_psr4.php', ''],
  ['vendor/monolog/monolog/src/Log.php', 'vendor/monolog/monolog', 'monolog/monolog'],
  ['vendor/gopkg.in/yaml.v3/yaml.go', 'vendor/gopkg.in/yaml.v3', 'gopkg.in/yaml.v3'],
  [
    'vendor/bundle/ruby/3.1.0/gems/rack-3.0/lib/rack.rb',
    'vendor/bundle/ruby/3.1.0/gems/rack-3.0',
    'rack-3.0',
  ],
  ['local/lib/perl5/My/Check.pm', 'local/lib/perl5', ''],
  ['src/cart.php', null, null],
])('assigns %s to %s', (path, folder, name) => {
  const placed = placedFile(path)
  expect([placed?.package ?? null, placed?.name ?? null]).toEqual([folder, name])
})

describe('a lock file’s entry of a package', () => {
  const composer = (version: string, other: string) =>
    JSON.stringify({
      packages: [{ name: 'a/b', version }],
      'packages-dev': [{ name: 'c/d', version: other }],
    })
  const go = (version: string, other: string) =>
    `example.com/a ${version} h1:x=\nexample.com/ab ${other} h1:y=\n`
  const mix = (version: string, other: string) =>
    `%{\n  "a": {:hex, :a, "${version}"},\n  "b": {:hex, :b, "${other}"},\n}\n`
  const cargo = (version: string, other: string) =>
    `[[package]]\nname = "a"\nversion = "${version}"\n\n[[package]]\nname = "b"\nversion = "${other}"\n`

  test.each([
    ['composer.lock', composer, 'a/b'],
    ['go.sum', go, 'example.com/a/deep'],
    ['mix.lock', mix, 'a'],
    ['Cargo.lock', cargo, 'a-1.0.0'],
  ])('changes with the version of that package only: %s', (lock, text, name) => {
    const entry = (version: string, other = '1.0.0') => placedEntry(lock, text(version, other), name)
    expect(entry('1.0.1')).not.toBe(entry('1.0.0'))
    expect(entry('1.0.0', '2.0.0')).toBe(entry('1.0.0'))
    expect(entry('1.0.0')).not.toBe('')
    expect(entry('1.0.0').trim()).toBe(placedEntry(lock, `${text('1.0.0', '1.0.0')}\n`, name).trim())
  })

  test('PHP’s loader counts as changed by what the project loads, and not by white space', () => {
    const entry = (text: string) => placedEntry('composer.json', text, '')
    expect(entry('{ "autoload": {} }')).toBe(entry('{"autoload":{}}'))
    expect(entry('{ "autoload": { "psr-4": {} } }')).not.toBe(entry('{ "autoload": {} }'))
  })

  test('is empty if the file cannot be read', () => {
    expect(placedEntry('composer.lock', '{', 'a/b')).toBe('')
    expect(placedEntry('composer.json', '{', '')).toBe('')
  })
})
